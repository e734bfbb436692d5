import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { issueImpersonationToken } from '#provider/accounts/access/impersonation.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import { administer } from '../kit/managing.ts';
import { browser } from '../kit/oauth-harness.ts';
import { LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import {
  codeOf,
  consent,
  exchange,
  fromServer,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  refresh,
  uniqueEmail,
} from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'a wholly different phrase of mine';
const PROFILE = { profile_id: 'local', issuer: 'https://issuer.example', audience: 'portico-here' };
const settings = {
  mfa: { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] },
  google_one_tap: true,
  trusted_auth_token_profiles: [PROFILE],
};

/** The owner: an authenticator app, a password, a number, a wallet, a passkey and a social account. */
interface Owner {
  readonly email: string;
  readonly user_id: string;
  readonly number: string;
  readonly session: string;
  readonly secret: string;
  readonly wallet: SoftwareWallet;
  readonly key: SoftwareAuthenticator;
}

const urlToken = (link: unknown): string => new URL(String(link)).searchParams.get('token') ?? '';

let numbers = 0;

async function makeOwner(provider: Provider): Promise<Owner> {
  const email = uniqueEmail('owner');
  const guarded = await makeGuarded(provider, email);
  let { session } = guarded;
  const inSession = async (path: string, body: Fields) => {
    const reply = await provider.post(path, body, { session });
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    session = String(reply.data['session_token'] || session);
    return reply.data;
  };
  await inSession('/passwords/session/reset', { password: PASSWORD });
  numbers += 1;
  const number = `+1415555${String(1000 + numbers)}`;
  const { method_id } = await inSession('/otps/sms/send/secondary', { phone_number: number });
  await inSession('/otps/authenticate', { token: (await provider.newest(number))?.code, method_id, ...MINUTES });
  const wallet = new SoftwareWallet();
  const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
  const { challenge } = await inSession('/crypto_wallets/authenticate/start/secondary', names);
  await inSession('/crypto_wallets/authenticate', { ...names, signature: wallet.sign(String(challenge)), ...MINUTES });
  const key = new SoftwareAuthenticator();
  const asked = { domain: 'localhost', return_passkey_credential_options: true };
  const { public_key_credential_creation_options: options } = await inSession('/webauthn/register/start', asked);
  const made = key.create(JSON.parse(options) as Fields);
  const { user_id } = await inSession('/webauthn/register', { public_key_credential: made });
  return { email, user_id, number, session, secret: guarded.secret, wallet, key };
}

type Way = (provider: Provider, owner: Owner, thief: LoginBrowser) => Promise<Fields>;

