/**
 * The README's picture of the widget, from the gallery's own fixture: light and dark side by side, at twice the size.
 *
 * `npx jiti scripts/picture.ts` builds what is stale and writes `docs/widget.png`. The picture shows the fonts of the
 * machine that makes it; one with Arial, or with a font of its widths, shows what most people see.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from './lib/browsers.ts';
import { isMain, ROOT } from './lib/root.mjs';
import { ensureBuilt } from './lib/steps.ts';
import { serveDemo } from './serve-demo.ts';

const PICTURE = 'docs/widget.png';
const FIXTURE = 'social-tabs';
/** What a README makes its reader load, in bytes. */
const LARGEST = 150_000;
const CARD = 400;
const MARGIN = 40;

/** The card of the fixture in one scheme, on a ground of that scheme. */
async function cardIn(browser: Browser, url: string, scheme: 'light' | 'dark') {
  const context = await browser.newContext({
    viewport: { width: CARD + 2 * MARGIN, height: 1000 },
    deviceScaleFactor: 2,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${url}/gallery?fixture=${FIXTURE}&scheme=${scheme}&width=${CARD}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await page.evaluate((margin) => {
    const card = document.querySelector<HTMLElement>('.card');
    if (card === null) throw new Error('the gallery shows no card');
    card.style.margin = `${margin}px`;
    document.body.replaceChildren(card);
  }, MARGIN);
  const { height = 0 } = (await page.locator('.card').boundingBox()) ?? {};
  const clip = { x: 0, y: 0, width: CARD + 2 * MARGIN, height: height + 2 * MARGIN };
  const picture = await page.screenshot({ clip });
  await context.close();
  return { picture, ...clip };
}

/** Puts the cards beside each other. */
async function beside(browser: Browser, cards: readonly Awaited<ReturnType<typeof cardIn>>[]): Promise<Buffer> {
  const width = cards.reduce((sum, card) => sum + card.width, 0);
  const height = Math.max(...cards.map((card) => card.height));
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
  const images = cards.map(
    (card) => `<img width="${card.width}" src="data:image/png;base64,${card.picture.toString('base64')}">`,
  );
  await page.setContent(`<body style="margin: 0; display: flex">${images.join('')}</body>`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  return page.screenshot();
}

/** The picture, a PNG. */
async function takePicture(): Promise<Buffer> {
  await ensureBuilt(['demo']);
  const demo = await serveDemo({ port: 0, providerUrl: 'http://localhost:1' });
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
  try {
    const cards = [];
    for (const scheme of ['light', 'dark'] as const) cards.push(await cardIn(browser, demo.url, scheme));
    return await beside(browser, cards);
  } finally {
    await browser.close();
    await demo.close();
  }
}

if (isMain(import.meta.url)) {
  const picture = await takePicture();
  if (picture.length > LARGEST) throw new Error(`The picture weighs ${picture.length} of ${LARGEST} bytes.`);
  const file = join(ROOT, PICTURE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
  console.log(`${PICTURE}: ${Math.ceil(picture.length / 1000)} kB`);
}
