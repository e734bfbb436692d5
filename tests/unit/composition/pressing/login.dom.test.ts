import { afterEach, beforeAll, expect, it } from 'vitest';
import { cryptoWallets, magicLinks, otps, users, webauthn } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { withPasskey } from '../../application/social/passkey-world.ts';
import { ADA, closePages, field, loadParts, login, type Page } from './page.ts';
import { oneOf } from '../../../soak.ts';

beforeAll(loadParts);
afterEach(closePages);

const social = (...types: readonly OAuthProvider[]): LoginConfig => ({
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: { providers: types.map((type) => ({ type })) },
});
const phones: LoginConfig = { products: ['otp'], otpOptions: { methods: ['sms', 'whatsapp'] } };
const codes: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const oneTap: LoginConfig = { products: ['oauth'], oauthOptions: { providers: [{ type: 'google', one_tap: true }] } };

const withEmail = (config: LoginConfig) => async (): Promise<Page> => {
  const page = await login(config);
  await page.fill('email', ADA);
  return page;
};
const withPhone = (tab: string) => async (): Promise<Page> => {
  const page = await login(phones);
  await page.press(tab);
  await page.fill('tel', '(415) 555-2671');
  return page;
};
const withCode = async (): Promise<Page> => {
  const page = await withEmail(codes)();
  await page.press('Continue with email');
  await page.shows('Enter passcode');
  return page;
};
const other = async (): Promise<Page> => {
  const page = await login({
    products: ['oauth', 'crypto'],
    oauthOptions: {
      providers: Object.keys(OAUTH_PROVIDERS)
        .slice(0, 5)
        .map((type) => ({ type: type as OAuthProvider })),
    },
  });
  await page.press('Continue with other Crypto Wallet');
  await page.shows('Continue with other wallet');
  return page;
};
const failedWallet = async (): Promise<Page> => {
  const page = await login({ products: ['crypto'] }, { prepare: ({ wallet }) => void (wallet.refuses = 'connect') });
  await page.press('Continue with MetaMask');
  await page.shows('Looks like there was an error!');
  page.tab.wallet.refuses = null;
  return page;
};
const start = (provider: OAuthProvider): string => `/v1/public/oauth/${provider}/start`;
const providers = Object.entries(OAUTH_PROVIDERS) as [OAuthProvider, string][];

interface Row {
  readonly open: () => Promise<Page>;
  /** A button's name, or an `input` of that type. */
  readonly press: string;
  readonly asks: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a magic link': { open: withEmail(social()), press: 'Continue with email', asks: magicLinks.loginOrCreate.name },
  'a magic link, in its field': {
    open: withEmail(social()),
    press: 'input email',
    asks: magicLinks.loginOrCreate.name,
  },
  'a code by email': { open: withEmail(codes), press: 'Continue with email', asks: otps.emailLoginOrCreate.name },
  'a code by text': { open: withPhone('Text'), press: 'Continue with text', asks: otps.smsLoginOrCreate.name },
  'a code by text, in its field': { open: withPhone('Text'), press: 'input tel', asks: otps.smsLoginOrCreate.name },
  'a code by WhatsApp': {
    open: withPhone('WhatsApp'),
    press: 'Continue with WhatsApp',
    asks: otps.whatsappLoginOrCreate.name,
  },
  'an address, where passwords are on': {
    open: withEmail({ products: ['passwords'] }),
    press: 'Continue with email',
    asks: users.search.name,
  },
  'another code': { open: withCode, press: 'Resend code', asks: otps.emailLoginOrCreate.name },
  'a wallet': {
    open: () => login({ products: ['crypto'] }),
    press: 'Continue with MetaMask',
    asks: cryptoWallets.authenticateStartPrimary.name,
  },
  'a wallet among the others': {
    open: other,
    press: 'Continue with MetaMask',
    asks: cryptoWallets.authenticateStartPrimary.name,
  },
  'a wallet once more': {
    open: failedWallet,
    press: 'Try again',
    asks: cryptoWallets.authenticateStartPrimary.name,
  },
  'a passkey': {
    open: async () => login({ products: ['passkeys', 'oauth'] }, { world: await withPasskey() }),
    press: 'Login with a Passkey',
    asks: webauthn.authenticateStartPrimary.name,
  },
  'Google, where One Tap does not come': {
    open: () => login(oneTap, { prepare: ({ oneTap: prompt }) => void (prompt.refusal = 'skipped') }),
    press: 'Continue with Google',
    asks: start('google'),
  },
};

it.each(oneOf(2, Object.entries(ROWS)))('ten presses ask once for %s', async (_, { open, press, asks }) => {
  const page = await open();
  const held = page.world.transport.hold();
  const [, type] = /^input (.*)$/u.exec(press) ?? [];
  expect(await page.tenTimes(() => (type === undefined ? page.button(press) : field(type)))).toEqual([asks]);
  held.release();
  await page.settle();
  expect(page.asked().filter((name) => name === asks)).toHaveLength(1);
});

it.each(oneOf(3, providers))('ten presses leave once for %s', async (provider, name) => {
  const page = await login(social(provider));
  expect(await page.tenTimes(() => page.button(`Continue with ${name}`))).toEqual([start(provider)]);
});

it('presses of one way and of another begin the first', async () => {
  const page = await login(social('google', 'apple'));
  await page.fill('email', ADA);
  page.mark();
  for (const name of ['Continue with Apple', 'Continue with email', 'Continue with Google']) page.button(name)?.click();
  await page.settle();
  expect(page.asked()).toEqual([start('apple')]);
});

it('a code goes out once, however often its last digit comes', async () => {
  const page = await withCode();
  const held = page.world.transport.hold();
  page.mark();
  const code = page.world.server.codeFor(ADA) ?? '';
  for (let time = 0; time < 5; time += 1) void page.fill('code', code);
  await page.settle();
  for (let time = 0; time < 5; time += 1) void page.fill('code', code);
  await page.settle();
  expect(page.asked()).toEqual([otps.authenticate.name]);
  held.release();
  await page.shows('Success!');
  expect(page.asked()).toEqual([otps.authenticate.name]);
});
