import type { Page } from '@playwright/test';
import { controlOf } from '#composition/control/provider-control.ts';
import { pathFor, section } from './account-page.ts';
import { addAuthenticator } from './authenticator.ts';
import { expect, test } from './fixtures.ts';
import { pageFor } from './password-visitor.ts';
import { account, emailField, newAddress, signOut, widget } from './visitor.ts';

const ALONE = { products: ['passkeys'], passkeyOptions: { signUp: true } };
const BESIDE_LINKS = { products: ['emailMagicLinks', 'passkeys'], passkeyOptions: { signUp: true } };
const SIGN_UP = 'Create account with passkey';
const SALT = Buffer.from('notes of shop.example, version 1').toString('base64url');

interface Demo {
  readonly __demo: {
    readonly events: readonly {
      readonly type: string;
      readonly data: {
        readonly client_extension_results?: {
          readonly prf?: { readonly enabled?: boolean; readonly results?: { readonly first: ArrayBuffer } };
        };
      };
    }[];
  };
}

const button = (page: Page, name: string) => widget(page).getByRole('button', { name });
const told = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as Demo).__demo.events.map(({ type }) => type));
const allow = (sign_up: boolean) =>
  controlOf(process.env['PORTICO_PROVIDER_URL'] ?? '').settings({ passkeys: { sign_up } });
const REPORTED = ['PASSKEY_REGISTER', 'PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE'];

// One after the other: the project's setting, which one of them changes, is that of every worker.
test.describe.configure({ mode: 'default' });
test.beforeEach(() => allow(true));

test('an account begins with a passkey alone, which is on the account page and logs in again', async ({
  page,
  demoPath,
}) => {
  const authenticator = await addAuthenticator(page);
  await page.goto(`${pageFor(demoPath, ALONE)}&stay=1`);
  await button(page, SIGN_UP).click();
  await expect(emailField(page)).toBeFocused();
  await emailField(page).fill('nobody');
  await button(page, SIGN_UP).click();
  await expect(widget(page).getByText('Email format is invalid.')).toBeVisible();
  // A person who does not confirm loses nothing, and may press again.
  const address = newAddress();
  await authenticator.verify(false);
  await emailField(page).fill(address);
  await emailField(page).press('Enter');
  await expect(button(page, SIGN_UP)).not.toHaveAttribute('aria-busy', 'true');
  await expect(emailField(page)).toHaveValue(address);
  expect([await told(page), await authenticator.count()]).toEqual([[], 0]);
  await authenticator.verify(true);
  await button(page, SIGN_UP).click();
  await expect(widget(page)).toContainText('Your Passkey has been successfully authenticated.');
  await expect.poll(() => told(page)).toEqual(REPORTED);
  expect(await authenticator.count()).toBe(1);

  await page.goto(pathFor(demoPath));
  await expect(section(page, 'Passkeys').locator('[data-part=passkey]')).toHaveCount(1);
  await page.goto(pageFor(demoPath, ALONE));
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await signOut(page);
  await button(page, 'Login with a Passkey').click();
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
});

test(
  'beside emailed links an account begins with the address of their form; a refusal is said',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Failed to load resource: .* 404 /u);
    await addAuthenticator(page);
    await page.goto(`${pageFor(demoPath, BESIDE_LINKS)}&stay=1`);
    await button(page, SIGN_UP).click();
    await expect(widget(page).getByText('Email format is invalid.')).toBeVisible();
    await expect(emailField(page)).toBeFocused();
    await allow(false);
    await emailField(page).fill(newAddress());
    await button(page, SIGN_UP).click();
    await expect(widget(page).getByRole('alert').filter({ hasText: /\S/u })).toHaveText(
      'This option is not available here. Choose another one.',
    );
    expect(await told(page)).toEqual([]);
    await allow(true);
    await button(page, SIGN_UP).click();
    await expect(widget(page)).toContainText('Your Passkey has been successfully authenticated.');
    await expect.poll(() => told(page)).toEqual(REPORTED);
  },
);

test(
  'the secret that a passkey derives is the host’s, and nobody sends it',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await addAuthenticator(page, { hasPrf: true });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    const config = { ...ALONE, passkeyOptions: { signUp: true, extensions: { prf: { eval: { first: SALT } } } } };
    const results = (type: string) =>
      page.evaluate((name) => {
        const { events } = (window as unknown as Demo).__demo;
        const prf = events.find((event) => event.type === name)?.data.client_extension_results?.prf;
        return { enabled: prf?.enabled, first: [...new Uint8Array(prf?.results?.first ?? new ArrayBuffer(0))] };
      }, type);
    await page.goto(`${pageFor(demoPath, config)}&stay=1`);
    await button(page, SIGN_UP).click();
    await emailField(page).fill(newAddress());
    await button(page, SIGN_UP).click();
    await expect.poll(() => told(page)).toEqual(REPORTED);
    expect((await results('PASSKEY_REGISTER')).enabled).toBe(true);
    await page.goto(pageFor(demoPath, config));
    await signOut(page);
    await expect(button(page, 'Login with a Passkey')).toBeVisible();
    await page.goto(`${pageFor(demoPath, config)}&stay=1`);
    await button(page, 'Login with a Passkey').click();
    await expect.poll(() => told(page)).toEqual(REPORTED.slice(1));
    const { first } = await results('PASSKEY_AUTHENTICATE');
    expect(first).toHaveLength(32);
    const secret = Buffer.from(first);
    const all = sent.join('\n');
    expect(all).toContain('/webauthn/authenticate');
    for (const text of [
      secret.toString('base64url'),
      secret.toString('base64'),
      secret.toString('hex'),
      first.join(','),
    ])
      expect(all).not.toContain(text);
  },
);
