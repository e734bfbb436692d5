import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DEFAULT_LIMITS, type Limits } from '#provider/project/settings/limits.ts';
import { basic, makeProvider, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { CALLBACK, challenge, ISSUER, SETTINGS, verifier } from '../kit/idp-harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

/** Steps of attacks on accounts, using only the HTTP interface. */

export const MINUTES = { session_duration_minutes: 60 };
export const APP = 'everything';
const ALL_SCOPES = ['openid', 'email', 'offline_access', 'full_access'];
const FREELY = { max: 1_000_000, windowMs: 1000 };

/** A provider with an app that may request all scopes, and with limits that a test of races does not reach. */
export function makeTarget(
  url: string | undefined,
  bounds: Partial<Limits> = {},
  settings: object = {},
): Promise<Provider> {
  const kind = { client_type: 'public', redirect_uris: [CALLBACK], device_authorization_allowed: true };
  const app = { client_id: APP, name: 'App', ...kind, scopes: ALL_SCOPES };
  const limits = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, FREELY]));
  return makeProvider(url, {
    project: projectFrom({ ...SETTINGS, clients: [app], ...settings }),
    limits: { ...DEFAULT_LIMITS, ...limits, ...bounds },
  });
}

/** Finishes an addition, in the session in which it was begun unless another one is given. */
export type Finish = (inSession?: string) => Promise<ProviderResponse>;

/** An addition that gives the attacker access again: begun in a session, finished later, then used. */
export interface WayIn {
  readonly name: string;
  /** Begins the addition in a session of the account, and resolves with the function that finishes it. */
  begin(session: string): Promise<Finish>;
  /** Uses the addition: resolves with the id of the user to whom it gives access, or null. */
  enter(): Promise<string | null>;
}

export const uniqueEmail = (name: string): string => `${name}-${randomUUID()}@example.com`;
let numbers = 0;
/** One of 6,000 in turn, where random ones would soon meet; files that count their own begin below. */
export const uniqueNumber = (): string => `+1415555${4000 + ((numbers += 1) % 6000)}`;

export const codeOf = (provider: Provider, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: provider.clock.time + steps * 30_000 });

const idIn = ({ status, data }: ProviderResponse): string | null => (status === 200 ? String(data['user_id']) : null);

/** Sends a form to the token endpoint. */
export async function token(provider: Provider, fields: Fields): Promise<Fields> {
  const body = new URLSearchParams({ client_id: APP, ...fields });
  const reply = await provider.app.request(`${ISSUER}/oauth2/token`, { method: 'POST', body });
  return (await reply.json()) as Fields;
}

/** Consents to the scopes; resolves with the code, or the reply of the refusal. */
export function consent(provider: Provider, session: string, scopes: readonly string[] = ALL_SCOPES) {
  const request = { client_id: APP, redirect_uri: CALLBACK, response_type: 'code', scopes };
  const body = { ...request, code_challenge: challenge, consent_granted: true };
  return provider.post('/idp/oauth/authorize/submit', body, { session });
}

export const redeemCode = (provider: Provider, code: unknown): Promise<Fields> =>
  token(provider, { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier, code });

export const refresh = (provider: Provider, refresh_token: unknown): Promise<Fields> =>
  token(provider, { grant_type: 'refresh_token', refresh_token });

export const exchange = (provider: Provider, access_token: unknown): Promise<ProviderResponse> =>
  provider.post('/sessions/exchange_access_token', { access_token, ...MINUTES });

export const isAlive = async (provider: Provider, session: unknown): Promise<boolean> =>
  (await provider.call('GET', '/users/me', undefined, { session: String(session) })).status === 200;

const lastMessage = async (provider: Provider, to: string) => provider.newest(to);

export function wallet(provider: Provider): WayIn {
  const own = new SoftwareWallet();
  const names = { crypto_wallet_type: own.type, crypto_wallet_address: own.address };
  const start = (step: string, extras = {}) =>
    provider.post(`/crypto_wallets/authenticate/start/${step}`, names, extras);
  const finish = (challenged: ProviderResponse, extras = {}) => {
    const signature = own.sign(String(challenged.data['challenge']));
    return provider.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES }, extras);
  };
  return {
    name: 'a wallet',
    async begin(session) {
      const challenged = await start('secondary', { session });
      return (inSession = session) => finish(challenged, { session: inSession });
    },
    enter: async () => idIn(await finish(await start('primary'))),
  };
}

export function passkey(provider: Provider): WayIn & { readonly login: () => Promise<Fields> } {
  const key = new SoftwareAuthenticator();
  const asked = { domain: 'localhost', return_passkey_credential_options: true };
  const enter = async () => {
    const { data } = await provider.post('/webauthn/authenticate/start/primary', asked);
    const signed = key.get(JSON.parse(data['public_key_credential_request_options']) as Fields);
    return provider.post('/webauthn/authenticate', { public_key_credential: signed, ...MINUTES });
  };
  return {
    name: 'a passkey',
    async begin(session) {
      const { data } = await provider.post('/webauthn/register/start', asked, { session });
      const made = key.create(JSON.parse(data['public_key_credential_creation_options']) as Fields);
      return (inSession = session) =>
        provider.post('/webauthn/register', { public_key_credential: made }, { session: inSession });
    },
    enter: async () => idIn(await enter()),
    login: async () => (await enter()).data,
  };
}

