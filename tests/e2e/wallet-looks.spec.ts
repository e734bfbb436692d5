import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { account, focusedTag, heading, widget } from './visitor.ts';
import { crypto, ETHEREUM, OTHERS, wallet } from './wallet-visitor.ts';

/** A MetaMask that asks the person for ever. */
const hesitate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const request = ({ method }: { readonly method: string }): Promise<unknown> =>
      method === 'eth_requestAccounts' && 'signs' in window ? Promise.resolve([address]) : new Promise(() => undefined);
    Object.assign(window, { ethereum: { isMetaMask: true, request } });
  });

const SCREENS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'Sign up or log in': async (page) => expect(wallet(page, 'Continue with MetaMask')).toBeVisible(),
  'Connecting to your wallet...': async (page) => wallet(page, 'Continue with MetaMask').click(),
  'Completing signature request...': async (page) => {
    await page.evaluate(() => Object.assign(window, { signs: true }));
    await wallet(page, 'Continue with MetaMask').click();
  },
  'Continue with other wallet': async (page) => wallet(page, OTHERS).click(),
};

for (const [title, go] of Object.entries(SCREENS)) {
  test(`"${title}" looks right in both themes, and at 320 px`, async ({ page, demoPath, axe }) => {
    await hesitate(page);
    await page.goto(`${demoPath}?${crypto({ products: ['crypto', 'emailMagicLinks'] })}`);
    await go(page);
    await expect(heading(page, title)).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await axe(page), `axe, ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const scrolled = await page.evaluate(() => {
      window.scrollTo(100, 0);
      return window.scrollX;
    });
    expect(scrolled).toBe(0);
    for (const target of await widget(page).getByRole('button').all()) {
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
  });
}

test('by keyboard alone, and every screen takes the focus', async ({ page, demoPath }) => {
  await hesitate(page);
  await page.goto(`${demoPath}?wallet=1&${crypto()}`);
  const button = wallet(page, 'Continue with MetaMask');
  await expect(button).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Connecting to your wallet...')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(widget(page).getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Sign up or log in')).toBeVisible();
  expect(await focusedTag(page)).not.toBe('BODY');
  await wallet(page, ETHEREUM).focus();
  await page.keyboard.press('Space');
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
});
