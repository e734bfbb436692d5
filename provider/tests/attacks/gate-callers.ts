import type { Hono } from 'hono';
import type { CallerKind } from '#domain/rules/gates.ts';
import { createApp } from '#provider/operation/app.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import type { Fields, Provider } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, consent, exchange, fromServer, MINUTES, redeemCode, uniqueEmail } from './attacker.ts';

/** A user, and a session of theirs that proves all that they have. */
export interface Person {
  readonly email: string;
  readonly user_id: string;
  readonly owner: string;
}

/** What a caller of one kind presents. */
export interface Credentials {
  readonly session?: string;
  /** The fields of a login that lacks a factor: for a page, and for the app's own server. */
  readonly step?: Fields;
  readonly stepOfServer?: Fields;
}

/** Whether the project asks for a second factor. A session of one factor that lacks nothing by the policy needs a project that does not. */
export const isWithoutPolicy = (kind: CallerKind): boolean => kind === 'one_factor';

const MFA = {
  policy: 'when_enrolled',
  factors: ['totp', 'recovery_code'],
  trusted_devices: { days: 30 },
};

export const GATE_SETTINGS = { mfa: MFA };

/** The same server with the policy off. */
export const withoutPolicy = ({ services }: Provider): Hono<AppEnv> => {
  const { mfa: _, ...project } = services.project;
  return createApp({ ...services, project: { ...project, mfa: null } });
};

/** The provider whose calls reach that app. */
export const providerAt = (provider: Provider, app: Hono<AppEnv>): Provider => ({
  ...provider,
  call: (method, path, body, extras) => provider.call(method, path, body, { ...extras, app }),
  post: (path, body, extras) => provider.post(path, body, { ...extras, app }),
});

async function makePerson(provider: Provider): Promise<Person> {
  const email = uniqueEmail('person');
  const { user_id, session_token } = await provider.signIn(email);
  return { email, user_id: String(user_id), owner: String(session_token) };
}

async function makeGuardedPerson(provider: Provider): Promise<Person & { readonly secret: string }> {
  const email = uniqueEmail('guarded');
  const { session, secret } = await makeGuarded(provider, email);
  const { data } = await provider.call('GET', '/users/me', undefined, { session });
  return { email, user_id: String(data['user_id']), owner: session, secret };
}

type CallerMaker = (
  provider: Provider,
  off: Hono<AppEnv>,
) => Promise<{ readonly person: Person; readonly present: () => Promise<Credentials> }>;

const plain =
  (present: (provider: Provider, person: Person) => Promise<Credentials>): CallerMaker =>
  async (provider) => {
    const person = await makePerson(provider);
    return { person, present: async () => present(provider, person) };
  };

/** A user for each kind of caller, and how one of that kind comes to what they present. */
export const CALLER_MAKERS: Readonly<Record<CallerKind, CallerMaker>> = {
  none: plain(() => Promise.resolve({})),

  ended: plain(async (provider, { email }) => {
    const { session_token } = await provider.signIn(email);
    const session = String(session_token);
    await provider.post('/sessions/revoke', {}, { session });
    return { session };
  }),

  async intermediate(provider) {
    const person = await makeGuardedPerson(provider);
    const present = async (): Promise<Credentials> => {
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, person.email);
      const { method_id, code } = await provider.sendCode(person.email);
      const { body } = await fromServer(provider, '/otps/authenticate', { method_id, code, ...MINUTES });
      const { intermediate_session_token } = body;
      return { step: browser.fields, stepOfServer: { intermediate_session_token } };
    };
    return { person, present };
  },

  lacking: plain(async (provider, { user_id, owner }) => {
    const { db } = provider.services;
    await db.updateTable('users').set({ mfa_policy: 'required' }).where('user_id', '=', user_id).execute();
    return { session: owner };
  }),

  impersonated: plain(async (provider, { email }) => {
    const { token } = await administer(provider.services, 'impersonate', { user: email, by: 'ann' });
    const { data } = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    return { session: String(data['session_token']) };
  }),

  jwt_alone: plain(async (provider, { email }) => ({
    session: String((await provider.signIn(email))['session_jwt']),
  })),

  exchanged: plain(async (provider, { owner }) => {
    const granted = await consent(provider, owner, ['openid', 'full_access']);
    const tokens = await redeemCode(provider, granted.data['authorization_code']);
    return { session: String((await exchange(provider, tokens['access_token'])).data['session_token']) };
  }),

  async one_factor(provider, off) {
    const person = await makeGuardedPerson(provider);
    const present = async (): Promise<Credentials> => {
      const { method_id, code } = await provider.sendCode(person.email);
      const { data } = await provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES }, { app: off });
      return { session: String(data['session_token']) };
    };
    return { person, present };
  },

  async trusted_browser(provider) {
    const person = await makeGuardedPerson(provider);
    const present = async (): Promise<Credentials> => {
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, person.email);
      const entered = { totp_code: codeOf(provider, person.secret), trust_device: true, ...MINUTES };
      await browser.post('/totps/authenticate', entered);
      const trusted = new LoginBrowser(provider);
      trusted.fields = { ...trusted.fields, trusted_device_token: browser.fields['trusted_device_token'] };
      return { session: String((await enterEmail(provider, trusted, person.email)).data['session_token']) };
    };
    return { person, present };
  },

  stale_proof: plain((_, { owner }) => Promise.resolve({ session: owner })),

  complete: plain((_, { owner }) => Promise.resolve({ session: owner })),
};
