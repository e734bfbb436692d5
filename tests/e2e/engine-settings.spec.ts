/** Firefox as a person sets it up: the browser itself refuses to keep anything, or keeps it in memory alone. */
import type { Browser, Page } from '@playwright/test';
import { isBound, refresh, storedKeys, test } from './bound-demo.ts';
import { expect } from './fixtures.ts';
import {
  askForCode,
  codeField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  logOut,
  newAddress,
} from './visitor.ts';

test.skip(({ browserName }) => browserName !== 'firefox', 'settings of Firefox');

interface Setting {
  readonly name: string;
  readonly prefs: Readonly<Record<string, boolean | number>>;
  /** What a page can still keep: a cookie, an item of local storage, and a key. */
  readonly keeps: readonly [cookies: boolean, storage: boolean, keys: boolean];
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'no cookies, and with them no storage',
    prefs: { 'network.cookie.cookieBehavior': 2 },
    keeps: [false, false, false],
  },
  { name: 'no local storage', prefs: { 'dom.storage.enabled': false }, keeps: [true, false, true] },
  { name: 'private windows', prefs: { 'browser.privatebrowsing.autostart': true }, keeps: [true, true, true] },
];

/** What the browser lets the page keep. */
const kept = async (page: Page): Promise<readonly boolean[]> =>
  page.evaluate(async () => {
    const tries = [
      () => ((document.cookie = 'kept=1'), document.cookie.includes('kept=1')),
      () => (localStorage.setItem('kept', '1'), localStorage.getItem('kept') === '1'),
      async () =>
        new Promise<boolean>((resolve) => {
          const opened = indexedDB.open('kept');
          opened.addEventListener('success', () => resolve(true));
          opened.addEventListener('error', () => resolve(false));
        }),
    ];
    return Promise.all(
      tries.map(async (attempt) => new Promise<boolean>((resolve) => resolve(attempt())).catch(() => false)),
    );
  });

for (const { name, prefs, keeps } of SETTINGS) {
  const [cookies, storage, keys] = keeps;
  test(
    `signs in and out with ${name}; what can be kept lives through a reload and reaches other tabs`,
    { tag: ['@every', '@soak'] },
    async ({ playwright, channel, launchOptions, baseURL, demoPath, inbox, trap }) => {
      const browser: Browser = await playwright.firefox.launch({
        ...launchOptions,
        ...(channel && { channel }),
        firefoxUserPrefs: { ...prefs },
      });
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      trap.watch(context);
      const warnings: string[] = [];
      context.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
      const page = await context.newPage();
      await page.goto(demoPath);
      expect(await kept(page)).toEqual(keeps);
      const address = newAddress();
      await askForCode(page, address);
      await codeField(page).pressSequentially(await inbox.codeFor(address));
      await expectSignedIn(page, address);
      expect(await isBound(page)).toBe(keys || undefined);
      if (keys) expect(await storedKeys(page)).toEqual([[false, 'InvalidAccessError']]);
      expect(warnings.filter((text) => text.includes('cannot use local storage'))).toHaveLength(storage ? 0 : 1);
      expect(await refresh(page)).toMatch(/^session-/u);

      if (cookies) {
        await page.reload();
        await expectSignedIn(page, address);
        await expectConfirmed(page);
        const tab = await context.newPage();
        await tab.goto(demoPath);
        await expectSignedIn(tab, address);
        await expectConfirmed(tab);
        await logOut(tab).click();
        await expectSignedOut(tab);
        // Without storage no event tells another tab.
        if (!storage) await page.reload();
        await expectSignedOut(page);
      } else {
        await logOut(page).click();
        await expectSignedOut(page);
      }
      await browser.close();
    },
  );
}
