/** What a visitor with a password does. */
import type { Locator, Page } from '@playwright/test';
import { controlOf } from '#composition/control/provider-control.ts';
import { expect, type Inbox } from './fixtures.ts';
import { emailField, heading, newAddress, sendButton, widget } from './visitor.ts';

/** Nobody's: long, and on no list. */
export const GOOD = 'quiver Ozone 41 lamp';
export const BETTER = 'brine / Lantern 77 moss';

export const ALONE = { products: ['passwords'] };
export const WITH_LINK = { products: ['passwords', 'emailMagicLinks'] };
export const WITH_CODE = { products: ['passwords', 'otp'], otpOptions: { methods: ['email'] } };

/** An account with that password, or without one. Where signing up is not what is tested, a walk through it takes seconds. */
export async function haveAccount(email: string, password?: string): Promise<void> {
  await controlOf(process.env['PORTICO_PROVIDER_URL'] ?? '').seed({ email, ...(password && { password }) });
}

/** The demo page with exactly this configuration. */
export const pageFor = (demoPath: string, config: object): string =>
  `${demoPath}?config=${Buffer.from(JSON.stringify(config)).toString('base64url')}`;

export const passwordField = (page: Page): Locator => widget(page).getByLabel(/^(New p|P)assword$/);
export const goOn = (page: Page): Locator => widget(page).getByRole('button', { name: 'Continue', exact: true });

/** From the open page to what the address leads to. */
export async function enter(page: Page, address: string, title: string): Promise<void> {
  await emailField(page).fill(address);
  await sendButton(page).click();
  await expect(heading(page, title)).toBeVisible();
}

/** Somebody with a password says that it is forgotten; answers the two links of the mail. */
export async function forget(page: Page, inbox: Inbox, url: string) {
  const address = newAddress();
  await haveAccount(address, GOOD);
  await page.goto(url);
  await enter(page, address, 'Log In');
  await widget(page).getByRole('button', { name: 'Forgot Password?' }).click();
  await expect(heading(page, 'Forgot password?')).toBeVisible();
  await expect(widget(page)).toContainText(address);
  const reset = await inbox.linkFor(address);
  const [mail] = await inbox.messagesTo(address);
  const login = /https?:\S+stytch_token_type=login\S*/u.exec(mail?.text ?? '')?.[0] ?? '';
  return { address, reset, login };
}

/** Types a new password and waits until it may be used. */
export async function choose(page: Page, password: string): Promise<void> {
  await passwordField(page).fill(password);
  await expect(goOn(page)).not.toHaveAttribute('aria-disabled', 'true');
}

export const FINISH = 'Finish creating your account by setting a password.';

export async function signUp(page: Page, address: string, password = GOOD): Promise<void> {
  await enter(page, address, FINISH);
  await choose(page, password);
  await goOn(page).click();
}

export async function logIn(page: Page, address: string, password = GOOD): Promise<void> {
  await enter(page, address, 'Log In');
  await passwordField(page).fill(password);
  await goOn(page).click();
}
