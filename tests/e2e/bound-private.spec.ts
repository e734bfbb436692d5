import type { LaunchOptions } from '@playwright/test';
import { isBound, refresh, storedKeys, test as base } from './bound-demo.ts';
import { expect } from './fixtures.ts';
import { askForCode, codeField, expectConfirmed, expectSignedIn, newAddress } from './visitor.ts';

// A context of Chromium is a private one already.
const test = base.extend<object, { readonly launchOptions: LaunchOptions }>({
  launchOptions: [
    async ({ launchOptions, browserName }, use) => {
      const firefoxUserPrefs = { 'browser.privatebrowsing.autostart': true };
      await use(browserName === 'firefox' ? { ...launchOptions, firefoxUserPrefs } : launchOptions);
    },
    { scope: 'worker', option: true },
  ],
});

test(
  'a private window keeps the key of a bound session through a reload',
  { tag: ['@soak', '@every'] },
  async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    expect(await isBound(page)).toBe(true);
    await page.reload();
    await expectSignedIn(page, address);
    await expectConfirmed(page);
    expect(await storedKeys(page)).toEqual([[false, 'InvalidAccessError']]);
    expect(await refresh(page)).toBeTruthy();
  },
);
