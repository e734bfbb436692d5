import type { Page } from '@playwright/test';
import { addAuthenticator } from './authenticator.ts';
import { expect, test, type Inbox } from './fixtures.ts';
import {
  account,
  askForCode,
  askForLink,
  codeField,
  emailField,
  expectConfirmed,
  expectSignedIn,
  heading,
  logOut,
  newAddress,
  widget,
} from './visitor.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CONFIG = {
  products: ['oauth', 'emailMagicLinks', 'passkeys'],
  oauthOptions: { providers: [{ type: 'google' }] },
};
const NO_EMAIL = { products: ['oauth', 'passkeys'], oauthOptions: { providers: [{ type: 'google' }] } };

interface Demo {
  readonly __demo: {
    readonly client: { readonly webauthn: { register(options: object): Promise<unknown> } };
    readonly events: readonly { readonly type: string }[];
    readonly screens: readonly string[];
  };
}

const button = (page: Page, name = 'Login with a Passkey') => widget(page).getByRole('button', { name });
const open = (page: Page, demoPath: string, config: object, more = '') =>
  page.goto(`${demoPath}?config=${encoded(config)}${more}`);

/** Somebody who has a passkey in this browser and is signed out again; their address. */
async function withPasskey(page: Page, inbox: Inbox): Promise<string> {
  const address = newAddress();
  await page.goto(`/?config=${encoded({ products: ['emailMagicLinks'] })}`);
  await askForLink(page, address);
  await page.goto(await inbox.linkFor(address));
  await expectSignedIn(page, address);
  await page.evaluate(() => (window as unknown as Demo).__demo.client.webauthn.register({ is_passkey: true }));
  await logOut(page).click();
  await expect(account(page)).toBeHidden();
  return address;
}

const told = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as Demo).__demo.events.map(({ type }) => type));

test('signs in by the passkey button', async ({ page, demoPath, inbox }) => {
  await addAuthenticator(page);
  const address = await withPasskey(page, inbox);
  await open(page, demoPath, NO_EMAIL, '&stay=1');
  await expect(widget(page).getByRole('button').first()).toHaveText('Login with a Passkey');
  await button(page).click();
  await expect(widget(page)).toContainText('Your Passkey has been successfully authenticated.');
  await expect.poll(() => told(page)).toEqual(['PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  await open(page, demoPath, NO_EMAIL);
  await expectSignedIn(page, address);
  await expectConfirmed(page);
  await logOut(page).click();
  await expect(button(page, 'Login with a Passkey Last used')).toBeVisible();
});

// The person behind the virtual authenticator takes at once what the field offers.
test('signs in by the passkey that the field offers, without a button', async ({ page, demoPath, inbox }) => {
  await addAuthenticator(page);
  const address = await withPasskey(page, inbox);
  await open(page, demoPath, CONFIG, '&stay=1');
  await expect(widget(page)).toContainText('Your Passkey has been successfully authenticated.');
  await expect.poll(() => told(page)).toEqual(['PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  await open(page, demoPath, CONFIG);
  await expectSignedIn(page, address);
});

test(
  'has a button where the browser offers none in the field, from the first painting on',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable');
      Object.defineProperty(window, 'positions', { value: [] });
      new MutationObserver(() => {
        const field = document.querySelector('#widget input[type=email]');
        const top = field?.getBoundingClientRect().top;
        const from = document.querySelector('#widget')?.getBoundingClientRect().top;
        if (top !== undefined && from !== undefined) {
          (window as unknown as { positions: number[] }).positions.push(top - from);
        }
      }).observe(document, { subtree: true, childList: true });
    });
    await open(page, demoPath, CONFIG);
    await expect(button(page)).toBeVisible();
    await expect(widget(page).locator('[data-part=provider-mark]:has(path)')).toHaveCount(1);
    const positions = await page.evaluate(() => (window as unknown as { positions: number[] }).positions);
    expect([...new Set(positions.map(Math.round))]).toHaveLength(1);
  },
);

const LINK = 'Use a passkey';
const CODE = {
  products: ['otp', 'passkeys'],
  otpOptions: { methods: ['email'] },
  passkeyOptions: { offerAfterLogin: true },
};

test(
  'a button under the form shows a message when there is no passkey, and one is created after the login',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    await addAuthenticator(page);
    const address = newAddress();
    await open(page, demoPath, CODE, '&stay=1');
    const place = await button(page, LINK).boundingBox();
    await expect(widget(page).getByText('Powered by')).toBeVisible();
    expect(await button(page, LINK).boundingBox()).toEqual(place);

    await button(page, LINK).click();
    await expect(
      widget(page).getByRole('status').filter({ hasText: 'No passkey on this device was used.' }),
    ).toBeVisible();
    await expect(button(page, LINK)).not.toHaveAttribute('aria-busy', 'true');
    // The next press asks for passkeys of other devices, too.
    await button(page, LINK).click();
    await expect(widget(page).getByRole('status').filter({ hasText: 'No passkey was used.' })).toBeVisible();
    await expect(button(page, LINK)).not.toHaveAttribute('aria-busy', 'true');

    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expect(heading(page, 'Log in faster next time')).toBeFocused();
    await expect
      .poll(() => told(page))
      .toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    await button(page, 'Create a Passkey').dblclick();
    await expect(heading(page, 'Your passkey is ready')).toBeVisible();
    await expect.poll(async () => (await told(page)).slice(3)).toEqual(['PASSKEY_REGISTER']);

    await page.goto('/passkeys');
    await button(page, 'Skip').click();
    const details = widget(page).locator('[data-part=passkey] small');
    await expect(details).toHaveText([/On one device only/, /Created .*Not used yet/]);
  },
);

