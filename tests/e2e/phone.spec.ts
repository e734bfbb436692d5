import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { encode } from '../../demo/parts/codec.ts';
import { expect, test } from './fixtures.ts';
import { account, codeField, heading, signOut, widget } from './visitor.ts';

/** A number of San Francisco that no other test uses. */
const newNumber = (): string => `415${randomInt(2_000_000, 9_999_999)}`;
const nicely = (digits: string): string => `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
const abroad = (digits: string): string => `+1 ${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`;

const PHONE = { products: ['otp'], otpOptions: { methods: ['sms'] } };
const TABS = { products: ['otp'], otpOptions: { methods: ['sms', 'whatsapp', 'email'] } };
const INVALID = 'Phone number format is invalid. Ensure the phone number is in the E.164 format.';
const TABLES = /\/(standalone-)?max-[^/]*\.js$/u;

const open = (page: Page, demoPath: string, config: object = TABS) => page.goto(`${demoPath}?config=${encode(config)}`);
const field = (page: Page) => widget(page).getByRole('textbox', { name: 'Phone number' });
const country = (page: Page) => widget(page).getByRole('button', { name: /^Country/u });
const search = (page: Page) => widget(page).getByRole('combobox');
const tab = (page: Page, name: string) => widget(page).getByRole('tab', { name });
const send = (page: Page) => widget(page).getByRole('button', { name: /^Continue with/u });
const sends = (page: Page): string[] => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/otps/')) urls.push(new URL(request.url()).pathname);
  });
  return urls;
};

for (const [channel, name, tag] of [
  ['sms', 'Text', '@every'],
  ['whatsapp', 'WhatsApp', '@soak'],
] as const) {
  test(`signs in by ${channel}, from the number to the account and out`, { tag }, async ({ page, demoPath, inbox }) => {
    const digits = newNumber();
    await open(page, demoPath);
    await tab(page, name).click();
    await field(page).pressSequentially(digits);
    await expect(field(page)).toHaveValue(nicely(digits));
    await send(page).click();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at ${abroad(digits)}.`);
    const first = await inbox.codeFor(`+1${digits}`);
    expect((await inbox.messagesTo(`+1${digits}`)).map((message) => message.channel)).toEqual([channel]);

    await widget(page).getByRole('button', { name: 'Resend code' }).click();
    await expect(widget(page).getByRole('button', { name: 'Code sent' })).toBeVisible();
    const messages = await inbox.messagesTo(`+1${digits}`);
    expect(messages.map((message) => message.channel)).toEqual([channel, channel]);
    await codeField(page).fill(messages[0]?.code ?? first);
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
    await page.reload();
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
    await signOut(page);
    await expect(field(page)).toBeVisible();
  });
}

test('goes back to the number and the tab it was entered in', { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  const digits = newNumber();
  await open(page, demoPath);
  await tab(page, 'WhatsApp').click();
  await field(page).fill(digits);
  await send(page).click();
  await expect(heading(page, 'Enter passcode')).toBeVisible();
  await widget(page).getByRole('button', { name: 'Back' }).click();
  await expect(field(page)).toBeFocused();
  await expect(tab(page, 'WhatsApp')).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toHaveValue(nicely(digits));
  expect(await axe(page)).toEqual([]);
});

test('the tabs are used by keyboard alone', { tag: '@soak' }, async ({ page, demoPath }) => {
  await open(page, demoPath);
  // Until the code for the arrows is there, every tab is a stop of its own.
  await expect(tab(page, 'WhatsApp')).toHaveAttribute('tabindex', '-1');
  await tab(page, 'Text').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'WhatsApp')).toBeFocused();
  await expect(send(page)).toHaveText('Continue with WhatsApp');
  await page.keyboard.press('End');
  await expect(tab(page, 'Email')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(widget(page).getByRole('textbox', { name: 'Email address' })).toBeFocused();
  await page.keyboard.type('ada@');
  await page.keyboard.press('Shift+Tab');
  await expect(tab(page, 'Email')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Text')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(country(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('415');
  await expect(field(page)).toHaveValue('(415)');
  await tab(page, 'Email').click();
  await expect(widget(page).getByRole('textbox', { name: 'Email address' })).toHaveValue('ada@');
});

