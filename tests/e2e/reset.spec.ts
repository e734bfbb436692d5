import type { Locator, Page } from '@playwright/test';
import { hearAll } from './announcements.ts';
import { expect, test } from './fixtures.ts';
import {
  ALONE,
  BETTER,
  choose,
  forget,
  GOOD,
  goOn,
  haveAccount,
  logIn,
  pageFor,
  passwordField,
  WITH_LINK,
} from './password-visitor.ts';
import { emailField, expectSignedIn, focusedTag, hasFocus, heading, newAddress, signOut, widget } from './visitor.ts';

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    if (await hasFocus(element)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never got there');
}

/** A configuration whose reset mails lead to the reset page with both of their links. */
const bothTo = (page: string, config: object) => ({ ...config, passwordOptions: { loginRedirectURL: page } });

test(
  'forgotten: the email leads to a new password, and the old one is invalid',
  { tag: '@every' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
    await page.goto(reset);
    await expect(heading(page, 'Reset your password')).toBeVisible();
    expect(page.url()).not.toContain('token');
    // A password manager stores the new password under it.
    await expect(widget(page).locator('input[autocomplete=username]')).toHaveValue(address);
    await choose(page, BETTER);
    await goOn(page).click();
    await expectSignedIn(page, address);
    await page.goto(pageFor(demoPath, ALONE));
    await signOut(page);
    await logIn(page, address, GOOD);
    await expect(widget(page).getByText('Unauthorized credentials.')).toBeVisible();
    await passwordField(page).fill(BETTER);
    await goOn(page).click();
    await expectSignedIn(page, address);
  },
);

test('forgotten, by keyboard alone: what is wrong with the new password is said where the focus is, to the end', async ({
  page,
  demoPath,
  inbox,
  trap,
}) => {
  trap.allow(REFUSED);
  const heard = await hearAll(page);
  const { keyboard } = page;
  const address = newAddress();
  await haveAccount(address, GOOD);
  await page.goto(pageFor(demoPath, ALONE));
  await tabTo(page, emailField(page));
  await keyboard.type(address);
  await keyboard.press('Enter');
  await expect(passwordField(page)).toBeFocused();
  await tabTo(page, widget(page).getByRole('button', { name: 'Forgot Password?' }));
  await keyboard.press('Enter');
  await expect(heading(page, 'Forgot password?')).toBeFocused();

  await page.goto(await inbox.linkFor(address));
  await expect(heading(page, 'Reset your password')).toBeVisible();
  expect(await focusedTag(page)).toBe('BODY');
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(page, passwordField(page));
  const refusals = [
    ['', 'Please enter your password.'],
    ['abcabc', 'Repeated character patterns like “abcabcabc” are easy to guess.'],
    ['password', 'may have been used on a different site'],
  ] as const;
  for (const [weak, reason] of refusals) {
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(weak);
    // Before the server has answered.
    await keyboard.press('Enter');
    await expect(passwordField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(passwordField(page)).toHaveAccessibleDescription(new RegExp(reason, 'iu'));
    await expect(passwordField(page)).toBeFocused();
    await expect.poll(heard).toMatch(new RegExp(reason, 'iu'));
  }
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type(GOOD);
  await tabTo(page, widget(page).getByRole('button', { name: 'Show password' }));
  await keyboard.press('Space');
  await expect(passwordField(page)).toHaveAttribute('type', 'text');
  await keyboard.press('Shift+Tab');
  await expect(passwordField(page)).toBeFocused();
  // A password that came onto the list between the check and the reset.
  await page.route('**/passwords/email/reset', (route) =>
    route.fulfill({
      status: 400,
      headers: {
        'access-control-allow-origin': new URL(page.url()).origin,
        'access-control-allow-credentials': 'true',
      },
      json: { status_code: 400, request_id: 'r', error_type: 'breached_password', error_message: '', error_url: '' },
    }),
  );
  await tabTo(page, goOn(page));
  await keyboard.press('Enter');
  await expect(widget(page).getByRole('alert').filter({ hasText: 'in a list of breached passwords' })).toBeVisible();
  await expect(passwordField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(passwordField(page)).toBeFocused();
  await page.unroute('**/passwords/email/reset');
  await keyboard.type(BETTER);
  await keyboard.press('Enter');
  await expectSignedIn(page, address);
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeFocused();
});

test(
  'a reset page that is reloaded still holds its token, until it is used',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
    await page.goto(reset);
    await expect(heading(page, 'Reset your password')).toBeVisible();
    expect(page.url()).not.toContain('token');
    await page.reload();
    await expect(heading(page, 'Reset your password')).toBeVisible();
    await choose(page, BETTER);
    await goOn(page).click();
    await expectSignedIn(page, address);
    await page.goto(new URL('/reset', page.url()).href);
    await expect(page.getByRole('heading', { name: 'Nothing to do here' })).toBeVisible();
  },
);

test(
  'a reset link works once, and a spent one shows a message at once and offers a new email',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap, axe }) => {
    trap.allow(REFUSED);
    const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
    await page.goto(reset);
    await choose(page, BETTER);
    await goOn(page).click();
    await expectSignedIn(page, address);
    await page.goto(reset);
    await expect(heading(page, 'This link no longer works')).toBeVisible();
    await expect(passwordField(page)).toHaveCount(0);
    expect(await axe(page)).toEqual([]);
    const before = await inbox.messagesTo(address);
    await expect(emailField(page)).toBeFocused();
    await emailField(page).fill(address);
    await emailField(page).press('Enter');
    await expect(heading(page, 'Forgot password?')).toBeVisible();
    await page.goto(await inbox.linkFor(address, { after: before[0]?.id ?? '' }));
    await expect(heading(page, 'Reset your password')).toBeVisible();
  },
);

