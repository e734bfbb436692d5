/** A font of twice the usual size in the browser's settings, which a zoom does not equal: the card keeps its width. */
import { chromium } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_ARGS, ensureBrowser } from '../../scripts/lib/browsers.ts';
import { expect, test } from './fixtures.ts';
import { openGallery, overflowing } from './gallery-screens.ts';

const SETTINGS = JSON.stringify({ webkit: { webprefs: { default_font_size: 32 } } });

test('text in a large font has the width of its row, beside icons that keep their size', async ({ baseURL }) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-font-'));
  mkdirSync(join(folder, 'Default'));
  writeFileSync(join(folder, 'Default', 'Preferences'), SETTINGS);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: ensureBrowser(),
    args: [...BROWSER_ARGS],
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: { width: 360, height: 800 },
  });
  try {
    const page = await context.newPage();
    await openGallery(page, 'fixture=passkey-list,passkey-list-editing,consent-powerful&width=320');
    const name = page.locator('[data-part=passkey-name]').first();
    expect(await name.evaluate((one) => getComputedStyle(one).fontSize)).toBe('32px');
    const widths = (parts: string): Promise<readonly number[]> =>
      page.locator(parts).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(Math.min(...(await widths('[data-part=passkey-text], [data-part=row] input')))).toBeGreaterThan(200);
    expect(Math.min(...(await widths('summary [data-part=words]')))).toBeGreaterThan(170);
    expect(await overflowing(page)).toEqual([]);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
