/**
 * Contact sheets of the widget's screens, from the gallery's own fixtures (`npm run pictures`).
 *
 * - `presets/`: one state of each screen, in every preset, two widths and two schemes;
 * - `screens/`: every state of each screen in `modern`, light and dark in turn;
 * - `peers/`: the login forms of other clients and products, two widths and two schemes, if `npm run bench -- --peers` has made the
 *   folder for them (PORTICO_PEERS). Those that are missing are installed.
 *
 * `--out FOLDER` names the folder (default `.pictures`), `--preset NAME` and `--screen NAME` limit the sheets. `--readme` makes
 * only `docs/widget.png`, the picture of the readme, `--docs` those of the guides, `--peers` only those of the other clients. The pictures show the fonts of the machine that makes them.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { peerPages, PEERS } from '../bench/peers/peer-pages.ts';
import { PRODUCTS } from '../bench/peers/product-peers.ts';
import { serve } from '../bench/peers/servers.ts';
import { BROWSER_ARGS, ensureBrowser } from './lib/browsers.ts';
import { writeDocsPictures } from './lib/docs-pictures.ts';
import { writeReadmePicture } from './lib/readme-picture.ts';
import { ROOT } from './lib/root.mjs';
import { ensureBuilt } from './lib/steps.ts';
import { FIXTURES } from '../tests/gallery/fixtures.ts';
import { serveDemo } from './serve-demo.ts';

const WIDTHS = ['320', '400'] as const;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** The cards beside each other, in CSS pixels. */
const SHEET_WIDTH = 1_800;
/** Cards that are taller are cut, so that one long page does not make a sheet empty. */
const CARD_HEIGHT = 900;

const EMAIL_FIELD = 'input:is([type=email], [name=email], [name=identifier])';

const SHEET = `
  body { margin: 0 !important; padding: 24px !important; }
  .sheet { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 8px; }
  .sheet figure { margin: 0; padding: 0 8px 24px; max-height: ${CARD_HEIGHT}px; overflow: hidden; }
  .sheet figcaption { font: 12px/20px system-ui; }
`;

const pageOf = (browser: Browser, width: number, scheme: Scheme): Promise<Page> =>
  browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: 'reduce' });

/** Keeps only the cards of a gallery page, side by side, each below its name. */
async function photograph(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    const place = document.createElement('div');
    place.className = 'sheet';
    place.append(
      ...[...document.querySelectorAll('.card')].map((card) => {
        const figure = document.createElement('figure');
        const name = document.createElement('figcaption');
        name.textContent = card.id.replace('fixture-', '');
        figure.append(name, card);
        return figure;
      }),
    );
    document.body.replaceChildren(place);
  }, SHEET);
  await page.screenshot({ path, fullPage: true });
}

/** The ids of the fixtures by their screen, in the order of the gallery. */
function idsByScreen(): ReadonlyMap<string, readonly string[]> {
  const screens = new Map<string, string[]>();
  for (const { id, state } of FIXTURES) {
    const { name } = state.screen;
    screens.set(name, [...(screens.get(name) ?? []), id]);
  }
  return screens;
}

/** The presets that the gallery offers; empty for none. */
async function presetsOf(page: Page, demo: string): Promise<readonly string[]> {
  await page.goto(`${demo}/gallery`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const options = page.locator('select[name=preset] option');
  return options.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
}

/** The forms of the other clients in both schemes. */
async function photographPeers(browser: Browser, folder: string): Promise<void> {
  const scratch = process.env['PORTICO_PEERS'] ?? join(tmpdir(), 'portico-peers');
  if (!existsSync(scratch)) return console.log('Other clients are left out: npm run bench -- --peers installs them.');
  const out = mkdtempSync(join(tmpdir(), 'portico-pages-'));
  try {
    const pages = await peerPages(scratch, out, (line) => console.log(`  ${line}`), [...PEERS, ...PRODUCTS]);
    const servers = await serve(pages);
    mkdirSync(folder, { recursive: true });
    for (const scheme of SCHEMES) {
      for (const width of [360, 1280]) {
        const page = await pageOf(browser, width, scheme);
        for (const peer of pages) {
          await page.goto(servers.urlOf(peer), { waitUntil: 'networkidle' });
          await page.locator(EMAIL_FIELD).first().waitFor();
          const name = peer.name.replaceAll(/[^\w.]+/gu, '-').replace(/^-/u, '');
          await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) });
        }
        await page.close();
      }
    }
    servers.close();
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, '.pictures') },
    preset: { type: 'string' },
    screen: { type: 'string' },
    readme: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
  },
});
await ensureBuilt(['entries', 'demo', 'gallery']);
const demo = await serveDemo({ port: 0, providerUrl: 'http://localhost:1' });
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
try {
  if (values.readme) await writeReadmePicture(browser, demo.url);
  else if (values.docs) await writeDocsPictures(browser, demo.url);
  else if (values.peers) await photographPeers(browser, join(values.out, 'peers'));
  else await makeSheets();
} finally {
  await browser.close();
  await demo.close();
}

async function makeSheets(): Promise<void> {
  const { out, preset, screen } = values;
  const page = await pageOf(browser, SHEET_WIDTH, 'light');
  page.setDefaultTimeout(0);
  const all = idsByScreen();
  const screens = [...all].filter(([name]) => screen === undefined || name === screen);
  const known = await presetsOf(page, demo.url);
  const presets = known.filter((name) => preset === undefined || name === preset);
  if (presets.length === 0) throw new RangeError(`--preset must be one of ${known.filter(Boolean).join(', ')}`);
  if (screens.length === 0) throw new RangeError(`--screen must be one of ${[...all.keys()].join(', ')}`);
  // What a screen shows before it knows anything says little of it.
  const first = screens.map(([, ids]) => ids.find((id) => !/-(?:loading|arriving)$/u.test(id)) ?? ids[0] ?? '');
  const gallery = (ids: readonly string[], look: Readonly<Record<string, string>>): string =>
    `${demo.url}/gallery?${new URLSearchParams({ fixture: ids.join(','), ...look }).toString()}`;
  mkdirSync(join(out, 'presets'), { recursive: true });
  mkdirSync(join(out, 'screens'), { recursive: true });
  for (const name of presets) {
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const path = join(out, 'presets', `${name || 'none'}-${width}-${scheme}.png`);
        await photograph(page, gallery(first, { preset: name, width, scheme }), path);
      }
    }
    console.log(`presets/${name || 'none'}`);
  }
  for (const [name, ids] of screens) {
    for (const scheme of SCHEMES) {
      const path = join(out, 'screens', `${name}-${scheme}.png`);
      await photograph(page, gallery(ids, { preset: preset ?? 'modern', width: '400', scheme }), path);
    }
  }
  console.log(`screens: ${screens.length}`);
  await page.close();
  if (screen === undefined && preset === undefined) await photographPeers(browser, join(out, 'peers'));
  console.log(`The pictures are in ${out}.`);
}
