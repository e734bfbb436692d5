/** A font of twice the usual size in the browser's settings, which a zoom does not equal: the card keeps its width. */
import { chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { expect, test } from './fixtures.ts';
import { openGallery, overflowing } from './gallery-screens.ts';

async function withLargeFont(baseURL: string | undefined, look: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: [...BROWSER_ARGS, '--blink-settings=defaultFontSize=32'],
  });
  try {
    const address = baseURL === undefined ? {} : { baseURL };
    await look(await browser.newPage({ ...address, viewport: { width: 360, height: 800 } }));
  } finally {
    await browser.close();
  }
}

test('text in a large font has the width of its row, beside icons that keep their size', async ({ baseURL }) => {
  await withLargeFont(baseURL, async (page) => {
    await openGallery(page, 'fixture=passkey-list,passkey-list-editing,consent-powerful&width=320');
    const name = page.locator('[data-part=passkey-name]').first();
    expect(await name.evaluate((one) => getComputedStyle(one).fontSize)).toBe('32px');
    const widths = (parts: string): Promise<readonly number[]> =>
      page.locator(parts).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(Math.min(...(await widths('[data-part=passkey-text], [data-part=row] input')))).toBeGreaterThan(200);
    expect(Math.min(...(await widths('summary [data-part=words]')))).toBeGreaterThan(170);
    expect(await overflowing(page)).toEqual([]);
  });
});

test('a long action of the account page has two lines rather than an end outside the card', async ({ baseURL }) => {
  await withLargeFont(baseURL, async (page) => {
    await openGallery(page, 'fixture=account-second-factor,account-totp-set-up&language=de&width=320');
    await expect(page.getByRole('button', { name: 'Schlüssel kopieren' })).toBeVisible();
    expect(await overflowing(page)).toEqual([]);
  });
});
