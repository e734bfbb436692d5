import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { OPEN_TO_ALL, type SignUpRules } from '#server-rules/sign-ups.ts';
import { createApp } from '#provider/operation/app.ts';
import { DEFAULT_LIMITS, type Limits } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { PUBLIC_TOKEN, WITHOUT_PKCE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { browser, ORIGIN, type Choice } from '../kit/oauth-harness.ts';
import { SIGN_UPS } from '../kit/passkey-sign-up.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { MINUTES, uniqueNumber } from './attacker.ts';

/** Every way by which a person who has no account can get one. */

const FREELY = { max: 1_000_000, windowMs: 1000 };
export const FREE = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, FREELY])) as unknown as Limits;

export const PROJECT = projectFrom({
  ...WITHOUT_PKCE,
  ...SIGN_UPS,
  rbac_policy: { roles: [{ role_id: 'member' }, { role_id: 'guest' }, { role_id: 'author' }] },
  trusted_auth_token_profiles: [
    { profile_id: 'partner', issuer: 'https://partner.example', audience: 'here', email_domains: ['*'] },
  ],
});

/** The provider with another `sign_up`, on the same database. */
export function withDoor(
  provider: Provider,
  sign_up: Partial<SignUpRules>,
  limits = provider.services.limits,
): Provider {
  const project = { ...provider.services.project, sign_up: { ...OPEN_TO_ALL, ...sign_up } };
  const services = { ...provider.services, project, limits };
  const app = createApp(services);
  const call: Provider['call'] = (method, path, body, extras) => provider.call(method, path, body, { ...extras, app });
  const post: Provider['post'] = (path, body, extras) => call('POST', path, body, extras);
  const own = { app, services, call, post };
  return new Proxy(provider, { get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown });
}

/** The statements of the services on it, by kind. A test empties the list. */
export function countedStatements(provider: Provider) {
  const statements: string[] = [];
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(node.kind);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const services = { ...provider.services, loopback: true, db: provider.services.db.withPlugin(counting) };
  const counted = new Proxy(provider, {
    get: (target, name) => (name === 'services' ? services : (Reflect.get(target, name) as unknown)),
  });
  return { counted, statements };
}

export interface Person {
  readonly email: string;
  readonly number: string;
}

export const somebody = (domain = 'example.com'): Person => ({
  email: `somebody-${randomUUID()}@${domain}`,
  number: uniqueNumber(),
});

/** Finishes a login, at the same door or another one. */
type Finish = (door: Provider) => Promise<ProviderResponse>;

interface Way {
  readonly name: string;
  /** Whether the person is in only after they have proven their address. */
  readonly provesAddress: boolean;
  /** Whether the same person comes again by it: a wallet is a new one each time, and others sign up only. */
  readonly comesAgain: boolean;
  begin(door: Provider, person: Person): Promise<Finish>;
}

const inMail = (link: string | undefined): string => new URL(link ?? 'http://none').searchParams.get('token') ?? 'none';

const byPasscode = (channel: 'email' | 'sms' | 'whatsapp'): Way => ({
  name: `a passcode by ${channel}`,
  provesAddress: channel === 'email',
  comesAgain: true,
  async begin(door, { email, number }) {
    const [to, body] = channel === 'email' ? [email, { email }] : [number, { phone_number: number }];
    const sent = await door.post(`/otps/${channel}/login_or_create`, body);
    const code = (await door.newest(to))?.code ?? '000000';
    const method_id = String(sent.data['method_id']);
    return (at) => at.post('/otps/authenticate', { token: code, method_id, ...MINUTES });
  },
});

const byAccount = (name: string, choice: (email: string) => Choice, provesAddress: boolean): Way => ({
  name,
  provesAddress,
  comesAgain: true,
  async begin(door, { email }) {
    const token = await browser(door).token('google', choice(email));
    return (at) => at.post('/oauth/authenticate', { token, ...MINUTES });
  },
});

