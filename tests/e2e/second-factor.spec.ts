import { controlOf } from '#composition/control/provider-control.ts';
import { addAuthenticator } from './authenticator.ts';
import { expect } from './fixtures.ts';
import { addApp, App, appCodeField, button, leave, proveEmail, recoveryLinkFor, test } from './mfa-host.ts';
import { BETTER, choose, FINISH, GOOD, goOn, enter, logIn, pageFor, ALONE } from './password-visitor.ts';
import { savedFile } from './saved-file.ts';
import { expectSignedIn, heading, newAddress, widget } from './visitor.ts';

// One site serves all of them.
test.describe.configure({ mode: 'default' });
test.afterEach(({ site }) => controlOf(site.provider).reset());

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
/** What a frame of the page would have printed. */
interface PrintingWindow {
  readonly printed?: string;
}
interface WatchedWindow {
  readonly texts: readonly string[];
}

const CONFIRM = 'Confirm that it is you';

test(
  'the first login adds an authenticator app and its recovery codes, the next one asks for a code',
  { tag: '@every' },
  async ({ page, demoPath, inbox, control, axe, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    await expect(heading(page, 'Protect your account')).toBeVisible();
    expect(await axe(page)).toEqual([]);

    await button(page, 'Use an authenticator app').click();
    await expect(heading(page, 'Add this account to your app')).toBeFocused();
    await expect(widget(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    const key = await widget(page).locator('[data-part=secret]').innerText();
    // Groups of four, for people who type it.
    expect(key).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/u);
    const app = new App(key, control);

    await button(page, 'Continue').click();
    await expect(heading(page, 'Save your recovery codes')).toBeFocused();
    const codes = await widget(page).locator('[data-part=codes] code').allInnerTexts();
    expect(codes).toHaveLength(10);
    await button(page, 'I have saved them').click();
    await expect(appCodeField(page)).toBeFocused();
    await appCodeField(page).fill(await app.code());
    await expectSignedIn(page, address);

    await leave(page);
    await proveEmail(page, inbox, address);
    await expect(heading(page, CONFIRM)).toBeVisible();
    await expect(appCodeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
    expect(await axe(page)).toEqual([]);
    // A phone may discard the tab while its owner looks at the app.
    await page.reload();
    await appCodeField(page).pressSequentially('000000');
    await expect(widget(page).getByRole('alert').filter({ hasText: 'Invalid passcode' })).toBeVisible();
    await expect(appCodeField(page)).toBeFocused();
    await appCodeField(page).pressSequentially(await app.code());
    await expectSignedIn(page, address);
  },
);

test(
  'the key and the recovery codes can be copied, and the codes saved as a file and printed',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, context, launchOptions }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript(() => {
      window.print = () => Object.assign(window.top ?? window, { printed: document.body.innerText });
    });
    const copied = async (): Promise<string> => {
      await expect(button(page, 'Copied')).toBeVisible();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await page.goto(demoPath);
    await proveEmail(page, inbox, newAddress());
    await button(page, 'Use an authenticator app').click();
    const key = await widget(page).locator('[data-part=secret]').innerText();
    await button(page, 'Copy the key').click();
    expect(await copied()).toBe(key.replaceAll(' ', ''));
    await button(page, 'Continue').click();
    await expect(heading(page, 'Save your recovery codes')).toBeFocused();
    const codes = await widget(page).locator('[data-part=codes] code').allInnerTexts();
    await button(page, 'Copy the codes').click();
    expect(await copied()).toBe(codes.join('\n'));
    const [first = ''] = codes;
    const saved = await savedFile(page, launchOptions, 'recovery-codes.txt', first, () =>
      button(page, 'Download').click(),
    );
    expect(codes.filter((code) => !saved.includes(code))).toEqual([]);
    await button(page, 'Print').click();
    await expect.poll(() => page.evaluate(() => (window as unknown as PrintingWindow).printed)).toContain(codes[9]);
  },
);

test(
  'a recovery code replaces the app once',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, control, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    const { codes } = await addApp(page, control);
    await expectSignedIn(page, address);
    const [code = '', other = ''] = codes;
    const field = widget(page).getByRole('textbox', { name: 'Recovery code' });
    const begin = async (): Promise<void> => {
      await leave(page);
      await proveEmail(page, inbox, address);
      await button(page, 'Use another way').click();
      await button(page, 'Recovery code').click();
      await expect(field).toBeFocused();
    };

    await begin();
    await field.fill(code.toUpperCase());
    await field.press('Enter');
    await expectSignedIn(page, address);
    await begin();
    await field.fill(code);
    await field.press('Enter');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/recovery code/i);
    await field.fill(other);
    await field.press('Enter');
    await expectSignedIn(page, address);
  },
);