test('a country is chosen by keyboard alone', { tag: ['@every', '@soak'] }, async ({ page, demoPath }) => {
  await open(page, demoPath, PHONE);
  await field(page).pressSequentially('01512');
  await country(page).focus();
  await page.keyboard.press('Enter');
  await expect(search(page)).toBeFocused();
  await expect(widget(page).getByRole('option').first()).toContainText('United States');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(country(page)).toBeFocused();
  await expect(widget(page).getByRole('dialog')).toBeHidden();

  await page.keyboard.type('germ');
  await expect(widget(page).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await expect(country(page)).toHaveAccessibleName('Country: Germany, DE +49');
  await expect(widget(page).getByText('Country: Germany, DE +49')).toBeAttached();
  await page.keyboard.press('End');
  await page.keyboard.type('3456789');
  await expect(field(page)).toHaveValue('01512 3456789');
  await page.keyboard.press('Enter');
  await expect(widget(page)).toContainText('A 6-digit passcode was sent to you at +49 1512 3456789.');
});

test(
  'the list of countries: by mouse, left by Tab and by a press outside, in both themes and at 320 px',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    await open(page, demoPath, { ...PHONE, defaultCountry: 'CH' });
    await expect(country(page)).toHaveAccessibleName('Country: Switzerland, CH +41');
    expect(await axe(page)).toEqual([]);
    await country(page).click();
    await expect(widget(page).getByRole('option').first()).toContainText('Switzerland');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await axe(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await search(page).fill('zzz');
    await expect(widget(page).getByText('No country found')).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await search(page).fill('+81');
    await widget(page).getByRole('option', { name: /Japan/u }).click();
    await expect(country(page)).toHaveAccessibleName('Country: Japan, JP +81');

    await country(page).click();
    await page.keyboard.press('Tab');
    await expect(send(page)).toBeFocused();
    await expect(search(page)).toBeHidden();
    await country(page).click();
    await heading(page, 'Sign up or log in').click();
    await expect(search(page)).toBeHidden();
  },
);

test('in a shadow root the list of countries works alike', { tag: '@soak' }, async ({ page, demoPath }) => {
  await open(page, demoPath, { ...PHONE, enableShadowDOM: true });
  await country(page).click();
  await expect(search(page)).toBeFocused();
  await page.keyboard.type('fr');
  await widget(page)
    .getByRole('option', { name: /France/u })
    .click();
  await expect(country(page)).toHaveAccessibleName('Country: France, FR +33');
  await expect(field(page)).toBeFocused();
  await country(page).click();
  await heading(page, 'Sign up or log in').click();
  await expect(search(page)).toBeHidden();
});

test('a number that is pasted with a plus picks its country', { tag: '@soak' }, async ({ page, demoPath, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, demoPath, PHONE);
  await page.evaluate(() => navigator.clipboard.writeText('\u202A+44 7400 123456\u202C'));
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(country(page)).toHaveAccessibleName('Country: United Kingdom, GB +44');
  await expect(field(page)).toHaveValue('07400 123456');
});

test('the caret stays where a digit is corrected', { tag: '@soak' }, async ({ page, demoPath }) => {
  await open(page, demoPath, PHONE);
  await field(page).pressSequentially('4155552671');
  await expect(field(page)).toHaveValue('(415) 555-2671');
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('6');
  expect(await field(page).evaluate((input) => (input as HTMLInputElement).selectionStart)).toBe(6);
  await page.keyboard.type('7');
  expect(await field(page).evaluate((input) => (input as HTMLInputElement).selectionStart)).toBe(7);
});

test(
  'what is no number is said at the field, and nothing is sent',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    const urls = sends(page);
    await open(page, demoPath, PHONE);
    for (const text of ['', '555-01', 'call me', '+1 415']) {
      await field(page).fill(text);
      await send(page).click();
      await expect(widget(page).getByText(INVALID)).toBeVisible();
      await expect(field(page)).toBeFocused();
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(field(page)).toHaveAccessibleDescription(INVALID);
      await field(page).pressSequentially('1');
      await expect(widget(page).getByText(INVALID)).toBeHidden();
    }
    await send(page).click();
    await expect(widget(page).getByText(INVALID)).toBeVisible();
    expect(await axe(page)).toEqual([]);
    expect(urls).toEqual([]);
  },
);

test('the banner shows the server’s refusal', { tag: '@soak' }, async ({ page, demoPath, trap }) => {
  trap.allow(/Failed to load resource: the server responded with a status of 4\d\d/);
  await page.route('**/otps/sms/login_or_create', (route) =>
    route.fulfill({
      status: 400,
      headers: {
        'access-control-allow-origin': new URL(page.url()).origin,
        'access-control-allow-credentials': 'true',
      },
      json: { status_code: 400, error_type: 'unsubscribed_phone_number', error_message: 'x', error_url: 'x' },
    }),
  );
  await open(page, demoPath);
  await field(page).fill(newNumber());
  await send(page).click();
  await expect(widget(page).getByRole('alert').filter({ hasText: 'START' })).toBeVisible();
  await expect(widget(page).getByText(INVALID)).toBeHidden();
  await tab(page, 'WhatsApp').click();
  await expect(widget(page).getByRole('alert').filter({ hasText: 'START' })).toHaveCount(0);
});

test(
  'without the tables a number goes out as it was typed, and one sees where to',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/Failed to load resource/);
    let blocked = 0;
    await page.route(TABLES, async (route) => {
      blocked += 1;
      await route.abort();
    });
    const digits = newNumber();
    await open(page, demoPath, PHONE);
    await field(page).pressSequentially(digits);
    await send(page).click();
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at +1 ${digits}.`);
    expect(blocked).toBeGreaterThan(0);
    await codeField(page).fill(await inbox.codeFor(`+1${digits}`));
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  },
);

test(
  'the tables and the countries are no part of a page that asks for neither',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await open(page, demoPath, PHONE);
    await expect(country(page)).toHaveAccessibleName('Country: United States, US +1');
    await page.waitForLoadState('networkidle');
    expect(loaded.filter((url) => TABLES.test(url))).toEqual([]);
    const tables = page.waitForRequest(TABLES);
    await field(page).focus();
    await tables;
  },
);
