/**
 * The README's picture of the widget, from the gallery's own fixture: light and dark side by side, at twice the size.
 *
 * `npx jiti scripts/picture.ts` builds stale outputs and writes `docs/widget.png`. The picture shows the fonts of the machine that
 * makes it.
 */
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from './lib/browsers.ts';
import { ROOT } from './lib/root.mjs';
import { ensureBuilt } from './lib/steps.ts';
import { serveDemo } from './serve-demo.ts';

const PICTURE = 'docs/widget.png';
const FIXTURE = 'social-tabs';
/** The size limit of the picture, in bytes, because every reader of the README loads it. */
const LARGEST = 170_000;
const CARD = 400;
const MARGIN = 40;

await ensureBuilt(['entries', 'demo', 'gallery']);
const demo = await serveDemo({ port: 0, providerUrl: 'http://localhost:1' });
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
const width = CARD + 2 * MARGIN;

/** The card of the fixture in one scheme, on a ground of that scheme. */
async function cardIn(scheme: 'light' | 'dark'): Promise<string> {
  const page = await browser.newPage({
    viewport: { width, height: 1000 },
    deviceScaleFactor: 2,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  await page.goto(`${demo.url}/gallery?fixture=${FIXTURE}&preset=modern&scheme=${scheme}&width=${CARD}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await page.evaluate((margin) => {
    const card = document.querySelector<HTMLElement>('.card');
    if (card === null) throw new Error('the gallery shows no card');
    card.style.margin = `${margin}px`;
    document.body.replaceChildren(card);
  }, MARGIN);
  const { height = 0 } = (await page.locator('.card').boundingBox()) ?? {};
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width, height: height + 2 * MARGIN } });
  return `<img width="${width}" src="data:image/png;base64,${picture.toString('base64')}">`;
}

try {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  await page.setContent(
    `<body style="margin: 0; display: inline-flex">${await cardIn('light')}${await cardIn('dark')}`,
  );
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await page.locator('body').screenshot({ path: join(ROOT, PICTURE) });
  if (picture.length > LARGEST) throw new Error(`The picture weighs ${picture.length} of ${LARGEST} bytes.`);
  console.log(`${PICTURE}: ${Math.ceil(picture.length / 1000)} kB`);
} finally {
  await browser.close();
  await demo.close();
}
