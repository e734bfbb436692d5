import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForCode,
  emailField,
  expectSignedIn,
  heading,
  newAddress,
  playgroundPath,
  sendButton,
  widget,
} from './visitor.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Options' });
const product = (page: Page, name: string) =>
  panel(page)
    .getByRole('list', { name: /^Products/ })
    .getByRole('checkbox', { name });
const open = (page: Page, name: string) => panel(page).locator('summary').filter({ hasText: name }).click();
const trouble = (page: Page) => page.locator('#trouble');
const code = (page: Page) => page.locator('#code-panel');

test(
  'products can be chosen, and the widget changes at once',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath }) => {
    await page.goto(playgroundPath(demoPath));
    await product(page, 'Social logins').check();
    const google = widget(page).getByRole('button', { name: 'Continue with Google' });
    await expect(google).toBeVisible();
    await open(page, 'Social logins');
    await panel(page).getByRole('checkbox', { name: 'GitHub' }).check();
    await expect(widget(page).getByRole('button', { name: 'Continue with GitHub' })).toBeVisible();
    await panel(page).getByRole('button', { name: 'None' }).click();
    await expect(google).toHaveCount(0);
    await panel(page).getByRole('button', { name: 'All' }).click();
    await expect(widget(page).getByRole('button', { name: /^Continue with/ })).toHaveCount(20);
  },
);

test('products can be put in order, and the order is announced', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(playgroundPath(demoPath));
  await product(page, 'Social logins').check();
  const ordinal = async () => {
    const google = await widget(page).getByRole('button', { name: 'Continue with Google' }).boundingBox();
    const email = await emailField(page).boundingBox();
    return (google?.y ?? 0) < (email?.y ?? 0) ? 'social first' : 'email first';
  };
  await expect.poll(ordinal).toBe('email first');
  const up = panel(page).getByRole('button', { name: 'Move Social logins up' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect.poll(ordinal).toBe('social first');
  await expect(up).toBeFocused();
  await expect(panel(page).getByText('Social logins: place 1 of 2')).toBeAttached();
});

test('typed text stays while the look and the language change', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(playgroundPath(demoPath));
  await emailField(page).fill('kept@example.com');
  // The controls show what is drawn: the preset's colours and corners, in the scheme of the page.
  await panel(page)
    .getByRole('combobox', { name: /^Theme/ })
    .selectOption('ocean');
  const card = panel(page).getByLabel('Card', { exact: true });
  await expect(card).toHaveValue('#ffffff');
  await expect(panel(page).getByLabel('Field corners')).toHaveValue('10');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(card).toHaveValue('#0c1a2b');
  await page.emulateMedia({ colorScheme: 'light' });
  await panel(page)
    .getByRole('combobox', { name: /^Theme/ })
    .selectOption('brand');
  const background = () => sendButton(page).evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect.poll(background).toBe('rgb(91, 42, 134)');
  await expect(page).toHaveURL(/\?theme=brand$/);
  await panel(page).getByLabel('Button', { exact: true }).fill('#0b6623');
  const button = widget(page).locator('button[type=submit]');
  await expect
    .poll(() => button.evaluate((element) => getComputedStyle(element).backgroundColor))
    .toBe('rgb(11, 102, 35)');
  await panel(page).getByLabel('Language of the widget').selectOption('de');
  await expect(heading(page, 'Sign up or log in')).toHaveCount(0);
  await expect(widget(page).locator('input[type=email]')).toHaveValue('kept@example.com');
  await panel(page).getByLabel('Language of the widget').selectOption('ar');
  await expect(widget(page).locator('[dir=rtl]').first()).toBeVisible();
});

