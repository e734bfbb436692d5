import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { account, focusedTag, heading, widget } from './visitor.ts';
import { crypto, ETHEREUM, wallet } from './wallet-visitor.ts';

/** A MetaMask that asks the person for ever. */
const hesitate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const request = (): Promise<unknown> => new Promise(() => undefined);
    Object.assign(window, { ethereum: { isMetaMask: true, request } });
  });

test('by keyboard alone, and every screen takes the focus', { tag: '@soak' }, async ({ page, demoPath }) => {
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
