/** Wider text spacing, as a person sets it for all pages (WCAG 2.2, success criterion 1.4.12). */
import { chromium, type Page } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_ARGS, ensureWholeBrowser } from '#scripts/lib/browsers.ts';
import { expect, test } from './fixtures.ts';
import { MAIN_SCREENS, openGallery, overflowing, PRESETS } from './gallery-screens.ts';

const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

/** An extension of the browser that adds a sheet of the user to each page. Chromium has no other way to have one. */
const EXTENSION = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Text spacing',
    version: '1',
    permissions: ['scripting', 'tabs'],
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'background.js' },
  }),
  'background.js': `chrome.tabs.onUpdated.addListener((tabId, { status }) => {
    if (status === 'loading') chrome.scripting.insertCSS({ target: { tabId }, css: ${JSON.stringify(SPACING)}, origin: 'USER' }).catch(() => undefined);
  });`,
};

/** What is cut: text in an element that hides what it has no room for, and a label that is larger than its button. */
const cut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.card [data-part]')].flatMap((one) => {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(one);
      const hides = [overflowX, overflowY].some((value) => value === 'hidden' || value === 'clip');
      const isHidden = one.clientWidth <= 1 || one.closest('[data-part=announcer]') !== null;
      const isText = (one.textContent ?? '').trim() !== '' && textOverflow !== 'ellipsis';
      const isCut = hides && isText && !isHidden && one.scrollHeight > one.clientHeight + 1;
      const spills = one.dataset['part'] === 'button' && one.scrollHeight > one.offsetHeight + 1;
      return isCut || spills ? [`${one.closest('.card')?.id ?? ''}: ${one.dataset['part'] ?? ''}`] : [];
    }),
  );

test('wider text spacing of the user reaches the widget, and nothing is cut', { tag: '@soak' }, async ({ baseURL }) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-spacing-'));
  for (const [name, text] of Object.entries(EXTENSION)) writeFileSync(join(folder, name), text);
  const context = await chromium.launchPersistentContext('', {
    executablePath: ensureWholeBrowser(),
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...BROWSER_ARGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: { width: 400, height: 800 },
  });
  try {
    if (context.serviceWorkers().length === 0) await context.waitForEvent('serviceworker');
    const page = await context.newPage();
    for (const preset of ['', ...PRESETS]) {
      await openGallery(page, `fixture=${MAIN_SCREENS}&width=320&preset=${preset}`);
      const title = page.locator('.card [data-part=title], .card h1').first();
      await expect
        .poll(() => title.evaluate((one) => parseFloat(getComputedStyle(one).letterSpacing)))
        .toBeGreaterThan(1);
      expect(await overflowing(page), preset).toEqual([]);
      expect(await cut(page), preset).toEqual([]);
    }
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
