/** Two apps of the reference client, of which the import path alone was changed, in front of the real provider. */
import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test, type Inbox } from './fixtures.ts';
import { BETTER, GOOD } from './password-visitor.ts';
import { newAddress } from './visitor.ts';

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const email = (page: Page) => page.getByRole('textbox', { name: /email/i });
const password = (page: Page) => page.getByLabel(/^(New p|P)assword$/);
const events = (page: Page) => page.getByRole('list', { name: 'Events' });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });

async function goOnWith(page: Page, address: string): Promise<void> {
  await email(page).fill(address);
  await button(page, 'Continue with email').click();
}

async function choose(page: Page, newPassword: string): Promise<void> {
  await password(page).fill(newPassword);
  await expect(goOn(page)).not.toHaveAttribute('aria-disabled', 'true');
  await goOn(page).click();
}

async function signInByText(page: Page, inbox: Inbox): Promise<void> {
  const national = `415555${String(randomInt(10_000)).padStart(4, '0')}`;
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.getByLabel('Phone number').fill(national);
  await button(page, 'Continue with text').click();
  await page.getByRole('textbox', { name: /passcode/i }).fill(await inbox.codeFor(`+1${national}`));
  await expect(page.getByText(`Signed in as +1${national}`)).toBeVisible();
}

test.describe('an app of the vanilla package, 5.x', () => {
  const APP = '/compat/vanilla-5';

  test('shows its styles and strings, and nothing that axe objects to', { tag: '@soak' }, async ({ page, axe }) => {
    await page.goto(APP);
    await expect(page.getByRole('heading', { name: 'Come in' })).toBeVisible();
    await expect(button(page, 'Continue with email')).toHaveCSS('background-color', 'rgb(194, 65, 12)');
    await expect(button(page, 'Continue with email')).toHaveCSS('font-family', /Georgia/);
    expect(await axe(page)).toEqual([]);
  });

  test('signs in by a link, tells its events, and signs out', async ({ page, inbox, trap }) => {
    const address = newAddress();
    await page.goto(APP);
    await goOnWith(page, address);
    await expect(events(page)).toHaveText(`sent a link to ${address}`);
    const link = await inbox.linkFor(address);
    await page.goto(link);
    await expect(page.getByText(`Signed in as ${address}, 1 factor(s)`)).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await expect(page.getByText(`Signed in as ${address}`)).toBeVisible();
    await button(page, 'Sign out').click();
    await expect(page.getByRole('heading', { name: 'Come in' })).toBeVisible();
    // The link is used: what the client throws is an instance of the class that the app imports.
    trap.allow(REFUSED);
    await page.goto(link);
    await expect(events(page)).toHaveText(/^4\d\d unable_to_auth_magic_link$/);
  });

  test('signs in by a text message', { tag: '@soak' }, async ({ page, inbox }) => {
    await page.goto(APP);
    await signInByText(page, inbox);
    // The app has taken the widget away by now.
    await expect(page.locator('#login')).toHaveCount(0);
    await expect(events(page).getByRole('listitem')).toHaveText([
      'OTP_LOGIN_OR_CREATE',
      /^code of \S+ verified$/,
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
  });
});

test.describe('an app of the React package, 6.x', () => {
  const APP = '/compat/react-6';

  test(
    'shows its theme for the light and for the dark, and nothing that axe objects to',
    { tag: '@soak' },
    async ({ page, axe }) => {
      for (const [colorScheme, color] of [
        ['light', 'rgb(67, 56, 202)'],
        ['dark', 'rgb(165, 180, 252)'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(APP);
        await expect(page.getByRole('heading', { name: 'Welcome to the orchard' })).toBeVisible();
        await expect(button(page, 'Continue with email')).toHaveCSS('background-color', color);
        expect(await axe(page), colorScheme).toEqual([]);
      }
    },
  );

  test('signs up with a password, out, and in by a new one', { tag: '@soak' }, async ({ page, inbox }) => {
    const address = newAddress();
    await page.goto(APP);
    await goOnWith(page, address);
    await choose(page, GOOD);
    await expect(page.getByText(new RegExp(`Signed in as ${address} until 20\\d\\d-`))).toBeVisible();
    await expect(page.getByText('Documents: may')).toBeVisible();
    // The app has taken the widget away by now.
    await expect(page.locator('[data-portico]')).toHaveCount(0);
    await expect(events(page).getByRole('listitem')).toHaveText(['PASSWORD_CREATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    await page.reload();
    await expect(page.getByText(`Signed in as ${address}`)).toBeVisible();
    await button(page, 'Sign out').click();

    await goOnWith(page, address);
    await button(page, 'Lost it?').click();
    await expect(events(page)).toContainText('PASSWORD_RESET_BY_EMAIL_START');
    await page.goto(await inbox.linkFor(address));
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
    await choose(page, BETTER);
    await expect(page.getByText(`Signed in as ${address}`)).toBeVisible();
  });

  test(
    'signs in by a text message, and receives the events after the widget is gone',
    { tag: '@soak' },
    async ({ page, inbox }) => {
      await page.goto(APP);
      await signInByText(page, inbox);
      await expect(page.locator('[data-portico]')).toHaveCount(0);
      await expect(events(page).getByRole('listitem')).toHaveText([
        'OTP_LOGIN_OR_CREATE',
        'OTP_AUTHENTICATE',
        'AUTHENTICATE_FLOW_COMPLETE',
      ]);
    },
  );

  test('signs in by a social account that comes back in the address', { tag: '@soak' }, async ({ page }) => {
    await page.goto(APP);
    await button(page, 'Continue with Google').click();
    await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
    const address = newAddress();
    await page.getByLabel('Another email address').fill(address);
    await goOn(page).click();
    await expect(page.getByText(`Signed in as ${address}`)).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
  });
});
