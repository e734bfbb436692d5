/** Texts that an input method composes, in Chromium, with both builds. */
import type { Page } from '@playwright/test';
import { encode } from '../../demo/parts/codec.ts';
import { expect, test } from './fixtures.ts';
import { fullWidth, InputMethod } from './input-method.ts';
import { askForCode, codeField, emailField, expectSignedIn, newAddress, sendButton, widget } from './visitor.ts';

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** The bodies of the requests that are sent to a path. */
async function sent(page: Page, path: string): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'POST') bodies.push(route.request().postDataJSON());
    await route.fallback();
  });
  return bodies;
}

const phoneField = (page: Page) => widget(page).getByRole('textbox', { name: 'Phone number' });
const openPhone = async (page: Page, build: string, defaultCountry: string): Promise<void> => {
  await page.goto(`${build}?config=${encode({ products: ['otp'], otpOptions: { methods: ['sms'] }, defaultCountry })}`);
  await phoneField(page).click();
};

for (const build of ['/', '/standalone']) {
  test(`a passcode is entered digit by digit, at ${build}`, async ({ page, inbox, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(build);
    await askForCode(page, address);
    const requests = await sent(page, '/otps/authenticate');
    const method = await InputMethod.of(page);
    await codeField(page).click();
    await method.type(fullWidth('542242'));
    await expect(widget(page)).toContainText('Invalid passcode, please try again.');
    expect(requests).toMatchObject([{ token: '542242' }]);
    await method.type(fullWidth(await inbox.codeFor(address)));
    await expectSignedIn(page, address);
    expect(requests).toHaveLength(2);
  });

  test(`a passcode is entered as one composition, at ${build}`, async ({ page, inbox, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(build);
    await askForCode(page, address);
    const requests = await sent(page, '/otps/authenticate');
    const method = await InputMethod.of(page);
    await codeField(page).click();
    const code = fullWidth('542242');
    await method.composeAll(code);
    await expect(codeField(page)).toHaveValue(code);
    await expect(widget(page).locator('[data-part=box]')).toHaveText(Array.from('542242'));
    expect(requests).toEqual([]);
    await method.commit(code);
    await expect(widget(page)).toContainText('Invalid passcode, please try again.');
    expect(requests).toMatchObject([{ token: '542242' }]);
    const right = await inbox.codeFor(address);
    await method.composeAll(fullWidth(right));
    await method.commit(right);
    await expectSignedIn(page, address);
    expect(requests).toHaveLength(2);
  });

  test(`a telephone number is entered in both ways, at ${build}`, async ({ page }) => {
    const method = await InputMethod.of(page);
    const [digits, formatted] = ['15112345678', '1 (511) 234-5678'];
    await openPhone(page, build, 'US');
    await phoneField(page).pressSequentially(digits);
    await expect(phoneField(page)).toHaveValue(formatted);
    await openPhone(page, build, 'US');
    await method.type(fullWidth(digits));
    await expect(phoneField(page)).toHaveValue(formatted);
    await openPhone(page, build, 'DE');
    await method.composeAll(fullWidth(digits));
    await expect(phoneField(page)).toHaveValue(fullWidth(digits));
    await method.commit(fullWidth(digits));
    await expect(phoneField(page)).toHaveValue(digits);
    const requests = await sent(page, '/otps/sms/login_or_create');
    await sendButton(page).click();
    await expect(widget(page)).toContainText('+49 1511 2345678');
    expect(requests).toMatchObject([{ phone_number: '+4915112345678' }]);
  });

  test(`Enter sends no form during a composition, at ${build}`, async ({ page }) => {
    await page.goto(build);
    const requests = await sent(page, '/otps/**');
    const method = await InputMethod.of(page);
    await emailField(page).click();
    await method.compose('ada@example.com');
    await page.keyboard.press('Enter');
    await expect(emailField(page)).toHaveValue('ada@example.com');
    await method.commit('ada@example.com');
    await expect(emailField(page)).toHaveValue('ada@example.com');
    expect(requests).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(codeField(page)).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  test(`an address keeps the letters of its domain, typed and composed, at ${build}`, async ({ page }) => {
    const method = await InputMethod.of(page);
    const open = async (): Promise<void> => {
      await page.goto(build);
      // Its code, which loads when a person types, keeps the letters.
      await emailField(page).pressSequentially('ada@gmial.com');
      await expect(widget(page).getByRole('button', { name: 'Did you mean ada@gmail.com?' })).toBeVisible();
      await emailField(page).fill('');
    };
    await open();
    await page.keyboard.type('ada@straße.example');
    await expect(emailField(page)).toHaveValue('ada@straße.example');
    await open();
    await page.keyboard.type('ada@');
    await method.composeAll('straße');
    await method.commit('straße');
    await page.keyboard.type('.example');
    await expect(emailField(page)).toHaveValue('ada@straße.example');
  });
}
