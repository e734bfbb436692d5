import { expect, test } from './fixtures.ts';
import { emailField, expectSignedIn, heading, newAddress, playgroundPath, sendButton, widget } from './visitor.ts';

/** What `/?config=` takes: base64url of JSON. */
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface DemoWindow {
  readonly __demo: { readonly events: readonly { readonly type: string }[]; readonly screens: readonly string[] };
}

test(
  'the address holds the configuration, the look, the texts and the language',
  { tag: '@every' },
  async ({ page, demoPath }) => {
    const config = { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 7 } };
    const query = new URLSearchParams({
      config: encoded(config),
      styles: encoded({ inputs: { borderRadius: '11px' } }),
      strings: encoded({ 'main.title': 'Grüß dich 👋' }),
    });
    await page.goto(`${demoPath}?${query.toString()}`);
    await expect(heading(page, 'Grüß dich 👋')).toBeVisible();
    expect(await emailField(page).evaluate((field) => getComputedStyle(field).borderTopLeftRadius)).toBe('11px');
    await emailField(page).fill(newAddress());
    await sendButton(page).click();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    await expect(widget(page)).toContainText(/Your code expires in [67]:\d\d\./);
    const { events, screens } = await page.evaluate(() => {
      const { events, screens } = (window as unknown as DemoWindow).__demo;
      return { events: events.map(({ type }) => type), screens };
    });
    expect(events).toEqual(['OTP_LOGIN_OR_CREATE']);
    expect(screens).toEqual(['Main', 'OTPAuthenticate']);
  },
);

test(
  'emails lead to the pages of the demo where the configuration names none',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await page.goto(`${demoPath}?config=${encoded({})}`);
    await emailField(page).fill(address);
    await sendButton(page).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    const link = await inbox.linkFor(address);
    expect(new URL(link).origin).toBe(new URL(page.url()).origin);
    await page.goto(link);
    await expectSignedIn(page, address);
    await expect(page).toHaveURL(/\/authenticate$/);
  },
);

test(
  'an address that cannot be read says why, and the page still works',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const trouble = page.locator('#trouble');
    for (const [query, why] of [
      ['config=%7B%22products%22', 'config is not JSON in base64url'],
      [`config=${encoded([])}`, 'config must be an object'],
      [`config=${encoded({ products: 'otp' })}`, 'config.products must be an array of strings'],
      [`config=${encoded({ oauthOptions: { providers: [null] } })}`, 'config.oauthOptions.providers must be an array'],
      [`styles=${encoded({ colors: '<b>red</b>' })}`, 'styles.colors must be an object'],
      [
        `config=${encoded({ emailMagicLinksOptions: { loginRedirectURL: 'http://localhost:1/' } })}`,
        'config.emailMagicLinksOptions.loginRedirectURL must be a page of http://localhost',
      ],
    ] as const) {
      await page.goto(`${demoPath}?${query}`);
      await expect(trouble).toContainText(why);
      await expect(emailField(page)).toHaveCount(0);
    }
    await trouble.getByRole('link', { name: 'Start with the default settings' }).click();
    await expect(emailField(page)).toBeVisible();
  },
);

test(
  'products that cannot stand together: the page says what the mount call throws',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?config=${encoded({ products: ['passkeys'] })}`);
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot use Passkeys by itself, please add another product to the config.',
    );
    const both = { products: ['emailMagicLinks', 'otp'], otpOptions: { methods: ['email'] } };
    await page.goto(`${demoPath}?config=${encoded(both)}`);
    await expect(page.getByRole('alert')).toHaveText('Cannot use both EML and Email OTP');
  },
);

test('a social login that was cancelled shows a message', { tag: '@soak' }, async ({ page }) => {
  await page.goto('/authenticate?error=access_denied');
  await expect(page.getByRole('heading', { level: 1, name: 'You were not logged in' })).toBeVisible();
  await expect(page.locator('#arrival-text')).toContainText('It was cancelled there.');
  expect(page.url()).toMatch(/\/authenticate$/);
});

test('a social login finishes here, once', { tag: '@soak' }, async ({ page, demoPath, trap }) => {
  trap.allow(/status of 4\d\d/);
  let token = '';
  page.on('request', (request) => {
    token ||= new URL(request.url()).searchParams.get('token') ?? '';
  });
  const config = { products: ['oauth'], oauthOptions: { providers: [{ type: 'github' }] } };
  await page.goto(`${demoPath}?config=${encoded(config)}`);
  await widget(page).getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByLabel('Another email address').fill(newAddress());
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await expect(page).toHaveURL(/\/authenticate$/);
  await page.goto(`/authenticate?stytch_token_type=oauth&token=${token}`);
  await expect(page.getByRole('heading', { level: 1, name: 'This login did not work' })).toBeVisible();
  await expect(page.locator('#arrival-text')).toContainText('already used or has expired');
});

test('the page for a new password says what it is for when it has no token', { tag: '@soak' }, async ({ page }) => {
  await page.goto('/reset');
  await expect(page.getByRole('heading', { level: 1, name: 'Nothing to do here' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await expect(page).toHaveURL(/\?by=password$/);
  await expect(widget(page)).toBeVisible();
});

test(
  'an email for a new password leads to the page for it, in the same build and language',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, axe }) => {
    await page.goto(playgroundPath(demoPath, 'by=password&language=de'));
    await page.getByRole('button', { name: 'Somebody with a password' }).click();
    const field = widget(page).locator('input[type=email]');
    await expect(field).toHaveValue(/^password-/);
    const address = await field.inputValue();
    await field.press('Enter');
    await widget(page).getByRole('button', { name: 'Passwort vergessen?' }).click();
    const link = new URL(await inbox.linkFor(address));
    expect(link.searchParams.get('language')).toBe('de');
    expect(link.searchParams.get('build')).toBe(demoPath === '/' ? null : 'standalone');
    await page.goto(link.href);
    const password = widget(page).locator('input[type=password]');
    await expect(password).toBeVisible();
    await expect(page).not.toHaveURL(/token=/);
    expect(await axe(page)).toEqual([]);
    await password.fill('a much longer sentence 7 than before');
    await widget(page).locator('button[type=submit]').click();
    await expectSignedIn(page, address);
    await expect(page.getByText('a password', { exact: true })).toBeVisible();
  },
);