test(
  'a passkey is the second factor after a password, and a trusted browser is not asked',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(REFUSED);
    await addAuthenticator(page);
    const address = newAddress();
    await page.goto(pageFor(demoPath, ALONE));
    await enter(page, address, FINISH);
    await choose(page, GOOD);
    await goOn(page).click();
    await expect(heading(page, 'Protect your account')).toBeVisible();
    // This device can keep one: it is first.
    await expect(widget(page).locator('[data-part=ways] button').first()).toHaveText('Create a passkey');
    await button(page, 'Create a passkey').click();
    await expectSignedIn(page, address);

    await leave(page);
    await logIn(page, address);
    await expect(heading(page, CONFIRM)).toBeVisible();
    await widget(page).getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check();
    await button(page, 'Use a passkey').click();
    await expectSignedIn(page, address);

    await leave(page);
    await page.evaluate((title) => {
      const texts: string[] = [];
      const note = () =>
        texts.push(document.querySelector('#widget')?.textContent?.includes(title) ? 'asked' : 'not asked');
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
      Object.assign(window, { texts });
    }, CONFIRM);
    await logIn(page, address);
    await expectSignedIn(page, address);
    const texts = await page.evaluate(() => (window as unknown as WatchedWindow).texts);
    expect(new Set(texts)).toEqual(new Set(['not asked']));
  },
);

test(
  'the recovery of lost factors begins in the widget, and its message finishes it after the wait',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, site, axe, trap }) => {
    trap.allow(REFUSED);
    // The messages are sent at the time of all requests, not at that of a test.
    const everywhere = controlOf(site.provider);
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    await addApp(page, everywhere);
    await expectSignedIn(page, address);
    await leave(page);
    await proveEmail(page, inbox, address);
    await button(page, 'Lost everything?').click();
    await expect(heading(page, 'Recover your account')).toBeFocused();
    await expect(widget(page)).toContainText('24 hours');
    expect(await axe(page)).toEqual([]);
    await button(page, 'Begin the recovery').click();
    await expect(heading(page, 'The recovery has begun')).toBeFocused();
    expect(await axe(page)).toEqual([]);
    const link = await recoveryLinkFor(inbox, address);
    await button(page, 'Back to sign-in').click();

    // Until the wait is over, the link can only stop it.
    await page.goto(link);
    await expect(page.getByRole('button', { name: 'Stop the recovery' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove the second factors' })).toHaveCount(0);
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    await button(page, 'A recovery of your account is under way').click();
    await expect(heading(page, 'The recovery has begun')).toBeVisible();

    await everywhere.clock.move({ hours: 24 });
    const finish = await recoveryLinkFor(inbox, address, link);
    await page.goto(finish);
    await page.getByRole('button', { name: 'Remove the second factors' }).click();
    await expect(page.getByText('The second factors are removed.')).toBeVisible();
    await page.goto(demoPath);
    // The login that waited is over.
    await button(page, 'Back to sign-in').click();
    await proveEmail(page, inbox, address);
    await expect(heading(page, 'Protect your account')).toBeVisible();
  },
);

test(
  'a new password by email does not replace the second factor',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, control, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    // Its address is verified: else the reset would remove what somebody else may have added.
    await control.seed({ email: address, password: GOOD });
    await page.goto(pageFor(demoPath, ALONE));
    await logIn(page, address);
    const { app } = await addApp(page, control);
    await expectSignedIn(page, address);
    await leave(page);
    await enter(page, address, 'Log In');
    await button(page, 'Forgot Password?').click();
    await page.goto(await inbox.linkFor(address));
    await expect(heading(page, 'Reset your password')).toBeVisible();
    await choose(page, BETTER);
    await goOn(page).click();
    await expect(heading(page, CONFIRM)).toBeVisible();
    await appCodeField(page).fill(await app.code());
    await expectSignedIn(page, address);
  },
);
