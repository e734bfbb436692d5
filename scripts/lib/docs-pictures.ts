/**
 * The pictures of the guides, each light and dark: the presets, the account page and consent from the gallery's fixtures, and a page
 * of the operators. A guide shows them by `<picture>`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { operatorsPageOfAda } from './operators-picture.ts';
import { ROOT } from './root.mjs';

/** The size limit of a picture, in bytes: it is in the package. */
const LARGEST = 60 * 1024;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** A longer page is cut: its picture shows what it is like. */
const TALLEST = 860;
const GROUNDS: Readonly<Record<Scheme, string>> = { light: '#eef2f3', dark: '#0b1217' };
const PRESETS = ['modern', 'soft', 'compact', 'paper', 'mono', 'warm', 'ocean', 'contrast'] as const;

/** The card of a fixture, as an image. */
async function card(page: Page, demo: string, look: Readonly<Record<string, string>>): Promise<string> {
  await page.goto(`${demo}/gallery?${new URLSearchParams(look).toString()}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const { width = 0 } = (await page.locator('.card').boundingBox()) ?? {};
  // Behind the card's round corners.
  await page.evaluate(
    (ground) => {
      const behind = new CSSStyleSheet();
      behind.replaceSync(`html, body, main, section, .card { background: ${ground} !important }`);
      document.adoptedStyleSheets.push(behind);
    },
    GROUNDS[look['scheme'] as Scheme],
  );
  const picture = await page.locator('.card').screenshot();
  return `<img width="${width}" alt="" src="data:image/png;base64,${picture.toString('base64')}">`;
}

/** The end of a card that is longer than its picture. */
const FADE = 'mask-image:linear-gradient(#000 calc(100% - 120px),transparent)';

/** Cards with their names below them, in columns. */
const sheet = (
  cards: readonly (readonly [name: string, image: string])[],
  columns: number,
  scheme: Scheme,
  figure = '',
): string =>
  `<body style="margin:0;background:${GROUNDS[scheme]};color:${scheme === 'dark' ? '#e9f0f3' : '#10222c'}">
<div id="sheet" style="display:grid;grid-template-columns:repeat(${columns},max-content);gap:32px;padding:32px;width:max-content;align-items:start">
${cards.map(([name, image]) => `<figure style="margin:0;max-height:${TALLEST}px;overflow:hidden;${figure}">${image}${name === '' ? '' : `<figcaption style="font:500 22px/40px system-ui;text-align:center">${name}</figcaption>`}</figure>`).join('')}
</div>`;

/** Writes what the page shows as WebP, with a width in pixels. */
async function write(page: Page, place: string, file: string, width: number): Promise<void> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = (await page.locator(place).screenshot()).toString('base64');
  const url = await page.evaluate(
    async ([data, to]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = to;
      canvas.height = Math.round((to * image.naturalHeight) / image.naturalWidth);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.75);
    },
    [picture, width] as const,
  );
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  if (bytes.length > LARGEST) throw new Error(`${file} weighs ${bytes.length} of ${LARGEST} bytes.`);
  writeFileSync(join(ROOT, 'docs', file), bytes);
  console.log(`docs/${file}: ${Math.ceil(bytes.length / 1024)} KiB`);
}

/** Writes all of them. Throws when one is too large. */
export async function writeDocsPictures(browser: Browser, demo: string): Promise<void> {
  const operators = await operatorsPageOfAda();
  for (const colorScheme of SCHEMES) {
    const open = async (width: number): Promise<Page> => {
      const opened = await browser.newPage({
        viewport: { width, height: 640 },
        deviceScaleFactor: 2,
        colorScheme,
        reducedMotion: 'reduce',
      });
      opened.setDefaultTimeout(0);
      return opened;
    };
    const page = await open(1000);
    // The gallery's own page takes no other content: its policy forbids it.
    const blank = await open(960);
    const look = { scheme: colorScheme, preset: 'modern' };
    const presets: (readonly [string, string])[] = [];
    for (const preset of PRESETS) {
      presets.push([preset, await card(page, demo, { ...look, preset, fixture: 'social-row', width: '400' })]);
    }
    const account = await card(page, demo, { ...look, fixture: 'account-everyday' });
    const consent = await card(page, demo, { ...look, fixture: 'consent-verified', width: '400' });
    const sheets = [
      ['account', sheet([['', account]], 1, colorScheme, FADE), 1200],
      ['consent', sheet([['', consent]], 1, colorScheme), 928],
      ['presets', sheet(presets, 4, colorScheme), 1440],
    ] as const;
    for (const [name, html, width] of sheets) {
      await blank.setContent(html);
      await write(blank, '#sheet', `${name}-${colorScheme}.webp`, width);
    }
    await blank.setContent(operators);
    await write(blank, 'html', `operators-${colorScheme}.webp`, 1440);
    await Promise.all([page.close(), blank.close()]);
  }
}