test(
  'is quiet when the person is not let through, and can be pressed again',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    const authenticator = await addAuthenticator(page);
    const address = await withPasskey(page, inbox);
    await authenticator.verify(false);
    await open(page, demoPath, NO_EMAIL);
    await button(page).click();
    await expect(button(page)).not.toHaveAttribute('aria-busy', 'true');
    await expect(widget(page).getByRole('alert').first()).toHaveText('');
    await authenticator.verify(true);
    await button(page).click();
    await expectSignedIn(page, address);
  },
);

test(
  'shows what happened when the server does not know the passkey',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/status of 4\d\d/);
    await addAuthenticator(page);
    await withPasskey(page, inbox);
    await page.route('**/sdk/v1/webauthn/authenticate', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/json',
        headers: {
          'access-control-allow-origin': new URL(page.url()).origin,
          'access-control-allow-credentials': 'true',
        },
        json: {
          status_code: 404,
          request_id: 'r',
          error_type: 'webauthn_registration_not_found',
          error_message: 'no',
          error_url: '',
        },
      }),
    );
    await open(page, demoPath, NO_EMAIL);
    await button(page).click();
    await expect(widget(page).getByRole('alert').first()).toHaveText(
      'Passkey registration not found. You may have deleted the passkey from your account but not password manager. Please try again.',
    );
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
  },
);

test('has one ceremony at a time, and none once the widget is gone', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.addInitScript(() => {
    const counts = { open: 0, most: 0, begun: 0 };
    Object.assign(window, { counts });
    navigator.credentials.get = (options) => {
      counts.begun += 1;
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      return new Promise((_, reject) =>
        options?.signal?.addEventListener('abort', () => {
          counts.open -= 1;
          reject(new DOMException('aborted', 'AbortError'));
        }),
      );
    };
  });
  await open(page, demoPath, CONFIG);
  const counts = () =>
    page.evaluate(() => (window as unknown as { counts: Record<'open' | 'most' | 'begun', number> }).counts);
  await expect.poll(async () => (await counts()).open).toBe(1);
  await expect(emailField(page)).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(button(page)).toHaveCount(0);
  const unmounted = await page.evaluate(async (config) => {
    const { client } = (
      window as unknown as { __demo: { client: { mountLogin(options: object): { unmount(): void } } } }
    ).__demo;
    for (let mount = 0; mount < 20; mount += 1) {
      const handle = client.mountLogin({ elementId: '#widget', config });
      if (mount % 3 === 0) await new Promise((resolve) => void setTimeout(resolve, 30));
      handle.unmount();
    }
    await new Promise((resolve) => void setTimeout(resolve, 300));
    return document.querySelectorAll('#widget input').length;
  }, CONFIG);
  expect(unmounted).toBe(0);
  await expect.poll(async () => (await counts()).open).toBe(0);
  expect((await counts()).most).toBe(1);
});