/** Each way to log in with one factor. The replies are those of the last call. */
const WAYS: Readonly<Record<string, Way>> = {
  async 'a link'(provider, { email }, thief) {
    const token = await provider.sendLink(email);
    return (await thief.post('/magic_links/authenticate', { token, ...MINUTES })).data;
  },
  async 'a link that the app sends'(provider, { user_id }, thief) {
    const { body } = await fromServer(provider, '/magic_links', { user_id });
    return (await thief.post('/magic_links/authenticate', { token: body['token'], ...MINUTES })).data;
  },
  async 'a passcode by mail'(provider, { email }, thief) {
    const { method_id, code } = await provider.sendCode(email);
    return (await thief.post('/otps/authenticate', { token: code, method_id, ...MINUTES })).data;
  },
  async 'a passcode by text'(provider, { number }, thief) {
    const { data } = await thief.post('/otps/sms/send/primary', { phone_number: number });
    const { code } = (await provider.newest(number)) ?? {};
    return (await thief.post('/otps/authenticate', { token: code, method_id: data['method_id'], ...MINUTES })).data;
  },
  async 'a passcode by WhatsApp'(provider, { number }, thief) {
    const { data } = await thief.post('/otps/whatsapp/send/primary', { phone_number: number });
    const { code } = (await provider.newest(number)) ?? {};
    return (await thief.post('/otps/authenticate', { token: code, method_id: data['method_id'], ...MINUTES })).data;
  },
  async 'a password'(_, { email }, thief) {
    return (await thief.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES })).data;
  },
  async 'a passkey that is not accepted as a second factor'(_, { key }, thief) {
    const { data } = await thief.post('/webauthn/authenticate/start/primary', { domain: 'localhost' });
    const signed = key.get(JSON.parse(data['public_key_credential_request_options']) as Fields);
    return (await thief.post('/webauthn/authenticate', { public_key_credential: signed, ...MINUTES })).data;
  },
  'a social login': async (provider, { email }, thief) => socialLogin(provider, email, thief),
  async 'a wallet'(_, { wallet }, thief) {
    const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
    const { data } = await thief.post('/crypto_wallets/authenticate/start/primary', names);
    const signature = wallet.sign(String(data['challenge']));
    return (await thief.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES })).data;
  },
  async 'Google One Tap'(provider, { email }, thief) {
    const { public_token } = provider.services.project;
    const started = await thief.post('/oauth/google/onetap/start', { public_token });
    const { oauth_callback_id, google_client_id: client_id } = started.data;
    const tapped = await provider.app.request(`${ISSUER}/accounts/google/gsi/credential`, {
      method: 'POST',
      headers: { origin: ISSUER, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, email, email_verified: true, nonce: oauth_callback_id }),
    });
    const { credential } = (await tapped.json()) as Fields;
    const submission = { public_token, id_token: credential, oauth_callback_id };
    const { data } = await thief.post('/oauth/google/onetap/submit', submission);
    return (await thief.post('/oauth/authenticate', { token: urlToken(data['redirect_url']), ...MINUTES })).data;
  },
  async 'a token of another issuer'(provider, { email }, thief) {
    return (await thief.post('/sessions/attest', { ...(await attested(provider, email)), ...MINUTES })).data;
  },
  async 'a token of another issuer through the backend API'(provider, { email }) {
    return (await fromServer(provider, '/sessions/attest', { ...(await attested(provider, email)), ...MINUTES })).body;
  },
  async 'a password through the backend API'(provider, { email }) {
    return (await fromServer(provider, '/passwords/authenticate', { email, password: PASSWORD, ...MINUTES })).body;
  },
  async 'a reset by mail'(provider, { email }, thief) {
    await thief.post('/passwords/email/reset/start', { email });
    const token = urlToken((await provider.newest(email))?.link);
    return (await thief.post('/passwords/email/reset', { token, password: OTHER, ...MINUTES })).data;
  },
  async 'a link through the backend API'(provider, { user_id }) {
    const { body } = await fromServer(provider, '/magic_links', { user_id });
    return (await fromServer(provider, '/magic_links/authenticate', { token: body['token'], ...MINUTES })).body;
  },
};

/** A token of the trusted issuer for the address. */
async function attested(provider: Provider, email: string): Promise<Fields> {
  const { profile_id } = PROFILE;
  return {
    profile_id,
    token: (await administer(provider.services, 'trusted-token', { profile: profile_id, email })).token,
  };
}

async function socialLogin(
  provider: Provider,
  email: string,
  thief: LoginBrowser,
  name: OAuthProvider = 'google',
): Promise<Fields> {
  const visitor = browser(provider);
  const back = await visitor.callback(name, { email, verified: 'yes' });
  const landed = await visitor.get(back);
  const url = new URL(landed.headers.get('location') ?? 'http://none');
  return (await thief.post('/oauth/authenticate', { token: url.searchParams.get('token'), ...MINUTES })).data;
}

/** What a thief tries with the reply of one factor. Each resolves with whether it gave access. */
const PATHS: Readonly<Record<string, (provider: Provider, reply: Fields) => Promise<boolean>>> = {
  login: async (provider, { session_token, session_jwt, intermediate_session_token }) => {
    const secrets = [session_token, session_jwt, intermediate_session_token].filter((each) => each);
    const alive = await Promise.all(secrets.map(async (secret) => isAlive(provider, secret)));
    return alive.includes(true);
  },
  refresh: async (provider, { intermediate_session_token: session }) => {
    const { status, data } = await provider.post('/sessions/authenticate', MINUTES, { session: String(session) });
    return status === 200 && data['session'] !== null;
  },
  consent: async (provider, { intermediate_session_token: session }) =>
    (await consent(provider, String(session))).status === 200,
  backend: async (provider, { intermediate_session_token: session_token }) => {
    const { status, body } = await fromServer(provider, '/sessions/authenticate', { session_token });
    return status === 200 && body['session'] !== null;
  },
  exchange: async (provider, { intermediate_session_token: token }) => (await exchange(provider, token)).status === 200,
  reset: async (provider, { intermediate_session_token }) => {
    const session = String(intermediate_session_token);
    const inSession = await provider.post('/passwords/session/reset', { password: OTHER, ...MINUTES }, { session });
    const inStep = await provider.post('/passwords/session/reset', { password: OTHER, intermediate_session_token });
    return [inSession, inStep].some(({ status }) => status === 200);
  },
};

