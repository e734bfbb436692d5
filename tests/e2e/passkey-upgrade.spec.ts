import type { Page } from '@playwright/test';
import { addAuthenticator } from './authenticator.ts';
import { expect, test } from './fixtures.ts';
import { GOOD, haveAccount, logIn, pageFor } from './password-visitor.ts';
import { expectSignedIn, newAddress, signOut, widget } from './visitor.ts';

const UPGRADES = { products: ['passwords', 'passkeys'], passkeyOptions: { upgradeAfterLogin: true } };

interface Demo {
  readonly __demo: { readonly events: readonly { readonly type: string }[] };
}

const told = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as Demo).__demo.events.map(({ type }) => type));

/**
 * A password manager in the page, as an extension of a browser is: it answers a creation that asks nobody with a real passkey of the
 * virtual authenticator, and the flags UP and UV off. Chromium's own virtual authenticator never answers one.
 */
async function addPasswordManager(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { credentials } = navigator;
    const create = credentials.create.bind(credentials);
    const AFTER_NAME = 'authData'.length + 3;
    const FLAGS_AT = 32;
    const withoutPerson = (object: ArrayBuffer): ArrayBuffer => {
      const bytes = new Uint8Array(object.slice(0));
      const text = String.fromCharCode(...bytes);
      const at =
        text.indexOf('authData') + AFTER_NAME - (bytes[text.indexOf('authData') + 8] === 0x58 ? 1 : 0) + FLAGS_AT;
      bytes[at] = (bytes[at] ?? 0) & ~0x05;
      return bytes.buffer;
    };
    credentials.create = async (options: CredentialCreationOptions & { mediation?: string } = {}) => {
      const { mediation, ...rest } = options;
      if (mediation !== 'conditional') return create(options);
      const made = (await create(rest)) as PublicKeyCredential;
      const response = made.response as AuthenticatorAttestationResponse;
      return {
        id: made.id,
        rawId: made.rawId,
        type: made.type,
        authenticatorAttachment: made.authenticatorAttachment,
        getClientExtensionResults: () => ({}),
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: withoutPerson(response.attestationObject),
          getTransports: () => response.getTransports(),
        },
      } as unknown as Credential;
    };
  });
}

test('a login with a password adds a passkey without a question, which logs in', async ({ page, demoPath }) => {
  const authenticator = await addAuthenticator(page);
  await addPasswordManager(page);
  const address = newAddress();
  await haveAccount(address, GOOD);
  await page.goto(`${pageFor(demoPath, UPGRADES)}&stay=1`);
  await logIn(page, address);
  await expect
    .poll(() => told(page))
    .toEqual(['PASSWORD_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE', 'PASSKEY_REGISTER']);
  await expect(widget(page).getByRole('alert').first()).toHaveText('');
  expect(await authenticator.count()).toBe(1);
  // No field here to which the browser would offer the passkey by itself.
  await page.goto(
    pageFor(demoPath, { products: ['oauth', 'passkeys'], oauthOptions: { providers: [{ type: 'google' }] } }),
  );
  await expectSignedIn(page, address);
  await signOut(page);
  await widget(page).getByRole('button', { name: 'Login with a Passkey' }).click();
  await expectSignedIn(page, address);
});

test(
  'a login with a password is complete where the browser adds none',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const address = newAddress();
    await haveAccount(address, GOOD);
    await page.goto(`${pageFor(demoPath, UPGRADES)}&stay=1`);
    const asked = page.waitForResponse(/\/webauthn\/register\/start$/u);
    await logIn(page, address);
    expect((await asked).status()).toBe(200);
    await expect.poll(() => told(page)).toEqual(['PASSWORD_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    await expect(widget(page).getByRole('alert').first()).toHaveText('');
    await page.goto(pageFor(demoPath, UPGRADES));
    await expectSignedIn(page, address);
  },
);