export const byWallet = (make: () => SoftwareWallet | SolanaWallet, name: string): Way => ({
  name,
  provesAddress: false,
  comesAgain: false,
  async begin(door) {
    const own = make();
    const names = { crypto_wallet_type: own.type, crypto_wallet_address: own.address };
    const { data } = await door.post('/crypto_wallets/authenticate/start/primary', names);
    const signature = own.sign(String(data['challenge']));
    return (at) => at.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES });
  },
});

export const LINK: Way = {
  name: 'a link by email',
  provesAddress: true,
  comesAgain: true,
  async begin(door, { email }) {
    await door.post('/magic_links/email/login_or_create', { email });
    const token = inMail((await door.newest(email))?.link);
    return (at) => at.post('/magic_links/authenticate', { token, ...MINUTES });
  },
};

const PASSKEY: Way = {
  name: 'a passkey alone',
  provesAddress: false,
  comesAgain: false,
  async begin(door, { email }) {
    const { data } = await door.post('/webauthn/sign_up/start', { domain: 'localhost', email });
    const options = data['public_key_credential_creation_options'] as string | undefined;
    const made = options === undefined ? '{}' : new SoftwareAuthenticator().create(JSON.parse(options) as Fields);
    return (at) => at.post('/webauthn/sign_up', { public_key_credential: made, ...MINUTES });
  },
};

const ONE_TAP: Way = {
  name: 'Google One Tap',
  provesAddress: true,
  comesAgain: true,
  async begin(door, { email }) {
    const started = await door.post('/oauth/google/onetap/start', { public_token: PUBLIC_TOKEN });
    const credential = await door.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: 'portico-test-client', email, email_verified: true }),
    });
    const { credential: id_token } = (await credential.json()) as Fields;
    const oauth_callback_id = String(started.data['oauth_callback_id']);
    const body = { public_token: PUBLIC_TOKEN, oauth_callback_id, id_token };
    const { data } = await door.post('/oauth/google/onetap/submit', body);
    const token = new URL(String(data['redirect_url'])).searchParams.get('token');
    return (at) => at.post('/oauth/authenticate', { token, ...MINUTES });
  },
};

export const TEXT = byPasscode('sms');

export const WAYS: readonly Way[] = [
  LINK,
  byPasscode('email'),
  TEXT,
  byPasscode('whatsapp'),
  {
    name: 'a password',
    provesAddress: false,
    comesAgain: false,
    begin: (_, { email }) =>
      Promise.resolve((at) => at.post('/passwords', { email, password: 'correct horse battery staple 9', ...MINUTES })),
  },
  PASSKEY,
  byAccount('a social account with a verified address', (email) => ({ email, verified: 'yes' }), true),
  byAccount('a social account with an address that nobody verified', (email) => ({ email }), false),
  ONE_TAP,
  byWallet(() => new SoftwareWallet(), 'an Ethereum wallet'),
  byWallet(() => new SolanaWallet(), 'a Solana wallet'),
  {
    name: 'a token of a trusted issuer',
    provesAddress: true,
    comesAgain: true,
    async begin(door, { email }) {
      const { token } = await administer(door.services, 'trusted-token', { profile: 'partner', email });
      return (at) => at.post('/sessions/attest', { profile_id: 'partner', token, ...MINUTES });
    },
  },
];

/** Calls by which the app's own server lets a visitor in. */
export const SERVER_WAYS: readonly (readonly [name: string, path: string, body: (person: Person) => Fields])[] = [
  ['a link', '/magic_links/email/login_or_create', ({ email }) => ({ email })],
  ['a passcode', '/otps/email/login_or_create', ({ email }) => ({ email })],
  ['a text', '/otps/sms/login_or_create', ({ number }) => ({ phone_number: number })],
  ['a password', '/passwords', ({ email }) => ({ email, password: 'correct horse battery staple 9' })],
];