/** What each social login shares: `oauth.authenticate`. One Tap is another. */
const OTHER_PROVIDERS = (Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).filter((name) => name !== 'google');

describe.each(EITHER_DATABASE)('a thief with one factor of a user who has two, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, settings);
  });
  afterAll(() => provider.close());

  let made: Promise<Owner> | undefined;
  /** One for the cases that change nothing of theirs. */
  const sameOwner = (): Promise<Owner> => (made ??= makeOwner(provider));

  it.each(oneOf(4, Object.keys(WAYS)))('has no session by %s', async (way) => {
    const owner = await (way === 'a reset by mail' ? makeOwner(provider) : sameOwner());
    const thief = new LoginBrowser(provider);
    const reply = (await WAYS[way]?.(provider, owner, thief)) ?? {};
    expect(reply).toMatchObject({ user_id: owner.user_id, session: null, session_token: '', session_jwt: '' });
    expect(reply['mfa'].factors).toEqual(['totp', 'recovery_code']);
    const opened: string[] = [];
    for (const [path, enter] of Object.entries(PATHS)) if (await enter(provider, reply)) opened.push(path);
    expect(opened).toEqual([]);
    // The owner of both factors has one.
    provider.clock.time += 30_000;
    const code = { totp_code: codeOf(provider, owner.secret), ...MINUTES };
    const server = { user_id: owner.user_id, intermediate_session_token: reply['intermediate_session_token'] };
    const done = way.includes('backend')
      ? (await fromServer(provider, '/totps/authenticate', { ...code, ...server })).body
      : (await thief.post('/totps/authenticate', code)).data;
    expect(done['session'].user_id).toBe(owner.user_id);
  });

  it('has no session by any other social login', async () => {
    const owner = await sameOwner();
    expect(OTHER_PROVIDERS).toHaveLength(18);
    for (const name of oneOf(9, OTHER_PROVIDERS)) {
      const reply = await socialLogin(provider, owner.email, new LoginBrowser(provider), name);
      expect(reply, name).toMatchObject({ user_id: owner.user_id, session: null, session_token: '', session_jwt: '' });
      expect(await isAlive(provider, reply['intermediate_session_token']), name).toBe(false);
    }
  });

  it('has no session by two factors that are both first ones', async () => {
    const owner = await sameOwner();
    const thief = new LoginBrowser(provider);
    for (const way of ['a password', 'a passcode by mail', 'a wallet', 'a link']) {
      const reply = (await WAYS[way]?.(provider, owner, thief)) ?? {};
      expect(reply['session'], way).toBeNull();
    }
  });

  it('makes no session of an app whose user had one factor', async () => {
    const email = uniqueEmail('early');
    const { session_token: session } = await provider.signIn(email);
    const { data } = await consent(provider, String(session));
    const tokens = await redeemCode(provider, data['authorization_code']);
    expect((await refresh(provider, tokens['refresh_token']))['access_token']).toBeDefined();
    await makeGuarded(provider, email);
    const again = await refresh(provider, tokens['refresh_token']);
    expect(again).not.toHaveProperty('access_token');
    const exchanged = await exchange(provider, tokens['access_token']);
    expect(exchanged.status).not.toBe(200);
  });

  soakIt('is an impersonator only where an operator made the token, and the session says so', async () => {
    const { user_id } = await makeOwner(provider);
    const by = { impersonator_id: 'operator-1', impersonator_email_address: 'op@example.com' };
    const { impersonation_token } = await issueImpersonationToken(provider.services, { user_id, ...by });
    const { data } = await provider.post('/impersonation/authenticate', { impersonation_token });
    expect(data['session'].authentication_factors).toMatchObject([{ type: 'impersonated' }]);
  });
});