test(
  'a reset page whose code could not be loaded keeps its token',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/Failed to load resource|did not load|SDKAPIUnreachableError/);
    const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
    await page.route(/\/(?:standalone-)?passwords-[\w-]+\.js$/, (route) => route.abort());
    await page.goto(reset);
    await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
    await expect(widget(page)).toContainText('Part of this page did not load.');
    // The way back would leave the token behind.
    await expect(widget(page).getByRole('button', { name: 'Go back' })).toHaveCount(0);
    await page.unrouteAll();
    await widget(page).getByRole('button', { name: 'Reload' }).click();
    await expect(heading(page, 'Reset your password')).toBeVisible();
    await choose(page, BETTER);
    await goOn(page).click();
    await expectSignedIn(page, address);
  },
);

test('the email is sent again when asked', { tag: '@soak' }, async ({ page, demoPath, inbox }) => {
  const { address } = await forget(page, inbox, pageFor(demoPath, ALONE));
  const before = (await inbox.messagesTo(address)).length;
  await widget(page).getByRole('button', { name: 'Resend email' }).click();
  await expect(widget(page).getByText('Email resent')).toBeVisible();
  expect(await inbox.messagesTo(address)).toHaveLength(before + 1);
  await widget(page).getByRole('button', { name: 'Back' }).click();
  await expect(emailField(page)).toHaveValue(address);
});

test(
  'the link without a password logs in at once, and leaves no token in the address',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, baseURL }) => {
    const config = bothTo(`${baseURL}/reset`, WITH_LINK);
    const { address, login } = await forget(page, inbox, pageFor(demoPath, config));
    await page.goto(login);
    await expectSignedIn(page, address);
    expect(page.url()).toBe(`${baseURL}/reset`);
  },
);

test(
  'the page of a reset logs in without a password, once',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
    await page.goto(reset);
    await expect(heading(page, 'Reset your password')).toBeVisible();
    await widget(page).getByRole('button', { name: 'Login without a password' }).click();
    await expectSignedIn(page, address);
    await page.goto(reset);
    await expect(heading(page, 'This link no longer works')).toBeVisible();
  },
);

test(
  'a login link that is spent shows a message, and leads to a new start',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, baseURL, trap, axe }) => {
    trap.allow(REFUSED);
    const config = bothTo(`${baseURL}/reset`, ALONE);
    const { address, login } = await forget(page, inbox, pageFor(demoPath, config));
    await page.goto(login);
    await expectSignedIn(page, address);
    await page.goto(pageFor(demoPath, config));
    await signOut(page);
    await page.goto(login);
    await expect(heading(page, 'This login link did not work')).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await widget(page).getByRole('button', { name: 'Go back' }).click();
    await expect(emailField(page)).toBeVisible();
  },
);

test(
  'a login link without an answer can be tried again',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, baseURL, trap }) => {
    trap.allow(/Failed to load resource: net::ERR_FAILED/);
    const config = bothTo(`${baseURL}/reset`, ALONE);
    const { address, login } = await forget(page, inbox, pageFor(demoPath, config));
    await page.route('**/magic_links/authenticate', (route) => route.abort());
    await page.goto(login);
    await expect(widget(page).getByText('Unable to contact our servers.')).toBeVisible();
    await page.unroute('**/magic_links/authenticate');
    await widget(page).getByRole('button', { name: 'Try again' }).click();
    await expectSignedIn(page, address);
  },
);
