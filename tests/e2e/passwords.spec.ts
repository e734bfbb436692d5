import { expect, test } from './fixtures.ts';
import {
  ALONE,
  choose,
  enter,
  FINISH,
  GOOD,
  goOn,
  haveAccount,
  logIn,
  pageFor,
  passwordField,
  signUp,
  WITH_CODE,
  WITH_LINK,
} from './password-visitor.ts';
import {
  codeField,
  emailField,
  expectSignedIn,
  expectSignedOut,
  heading,
  logOut,
  newAddress,
  sendButton,
  widget,
} from './visitor.ts';

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

test('sign up with a password, log out, log in with it', { tag: '@every' }, async ({ page, demoPath }) => {
  const address = newAddress();
  await page.goto(pageFor(demoPath, ALONE));
  await signUp(page, address);
  await expectSignedIn(page, address);
  await logOut(page).click();
  await expectSignedOut(page);
  await logIn(page, address);
  await expectSignedIn(page, address);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect(kept).not.toContain(GOOD);
  expect(await page.content()).not.toContain(GOOD);
});

test(
  'a suggested passphrase is good enough, and is nowhere when it has been used',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, axe }) => {
    const address = newAddress();
    await page.goto(pageFor(demoPath, ALONE));
    await enter(page, address, FINISH);
    await widget(page).getByRole('button', { name: 'Suggest a passphrase' }).click();
    const group = widget(page).getByRole('group', { name: 'Suggested passphrase' });
    await expect(group).toBeFocused();
    expect(await axe(page)).toEqual([]);
    const phrase = (await group.locator('code').textContent()) ?? '';
    expect(phrase).toMatch(/^(?:[a-z]{3,5}-){4}[a-z]{3,5}$/u);
    await group.getByRole('button', { name: 'Use this' }).click();
    await expect(passwordField(page)).toHaveValue(phrase);
    await expect(passwordField(page)).toHaveAttribute('type', 'text');
    await goOn(page).click();
    await expectSignedIn(page, address);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept + (await page.content())).not.toContain(phrase);
  },
);

test(
  'a wrong password shows an error, and the right one is accepted then',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, trap, axe }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await haveAccount(address, GOOD);
    await page.goto(pageFor(demoPath, ALONE));
    await logIn(page, address, 'not the one');
    await expect(widget(page).getByText('Unauthorized credentials.')).toBeVisible();
    await expect(passwordField(page)).toBeFocused();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.type(GOOD);
    await expect(widget(page).getByText('Unauthorized credentials.')).toBeHidden();
    await page.keyboard.press('Enter');
    await expectSignedIn(page, address);
  },
);

test(
  'a user without a password enters a code there',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await haveAccount(address);
    await page.goto(pageFor(demoPath, WITH_CODE));
    await enter(page, address, 'Enter passcode');
    await expect(codeField(page)).toBeFocused();
    await page.keyboard.type(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
);

test(
  'a user without a password gets a link, or an email to set one',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, context, trap }) => {
    // The pair of the reset mail is tried first (specification, section 4).
    trap.allow(/400 .*magic_links\/authenticate/);
    const address = newAddress();
    await haveAccount(address);
    await page.goto(pageFor(demoPath, WITH_LINK));
    await enter(page, address, 'Check your email');
    await widget(page).getByRole('button', { name: 'Create a password instead' }).click();
    await expect(heading(page, 'Check your email!')).toBeVisible();
    await expect(widget(page)).toContainText(`A login link was sent to you at ${address}.`);
    await widget(page).getByRole('button', { name: 'Back' }).click();
    await expect(emailField(page)).toHaveValue(address);
    // The address is not filled in again: the driver of Firefox appends to the text of a field, where keys replace what is selected.
    await sendButton(page).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    const opened = await context.newPage();
    await opened.goto(await inbox.linkFor(address));
    await expectSignedIn(opened, address);
    await expectSignedIn(page, address);
  },
);

test(
  'a person who registered the address meanwhile must prove it by email',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(pageFor(demoPath, ALONE));
    await enter(page, address, FINISH);
    await haveAccount(address);
    await choose(page, GOOD);
    await goOn(page).click();
    await expect(heading(page, 'Check your email to set a new password!')).toBeVisible();
    expect((await inbox.messagesTo(address))[0]?.subject).toContain('Set a new password');
  },
);

test(
  'a password that was breached elsewhere gets a reset email',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap, axe }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await haveAccount(address, GOOD);
    await page.goto(pageFor(demoPath, ALONE));
    // The provider's own list has no password that could be signed up with.
    await page.route('**/passwords/authenticate', (route) =>
      route.fulfill({
        status: 400,
        headers: {
          'access-control-allow-origin': new URL(page.url()).origin,
          'access-control-allow-credentials': 'true',
        },
        json: {
          status_code: 400,
          request_id: 'r',
          error_type: 'reset_password',
          error_message: '',
          error_url: '',
          error_details: { reason: 'breached' },
        },
      }),
    );
    await logIn(page, address);
    await expect(
      widget(page).getByRole('heading', { name: 'Check your email to set a new password', exact: true }),
    ).toBeVisible();
    await expect(
      widget(page).getByText(/^Another site where you use the same password had a security issue/),
    ).toBeVisible();
    expect(await axe(page)).toEqual([]);
    expect((await inbox.messagesTo(address))[0]?.subject).toContain('Set a new password');
  },
);

test('a send that fails can be tried again', { tag: '@soak' }, async ({ page, demoPath, trap }) => {
  trap.allow(/Failed to load resource: net::ERR_FAILED/);
  const address = newAddress();
  await haveAccount(address);
  await page.route('**/magic_links/email/login_or_create', (route) => route.abort());
  await page.goto(pageFor(demoPath, WITH_LINK));
  await enter(page, address, 'Log In');
  await expect(widget(page).getByText('Unable to contact our servers.')).toBeVisible();
  await page.unroute('**/magic_links/email/login_or_create');
  await widget(page).getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
});

test('signing up takes the keyboard alone', { tag: '@soak' }, async ({ page, demoPath }) => {
  const address = newAddress();
  await page.goto(pageFor(demoPath, WITH_LINK));
  await emailField(page).focus();
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(GOOD);
  await page.keyboard.press('Tab');
  await expect(widget(page).getByRole('button', { name: 'Show password' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(passwordField(page)).toHaveAttribute('type', 'text');
  await expect(goOn(page)).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Tab');
  await expect(widget(page).getByRole('button', { name: 'Suggest a passphrase' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(goOn(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectSignedIn(page, address);
});
