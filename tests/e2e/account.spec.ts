import { Secret, TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { savedFile } from './saved-file.ts';
import { askForCode, codeField, hasFocus, heading, newAddress, otherThan, widget } from './visitor.ts';
import { pathFor, button, section, enter, events } from './account-page.ts';

const APP = process.env['PORTICO_APP_URL'] ?? '';

const field = (page: Page, name: string) => widget(page).getByRole('textbox', { name });

const totpOf = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });

test(
  'a name is saved, an address is added with a code, and the last way to sign in stays',
  { tag: '@every' },
  async ({ page, demoPath, inbox, trap }) => {
    // The wrong passcode, and a request that the sign-out overtakes.
    trap.allow(/40[14]/);
    const address = await enter(page, pathFor(demoPath), inbox);
    const emails = section(page, 'Email addresses');

    await button(page, `Remove ${address}`).click();
    await expect(emails).toContainText('This is your only way to sign in.');
    await expect(button(page, 'Yes, remove')).toHaveCount(0);
    await button(page, 'Cancel').click();
    await expect(button(page, `Remove ${address}`)).toBeFocused();

    await button(page, 'Edit your name').click();
    await expect(field(page, 'First name')).toBeFocused();
    await field(page, 'First name').fill('<b>Ada</b>');
    await field(page, 'Last name').fill('Lovelace');
    await field(page, 'Last name').press('Enter');
    await expect(section(page, 'Profile')).toContainText('<b>Ada</b> Lovelace');
    await expect(section(page, 'Profile').getByText('Your name was saved.')).toBeVisible();
    await expect(button(page, 'Edit your name')).toBeFocused();

    await button(page, 'Add an email address').click();
    await field(page, 'Email address').fill('nobody');
    await button(page, 'Send a code').click();
    await expect(emails).toContainText('Invalid email address.');
    const second = newAddress();
    await expect(field(page, 'Email address')).toBeFocused();
    await field(page, 'Email address').press('ControlOrMeta+A');
    await field(page, 'Email address').pressSequentially(second);
    await button(page, 'Send a code').click();
    await expect(codeField(page)).toBeFocused();
    const code = await inbox.codeFor(second);
    await codeField(page).pressSequentially(otherThan(code));
    await expect(emails).toContainText('Invalid passcode, please try again.');
    await codeField(page).pressSequentially(code);
    await expect(emails.getByRole('listitem')).toHaveCount(2);
    await expect(emails).toContainText('The email address was verified.');

    await button(page, `Remove ${address}`).click();
    await button(page, 'Yes, remove').click();
    await expect(emails.getByRole('listitem')).toHaveText([/^\S+ Verified/]);
    await expect(emails.getByRole('heading')).toBeFocused();
    await expect.poll(() => events(page)).toEqual(['nameChanged', 'emailAdded', 'emailRemoved']);

    await page.reload();
    await expect(section(page, 'Profile')).toContainText('<b>Ada</b> Lovelace');
    await button(page, 'Sign out').click();
    await expect(heading(page, 'You are signed out')).toBeFocused();
  },
);

