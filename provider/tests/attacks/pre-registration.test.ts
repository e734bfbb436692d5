import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import {
  consent,
  enrolTotp,
  exchange,
  fromServer,
  isAlive,
  makeTarget,
  MINUTES,
  plantAll,
  redeemCode,
  refresh,
  uniqueEmail,
  WAYS_IN,
} from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const OWN_PASSWORD = 'a wholly different phrase of mine';

describe.each(EITHER_DATABASE)('a sign-up with the address of another person, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const tokenOf = (link: string | undefined) => new URL(link ?? 'http://none').searchParams.get('token') ?? '';
  const mailTo = async (email: string) => provider.newest(email);
  const resetLink = async (email: string): Promise<string> => {
    await provider.post('/passwords/email/reset/start', { email });
    return tokenOf((await mailTo(email))?.link);
  };
  const reset = async (email: string, session?: string): Promise<ProviderResponse> => {
    const body = { token: await resetLink(email), password: OWN_PASSWORD, ...MINUTES };
    return provider.post('/passwords/email/reset', body, session === undefined ? {} : { session });
  };

  /** Adds every kind of access that the wire has in the session, and leaves tokens, codes and links unused. */
  async function plant(email: string, session: string) {
    const ways = WAYS_IN.map((make) => make(provider));
    const planted = await plantAll(session, ways);
    const tokens = await redeemCode(provider, (await consent(provider, planted)).data['authorization_code']);
    const { data } = await exchange(provider, tokens['access_token']);
    const code = (await consent(provider, planted)).data['authorization_code'];
    const link = await provider.sendLink(email);
    const passcode = await provider.sendCode(email);
    const reset = await resetLink(email);
    const enrolled = await enrolTotp(provider, planted);
    return { ways, tokens, code, link, passcode, reset, sessions: [session, enrolled.session, data['session_token']] };
  }

  async function expectNothingLeft(
    owner: Fields,
    planted: Awaited<ReturnType<typeof plant>>,
    { socialLogins = 0, authenticatorApps = 0 } = {},
  ): Promise<void> {
    const session = String(owner['session_token']);
    const { data } = await provider.call('GET', '/users/me', undefined, { session });
    expect(data).toMatchObject({
      user_id: owner['user_id'],
      phone_numbers: [],
      webauthn_registrations: [],
      crypto_wallets: [],
      ...NO_NAMES,
    });
    expect(data['totps']).toHaveLength(authenticatorApps);
    expect(data['emails']).toHaveLength(1);
    expect(data['providers']).toHaveLength(socialLogins);
    const entered = await Promise.all(planted.ways.map(async (way) => [way.name, await way.enter()] as const));
    expect(entered.filter(([, user]) => user === owner['user_id'])).toEqual([]);
    for (const each of planted.sessions) expect(await isAlive(provider, each)).toBe(false);
    expect(await refresh(provider, planted.tokens['refresh_token'])).toMatchObject({ error: 'invalid_grant' });
    expect((await exchange(provider, planted.tokens['access_token'])).body['error_type']).toBe('invalid_access_token');
    expect(await redeemCode(provider, planted.code)).toMatchObject({ error: 'invalid_grant' });
    const opened = await provider.post('/magic_links/authenticate', { token: planted.link, ...MINUTES });
    expect(opened.body['error_type']).toBe('unable_to_auth_magic_link');
    const { code: passcode, method_id } = planted.passcode;
    const entering = await provider.post('/otps/authenticate', { token: passcode, method_id, ...MINUTES });
    expect(entering.status).not.toBe(200);
    const resetting = { token: planted.reset, password: 'one more phrase of the thief', ...MINUTES };
    expect((await provider.post('/passwords/email/reset', resetting)).status).toBe(401);
  }

  const NAMES = {
    name: { first_name: 'Mallory' },
    untrusted_metadata: { payout: 'DE02 1203 0000 0000 2020 51' },
  };
  const NO_NAMES = { name: { first_name: '', middle_name: '', last_name: '' }, untrusted_metadata: {} };

  async function preRegister(email: string) {
    const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    const session = String(data['session_token']);
    expect((await provider.call('PUT', '/users/me', NAMES, { session })).status).toBe(200);
    return plant(email, session);
  }

  const PROOFS: Readonly<Record<string, (email: string) => Promise<ProviderResponse>>> = {
    async 'a link'(email) {
      const body = { token: await provider.sendLink(email), ...MINUTES };
      return provider.post('/magic_links/authenticate', body);
    },
    async 'a passcode'(email) {
      const { method_id, code } = await provider.sendCode(email);
      return provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES });
    },
    'a password reset': (email) => reset(email),
    async 'a social login'(email) {
      const choice = { email, verified: 'yes' } as const;
      const token = await browser(provider).token('google', choice, { code_challenge: CHALLENGE });
      return provider.post('/oauth/authenticate', { token, code_verifier: VERIFIER, ...MINUTES });
    },
  };

  it.each(oneOf(4, Object.keys(PROOFS)))(
    'the attacker keeps nothing once the owner verifies the address by %s',
    async (name) => {
      const email = uniqueEmail('victim');
      const planted = await preRegister(email);
      const proven = await PROOFS[name]!(email);
      expect(proven.body).not.toHaveProperty('error_type');
      expect(proven.status).toBe(200);
      await expectNothingLeft(proven.data, planted, { socialLogins: name === 'a social login' ? 1 : 0 });
      const entered = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      expect(entered.status).not.toBe(200);
    },
  );

  soakIt(
    'the attacker who signed up with an invited address keeps nothing once the owner opens the invitation',
    async () => {
      const email = uniqueEmail('invited');
      expect((await fromServer(provider, '/magic_links/email/invite', { email })).status).toBe(200);
      const invitation = tokenOf((await mailTo(email))?.link);
      const planted = await preRegister(email);
      const { status, data } = await provider.post('/magic_links/authenticate', { token: invitation, ...MINUTES });
      expect(status).toBe(200);
      await expectNothingLeft(data, planted);
      const entered = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      expect(entered.status).not.toBe(200);
    },
  );

  // What every proof does at once with the rest, which the test above looks at.
  soakIt.each(Object.keys(PROOFS))(
    'the attacker’s names and data are gone once the owner verifies the address by %s',
    async (name) => {
      const email = uniqueEmail('victim');
      const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
      const session = String(data['session_token']);
      expect((await provider.call('PUT', '/users/me', NAMES, { session })).status).toBe(200);
      const { user } = (await PROOFS[name]!(email)).data;
      expect(user).toMatchObject(NO_NAMES);
    },
  );

  soakIt('the attacker gets into a verified account no more once the owner resets the password by email', async () => {
    const email = uniqueEmail('owner');
    const owner = await provider.signIn(email);
    const planted = await plant(email, owner['session_token']);
    const { status, data } = await reset(email);
    expect(status).toBe(200);
    // A mailbox alone removes no second factor: it is the operator who removes one that a thief added.
    await expectNothingLeft(data, planted, { authenticatorApps: 1 });
    expect(await isAlive(provider, owner['session_token'])).toBe(false);
  });

  it.each(oneOf(2, ['session', 'existing password']))(
    'the attacker’s sessions end when the owner changes the password by %s',
    async (by) => {
      const email = uniqueEmail('changer');
      await provider.signIn(email);
      const first = await reset(email);
      const mine = String(first.data['session_token']);
      const body = { email, password: OWN_PASSWORD, ...MINUTES };
      const theirs = String((await provider.post('/passwords/authenticate', body)).data['session_token']);
      const ways = WAYS_IN.filter(({ name }) => name === 'app').map((make) => make(provider));
      await plantAll(theirs, ways);
      const pending = await provider.sendLink(email);
      const { method_id, code } = await provider.sendCode(email);
      const changed =
        by === 'session'
          ? await provider.post('/passwords/session/reset', { password: PASSWORD }, { session: mine })
          : await provider.post(
              '/passwords/existing_password/reset',
              { email, existing_password: OWN_PASSWORD, new_password: PASSWORD, ...MINUTES },
              { session: mine },
            );
      expect(changed.status).toBe(200);
      expect(await isAlive(provider, theirs)).toBe(false);
      expect(await isAlive(provider, changed.data['session_token'])).toBe(true);
      expect(await Promise.all(ways.map((way) => way.enter()))).toEqual([null]);
      expect((await provider.post('/magic_links/authenticate', { token: pending, ...MINUTES })).status).toBe(401);
      expect((await provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES })).status).not.toBe(200);
    },
  );
});