/** Enters the newest code that was sent to an address or number. */
async function enterCode(provider: Provider, to: string, method_id: unknown, session?: string): Promise<Finish> {
  const code = (await lastMessage(provider, to))?.code;
  return (inSession = session) =>
    provider.post(
      '/otps/authenticate',
      { token: code, method_id, ...MINUTES },
      inSession === undefined ? {} : { session: inSession },
    );
}

export function phone(provider: Provider): WayIn {
  const number = uniqueNumber();
  return {
    name: 'a telephone number',
    async begin(session) {
      const sent = await provider.post('/otps/sms/send/secondary', { phone_number: number }, { session });
      return enterCode(provider, number, sent.data['method_id'], session);
    },
    async enter() {
      const sent = await provider.post('/otps/sms/send/primary', { phone_number: number });
      return sent.status === 200 ? idIn(await (await enterCode(provider, number, sent.data['method_id']))()) : null;
    },
  };
}

export function secondAddress(provider: Provider): WayIn {
  const email = uniqueEmail('second');
  return {
    name: 'another address',
    async begin(session) {
      const sent = await provider.post('/otps/email/send/secondary', { email }, { session });
      return enterCode(provider, email, sent.data['method_id'], session);
    },
    async enter() {
      const sent = await provider.post('/otps/email/send/primary', { email });
      return sent.status === 200 ? idIn(await (await enterCode(provider, email, sent.data['method_id']))()) : null;
    },
  };
}

export function addressByLink(provider: Provider): WayIn {
  const email = uniqueEmail('linked');
  const tokenIn = async () =>
    new URL((await lastMessage(provider, email))?.link ?? 'http://none').searchParams.get('token');
  return {
    name: 'another address, by link',
    async begin(session) {
      await provider.post('/magic_links/email/send/secondary', { email }, { session });
      const link = await tokenIn();
      return (inSession = session) =>
        provider.post('/magic_links/authenticate', { token: link, ...MINUTES }, { session: inSession });
    },
    async enter() {
      const sent = await provider.post('/magic_links/email/send/primary', { email });
      if (sent.status !== 200) return null;
      return idIn(await provider.post('/magic_links/authenticate', { token: await tokenIn(), ...MINUTES }));
    },
  };
}

/** An app with every scope, which refreshes its tokens and makes sessions of them. */
export function app(provider: Provider): WayIn {
  let tokens: Fields = {};
  return {
    name: 'an app',
    begin: (session) =>
      Promise.resolve(async (inSession = session) => {
        const reply = await consent(provider, inSession);
        if (reply.status === 200) tokens = await redeemCode(provider, reply.data['authorization_code']);
        return reply;
      }),
    async enter() {
      const refreshed = await refresh(provider, tokens['refresh_token'] ?? 'none');
      return idIn(await exchange(provider, refreshed['access_token'] ?? tokens['access_token'] ?? 'none'));
    },
  };
}

export const WAYS_IN: readonly ((provider: Provider) => WayIn)[] = [
  wallet,
  passkey,
  phone,
  secondAddress,
  addressByLink,
  app,
];

/** Adds all of them one after the other, each in the session that the previous addition returned. Resolves with the last token. */
export async function plantAll(session: string, ways: readonly WayIn[]): Promise<string> {
  let current = session;
  for (const way of ways) {
    const reply = await (await way.begin(current))();
    if (reply.status !== 200) throw new Error(`${way.name}: ${JSON.stringify(reply.body)}`);
    current = String(reply.data['session_token'] ?? current);
  }
  return current;
}

/** Begins an enrolment of an authenticator app and enters its first code, which something else may have ended. */
export async function tryEnrolment(provider: Provider, session: string) {
  const begun = await provider.post('/totps', { expiration_minutes: 60 }, { session });
  if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
  const body = { totp_code: codeOf(provider, String(begun.data['secret'])), ...MINUTES };
  return { data: begun.data, entered: await provider.post('/totps/authenticate', body, { session }) };
}

/** Enrols an authenticator app for the session's user. Resolves with the session's new token and the app's secret. */
export async function enrolTotp(provider: Provider, session: string) {
  const { data, entered } = await tryEnrolment(provider, session);
  if (entered.status !== 200) throw new Error(JSON.stringify(entered.body));
  provider.clock.time += 30_000;
  const secret = String(data['secret']);
  return {
    session: String(entered.data['session_token']),
    totp_id: String(data['totp_id']),
    secret,
    recovery_codes: data['recovery_codes'] as readonly string[],
  };
}

/** A call of the backend API, as the app's own server makes it. */
export async function fromServer(provider: Provider, path: string, fields: Fields, method = 'POST') {
  const authorization = basic(provider.services.project.project_id, DEV_SECRET);
  const reply = await provider.app.request(`/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(method === 'DELETE' ? {} : { body: JSON.stringify(fields) }),
  });
  return { status: reply.status, body: (await reply.json()) as Fields };
}