test(
  'an authenticator app is set up, and a new session needs its code before a change',
  { tag: ['@every', '@soak'] },
  async ({ page, browser, demoPath, inbox, trap, launchOptions }) => {
    trap.allow(/40[034]/);
    const address = await enter(page, pathFor(demoPath), inbox);
    const totp = section(page, 'Authenticator app');
    await button(page, 'Set up an authenticator app').click();
    await expect(totp.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    // The next label does not touch the key, and the text begins beside the heading.
    const [secretBox, label, titleBox, hint] = await Promise.all(
      [
        totp.locator('[data-part=entry]:has([data-part=secret])'),
        totp.getByText('Code from your authenticator app'),
        totp.getByRole('heading'),
        totp.getByText('Scan this code'),
      ].map(async (part) => part.boundingBox()),
    );
    expect(label!.y - secretBox!.y - secretBox!.height).toBeGreaterThanOrEqual(12);
    expect(Math.abs(hint!.y - titleBox!.y)).toBeLessThanOrEqual(4);
    const secret = await totp.locator('[data-part=secret]').innerText();
    const code = totpOf(secret).generate();
    await field(page, 'Code from your authenticator app').fill(otherThan(code, 7));
    await button(page, 'Turn on').click();
    await expect(totp.getByRole('alert').filter({ hasText: 'passcode' })).toBeVisible();
    await field(page, 'Code from your authenticator app').fill(code);
    const whole = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 640 });
    await button(page, 'Turn on').click();
    await expect(totp.getByRole('heading', { name: 'Recovery codes' })).toBeInViewport();
    await expect(totp.getByText('Your authenticator app is turned on.')).toBeInViewport();
    await page.setViewportSize(whole);
    const recovery = totp.locator('[data-part=codes] li');
    await expect(recovery).toHaveCount(10);
    const codes = await recovery.allInnerTexts();
    const text = await savedFile(page, launchOptions, 'recovery-codes.txt', codes[0] ?? '', () =>
      totp.getByRole('button', { name: 'Download', exact: true }).click(),
    );
    expect(codes.filter((one) => !text.includes(one))).toEqual([]);
    await button(page, 'I have saved them').click();
    await expect(totp).toContainText('Turned on');

    const context = await browser.newContext();
    trap.watch(context);
    const other = await context.newPage();
    await enter(other, pathFor(demoPath), inbox, address);
    await button(other, 'Remove the authenticator app').click();
    await button(other, 'Yes, remove').click();
    await expect(heading(other, 'Confirm that it is you')).toBeVisible();
    await expect(field(other, 'Code from your authenticator app')).toBeFocused();
    await button(other, 'Use a recovery code').click();
    await expect(field(other, 'Recovery code')).toBeFocused();
    await field(other, 'Recovery code').fill('none-none-none');
    await button(other, 'Confirm').click();
    await expect(section(other, 'Authenticator app')).toContainText('This recovery code is wrong or was used.');
    await field(other, 'Recovery code').fill(codes[0] ?? '');
    await button(other, 'Confirm').click();
    // The change that was asked for goes on by itself.
    await expect(section(other, 'Authenticator app')).toContainText('The authenticator app was removed.');
    await expect(button(other, 'Set up an authenticator app')).toBeVisible();
    await expect.poll(() => events(other)).toEqual(['totpRemoved']);
    await context.close();
  },
);

test(
  'a passkey is created, renamed and deleted, and a password is set',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox }) => {
    await context.credentials.install();
    await enter(page, pathFor(demoPath), inbox);
    const rows = section(page, 'Existing Passkeys').getByRole('listitem');
    await button(page, 'Create a passkey').click();
    await expect(rows).toHaveCount(1);
    await button(page, /^Rename /).click();
    await field(page, 'Name of the passkey').fill('My laptop');
    await field(page, 'Name of the passkey').press('Enter');
    await expect(rows.locator('[data-part=passkey-name]')).toHaveText(['My laptop']);
    await button(page, 'Delete My laptop').click();
    await widget(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(rows).toHaveCount(0);

    await button(page, 'Set a password').click();
    const password = widget(page).getByLabel('New password');
    await expect.poll(() => hasFocus(password)).toBe(true);
    await password.fill('a long phrase nobody says');
    await expect(button(page, 'Continue')).toBeEnabled();
    await button(page, 'Continue').click();
    await expect(section(page, 'Password')).toContainText('You have a password.');
    await expect.poll(() => events(page)).toEqual(['passkeyAdded', 'passkeyRenamed', 'passkeyRemoved', 'passwordSet']);
  },
);

test('a connected app loses its access', { tag: ['@every', '@soak'] }, async ({ page, demoPath, inbox }) => {
  await page.goto(APP);
  const app = await page.locator('header strong').innerText();
  await page.getByRole('button', { name: 'Sign in with Portico' }).click();
  const address = newAddress();
  await askForCode(page, address);
  await codeField(page).pressSequentially(await inbox.codeFor(address));
  await button(page, 'Allow').click();
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await page.goto(pathFor(demoPath));
  const apps = section(page, 'Connected apps');
  await expect(apps.getByRole('listitem').first()).toContainText(app);
  await expect(apps).toContainText('Confirm who you are');
  await button(page, `Revoke access: ${app}`).click();
  await button(page, /^Revoke access$/).click();
  await expect(apps).toContainText('No app has access to your account.');
  await expect(apps).toContainText('The app no longer has access.');
});

test(
  'the page has no accessibility faults, fits into 320 px, and speaks Arabic from the right',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, axe }) => {
    await enter(page, pathFor(demoPath), inbox);
    const settled = () =>
      page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settled();
        expect(await axe(page)).toEqual([]);
      }
    };
    await expect(button(page, 'Add a phone number')).toBeVisible();
    await look();
    await button(page, 'Set up an authenticator app').click();
    await expect(widget(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    await look();
    await page.setViewportSize({ width: 320, height: 700 });
    const overflows = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await overflows()).toBe(false);
    await page.goto(`/account?language=ar`);
    await expect(heading(page, 'حسابك')).toBeVisible();
    await expect(widget(page).locator('[data-portico]')).toHaveAttribute('dir', 'rtl');
    expect(await overflows()).toBe(false);
  },
);
