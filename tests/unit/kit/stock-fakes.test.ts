import { describe, expect, it } from 'vitest';
import { PorticoClient } from '#composition/client.ts';
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { FakeWorld } from '#kit/fake-world.ts';

const TOKEN = 'public-token-test-1';
const HOUR = { session_duration_minutes: 60 };
const EMAIL = 'ada@example.com';
const PASSWORD = 'a rather long and winding road 47';

/** The fakes as a newcomer makes them, with nothing set. */
function stock(href?: string, project: object = {}) {
  const world = new FakeWorld();
  const server = new FakeServer(world.transport, world.clock);
  Object.assign(server.project, project);
  const tab = world.tab(href);
  return { world, server, tab, client: new PorticoClient(TOKEN, { adapters: tab }) };
}

type Stock = ReturnType<typeof stock>;

async function signIn({ client, server }: Stock): Promise<void> {
  const { method_id } = await client.otps.email.loginOrCreate(EMAIL);
  await client.otps.authenticate(server.codeFor(EMAIL) ?? '', method_id, HOUR);
}

const tokenIn = (url: string): string => new URL(url).searchParams.get('token') ?? '';

/** Each way to log in, with the page that the fakes lead to, if any. */
const WAYS: Readonly<Record<string, (fakes: Stock) => Promise<string | void>>> = {
  async 'a passcode by SMS'({ client, server }) {
    const { method_id } = await client.otps.sms.loginOrCreate('+14155550123');
    await client.otps.authenticate(server.codeFor('+14155550123') ?? '', method_id, HOUR);
  },
  async 'a link'({ client, server }) {
    await client.magicLinks.email.loginOrCreate(EMAIL);
    const link = server.inbox[0]?.links?.magic_links ?? '';
    await client.magicLinks.authenticate(tokenIn(link), HOUR);
    return link;
  },
  async 'a password'({ client }) {
    await client.passwords.create({ email: EMAIL, password: PASSWORD, ...HOUR });
    await client.session.revoke();
    await client.passwords.authenticate({ email: EMAIL, password: PASSWORD, ...HOUR });
  },
  async 'a link for a new password'({ client, server }) {
    await client.passwords.create({ email: EMAIL, password: PASSWORD, ...HOUR });
    await client.session.revoke();
    await client.passwords.resetByEmailStart({ email: EMAIL });
    const link = server.inbox[0]?.links?.reset_password ?? '';
    await client.passwords.resetByEmail({ token: tokenIn(link), password: `${PASSWORD} more`, ...HOUR });
    return link;
  },
  async 'a social account'({ client, server, tab }) {
    await client.oauth.google.start();
    const back = server.returnFrom(tab.browser.navigations.at(-1) ?? '', { email: EMAIL });
    await client.oauth.authenticate(tokenIn(back), HOUR);
    return back;
  },
  async 'an account of One Tap'({ client, server, tab }) {
    await client.oauth.googleOneTap.start();
    tab.oneTap.choose(server.idTokenOf({ email: EMAIL }));
    await expect.poll(() => tab.browser.navigations.length).toBe(1);
    const back = tab.browser.navigations[0] ?? '';
    await client.oauth.authenticate(tokenIn(back), HOUR);
    return back;
  },
  async 'a passkey'(fakes) {
    await signIn(fakes);
    const { client, tab } = fakes;
    const domain = tab.browser.hostname;
    await client.webauthn.register({ domain, is_passkey: true, ...HOUR });
    await client.session.revoke();
    await client.webauthn.authenticate({ domain, is_passkey: true, ...HOUR });
  },
  'a wallet of Ethereum': (fakes) => byWallet(fakes, 'metamask'),
  'a wallet of Solana': (fakes) => byWallet(fakes, 'phantom'),
  'a wallet of Ethereum by EIP-4361': async ({ tab: { browser } }) =>
    byWallet(stock(browser.href(), { siwe_required_for_crypto_wallets: true }), 'metamask'),
  async 'an authenticator app'(fakes) {
    await signIn(fakes);
    const { client, server } = fakes;
    const { secret } = await client.totps.create({ expiration_minutes: 5 });
    await client.totps.authenticate({ totp_code: server.totpCode(secret), ...HOUR });
  },
};

async function byWallet({ client, tab }: Stock, wallet: WalletKind): Promise<void> {
  tab.wallet.wallets = [wallet];
  await client.cryptoWallets.logIn(wallet, HOUR);
  expect(tab.wallet.signed[0]).toContain(`URI: ${tab.browser.origin}\n`);
  expect(client.session.getSync()).not.toBeNull();
}

describe.each([undefined, 'http://localhost:5173/login', 'https://shop.example/cart'])(
  'fakes with nothing set, in a page at %s',
  (href) => {
    it.each(Object.keys(WAYS))('log in by %s', async (way) => {
      const fakes = stock(href);
      const page = await WAYS[way]?.(fakes);
      if (!way.startsWith('a wallet')) expect(fakes.client.session.getSync()).not.toBeNull();
      // Where the page names no address, the project's own is used: that of the page that the fakes open by themselves.
      if (page !== undefined && href === undefined) expect(new URL(page).origin).toBe(fakes.tab.browser.origin);
      fakes.client.destroy();
    });
  },
);

describe('fakes of two browsers', () => {
  it('have different secrets, so that a login of one cannot end in the other', async () => {
    const { world, server, client } = stock(undefined, { pkce_required_for_oauth: true });
    const other = new FakeWorld(world.clock);
    const tab = { ...other.tab(), transport: world.transport.forBrowser(other.jar) };
    const elsewhere = new PorticoClient(TOKEN, { adapters: tab });
    await client.oauth.google.start();
    await elsewhere.oauth.google.start();
    const back = server.returnFrom(tab.browser.navigations[0] ?? '', { email: EMAIL });
    await expect(client.oauth.authenticate(tokenIn(back), HOUR)).rejects.toMatchObject({ error_type: 'pkce_mismatch' });
    await elsewhere.oauth.authenticate(tokenIn(back), HOUR);
    for (const each of [client, elsewhere]) each.destroy();
  });
});
