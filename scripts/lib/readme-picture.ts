/** The readme's picture of the widget, from the gallery's own fixture: light and dark side by side, at twice the size. */
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { ROOT } from './root.mjs';

const PICTURE = 'docs/widget.png';
const FIXTURE = 'social-tabs';
/** The size limit of the picture, in bytes, because every reader of the README loads it. */
const LARGEST = 170_000;
const CARD = 400;
const MARGIN = 40;
const WIDTH = CARD + 2 * MARGIN;

/** The card of the fixture in one scheme, on a ground of that scheme, as an image element. */
async function cardIn(browser: Browser, demo: string, scheme: 'light' | 'dark'): Promise<string> {
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: 1000 },
    deviceScaleFactor: 2,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  await page.goto(`${demo}/gallery?fixture=${FIXTURE}&preset=modern&scheme=${scheme}&width=${CARD}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await page.evaluate((margin) => {
    const card = document.querySelector<HTMLElement>('.card');
    if (card === null) throw new Error('the gallery shows no card');
    card.style.margin = `${margin}px`;
    document.body.replaceChildren(card);
  }, MARGIN);
  const { height = 0 } = (await page.locator('.card').boundingBox()) ?? {};
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: WIDTH, height: height + 2 * MARGIN } });
  return `<img width="${WIDTH}" src="data:image/png;base64,${picture.toString('base64')}">`;
}

/** Writes the picture. Throws when it is too large. */
export async function writeReadmePicture(browser: Browser, demo: string): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  const cards = [await cardIn(browser, demo, 'light'), await cardIn(browser, demo, 'dark')];
  await page.setContent(`<body style="margin: 0; display: inline-flex">${cards.join('')}`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await page.locator('body').screenshot({ path: join(ROOT, PICTURE) });
  if (picture.length > LARGEST) throw new Error(`The picture weighs ${picture.length} of ${LARGEST} bytes.`);
  console.log(`${PICTURE}: ${Math.ceil(picture.length / 1000)} kB`);
}