test(
  'the address holds every choice, for others and for going back',
  { tag: '@soak' },
  async ({ page, demoPath, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(playgroundPath(demoPath));
    await product(page, 'Email links').check();
    await expect(trouble(page)).toHaveText('Cannot use both EML and Email OTP');
    await product(page, 'One-time passcodes').uncheck();
    await expect(trouble(page)).toBeHidden();
    await panel(page).getByLabel('Card corners').fill('21');
    await panel(page).getByLabel('Card corners').press('Tab');
    await panel(page).getByLabel('Title').uncheck();
    await expect(heading(page, 'Sign up or log in')).toHaveCount(0);

    await page.getByRole('button', { name: 'Copy a link to this' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
    const shared = await context.newPage();
    await shared.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await expect(emailField(shared)).toBeVisible();
    await expect(heading(shared, 'Sign up or log in')).toHaveCount(0);
    await expect(product(shared, 'Email links')).toBeChecked();
    await expect(product(shared, 'One-time passcodes')).not.toBeChecked();
    await expect(panel(shared).getByLabel('Card corners')).toHaveValue('21');
    await expect(shared.getByRole('radio', { name: 'Link' })).toBeChecked();

    await page.goBack();
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
    await expect(panel(page).getByLabel('Title')).toBeChecked();
    await page.goBack();
    await page.goBack();
    await expect(trouble(page)).toHaveText('Cannot use both EML and Email OTP');
    await page.goBack();
    await expect(emailField(page)).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Passcode' })).toBeChecked();
  },
);

test(
  'another configuration starts over; another look shows on the screen that is there',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(playgroundPath(demoPath));
    await askForCode(page, newAddress());
    await panel(page)
      .getByRole('combobox', { name: /^Theme/ })
      .selectOption('dark');
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    await product(page, 'Passwords').check();
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
  },
);

test(
  'the test wallet stands in the page when it is chosen, and goes when another choice is made',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const hasWallet = () => page.evaluate(() => 'ethereum' in window);
    await page.goto(playgroundPath(demoPath));
    await expect(emailField(page)).toBeVisible();
    expect(await hasWallet()).toBe(false);
    await open(page, 'Wallets');
    await panel(page).getByLabel('Wallets on this page').selectOption('agrees');
    await expect(page).toHaveURL(/\?wallet=1$/);
    await product(page, 'Crypto wallets').check();
    await expect(widget(page).getByRole('button', { name: /Ethereum/ })).toBeVisible();
    expect(await hasWallet()).toBe(true);
    await page.goBack();
    await page.goBack();
    // The page loads anew, so the question may have to be asked again.
    await expect(async () => expect(await hasWallet()).toBe(false)).toPass();
  },
);

test('the code can be read in six forms and copied', { tag: '@soak' }, async ({ page, demoPath, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(playgroundPath(demoPath));
  await expect(code(page)).toContainText("from 'portico/standalone'");
  await expect(code(page)).toContainText("products: ['otp']");
  await page.getByRole('radio', { name: 'Link' }).check();
  await expect(code(page)).toContainText("products: ['emailMagicLinks']");
  await page.getByRole('tab', { name: 'Vanilla' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'React' })).toBeFocused();
  await expect(code(page)).toContainText('<Login config={config} styles={styles} />');
  await page.keyboard.press('End');
  await expect(code(page)).toContainText("from 'portico/server';");
  await page.keyboard.press('ArrowLeft');
  await expect(code(page)).toContainText('<script src="/portico/portico.js">');
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await code(page).textContent());
});

test(
  'somebody new has an address; somebody without a password can log in',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    await page.goto(playgroundPath(demoPath));
    await panel(page).getByRole('button', { name: 'Somebody new' }).click();
    await expect(emailField(page)).toHaveValue(/^new-\w+@example\.com$/);
    await panel(page).getByRole('button', { name: 'Somebody without a password' }).click();
    await expect(emailField(page)).toHaveValue(/^passwordless-\w+@example\.com$/);
    const address = await emailField(page).inputValue();
    const before = (await inbox.messagesTo(address))[0]?.id;
    await sendButton(page).click();
    await widget(page)
      .getByRole('textbox', { name: /passcode/i })
      .fill(await inbox.codeFor(address, { after: before }));
    await expectSignedIn(page, address);
  },
);

test('a person with a password has one that the provider accepts', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(playgroundPath(demoPath));
  await panel(page).getByRole('button', { name: 'Somebody with a password' }).click();
  const made = panel(page).getByRole('status').filter({ hasText: 'Password:' });
  await expect(made).toBeVisible();
  const [email = '', password = ''] = await made.locator('code').allTextContents();
  await expect(emailField(page)).toHaveValue(email);
  await page.evaluate(
    ([email, password]) =>
      (
        window as unknown as { __demo: { client: { passwords: { authenticate(o: object): Promise<unknown> } } } }
      ).__demo.client.passwords.authenticate({ email, password, session_duration_minutes: 5 }),
    [email, password],
  );
  await expectSignedIn(page, email);
  await expect(page.getByText('a password', { exact: true })).toBeVisible();
});

test(
  'the panel is one line on a phone, and opens by keyboard, also before its script is there',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/panel-[\w-]+\.js$/u, async (route) => {
      await arrival;
      await route.continue();
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(playgroundPath(demoPath));
    await expect(emailField(page)).toBeInViewport();
    await panel(page).locator('summary').first().focus();
    await page.keyboard.press('Enter');
    arrive();
    await expect(product(page, 'Passwords')).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(product(page, 'One-time passcodes')).not.toBeChecked();
    await panel(page).locator('summary').first().press('Enter');
    await expect(product(page, 'Passwords')).toBeHidden();
  },
);

test('the skip link leads past the panel to the widget', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(playgroundPath(demoPath));
  await expect(emailField(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to sign-in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Passcode' })).toBeFocused();
});

test(
  'axe finds nothing in the open panel, at either width and in either theme',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(playgroundPath(demoPath, 'by=all'));
      await expect(emailField(page)).toBeVisible();
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await axe(page), `axe, ${width} px, ${colorScheme}`).toEqual([]);
      }
      const sideways = await page.evaluate(() => {
        window.scrollTo(100, 0);
        return window.scrollX;
      });
      expect(sideways, `sideways scroll at ${width} px`).toBe(0);
    }
  },
);
