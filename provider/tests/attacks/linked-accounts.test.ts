import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, otherThan, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { browser, ORIGIN } from '../kit/oauth-harness.ts';
import { codeOf, enrolTotp, fromServer, makeTarget, MINUTES, tryEnrolment, uniqueEmail } from './attacker.ts';
import { LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { oneOf, RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const TRIES = Math.max(2, RACES);

describe.each(EITHER_DATABASE)('an attacker with the mailbox of a user with an authenticator app, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function guarded() {
    const email = uniqueEmail('guarded');
    const { user_id, session_token } = await provider.signIn(email);
    return { email, user_id: String(user_id), ...(await enrolTotp(provider, String(session_token))) };
  }
  type Owner = Awaited<ReturnType<typeof guarded>>;

  /** A login with a social account that was made with the mailbox. */
  const tokenOf = async ({ email }: Owner) => browser(provider).token('google', { email, verified: 'yes' });
  const redeem = async (token: string, session?: string) =>
    provider.post('/oauth/authenticate', { token, ...MINUTES }, session === undefined ? {} : { session });
  const logIn = async (owner: Owner): Promise<Fields> => {
    const { status, data } = await redeem(await tokenOf(owner));
    expect([status, data['user_id']]).toEqual([200, owner.user_id]);
    return data;
  };
  const prove = async (owner: Owner, session: unknown) => {
    provider.clock.time += 30_000;
    const body = { totp_code: codeOf(provider, owner.secret), ...MINUTES };
    return provider.post('/totps/authenticate', body, { session: String(session) });
  };
  const accountsOf = async ({ user_id }: Pick<Owner, 'user_id'>) =>
    provider.services.db.selectFrom('oauth_registrations').selectAll().where('user_id', '=', user_id).execute();
  const waiting = async () =>
    (await provider.services.db.selectFrom('pending_oauth_registrations').selectAll().execute()).length;

  it('is logged in without the second factor, and leaves no social account behind', async () => {
    const owner = await guarded();
    const login = await logIn(owner);
    expect(login['user'].providers).toEqual([]);
    expect(login['session'].authentication_factors).toMatchObject([{ type: 'oauth' }]);
    expect(await accountsOf(owner)).toEqual([]);
    // The owner proves the second factor in sessions of their own.
    expect((await prove(owner, owner.session)).status).toBe(200);
    const other = await provider.signIn(owner.email);
    expect((await prove(owner, other['session_token'])).status).toBe(200);
    expect(await accountsOf(owner)).toEqual([]);
    const before = await waiting();
    await provider.post('/sessions/revoke', {}, { session: String(login['session_token']) });
    expect(await waiting()).toBe(before - 1);
    expect((await prove(owner, login['session_token'])).status).toBe(401);
    expect(await accountsOf(owner)).toEqual([]);
  });

  it.each(oneOf(2, ['a code', 'a recovery code']))(
    'the owner keeps the account by %s in the same session',
    async (how) => {
      const owner = await guarded();
      const login = await logIn(owner);
      const session = String(login['session_token']);
      const [recovery_code] = owner.recovery_codes;
      const proven =
        how === 'a code'
          ? await prove(owner, session)
          : await provider.post('/totps/recover', { recovery_code, ...MINUTES }, { session });
      expect(proven.status).toBe(200);
      const [factor] = proven.data['session'].authentication_factors;
      expect(proven.data['user'].providers).toMatchObject([
        { provider_type: 'google', oauth_user_registration_id: factor.google_oauth_factor.id },
      ]);
      expect(await accountsOf(owner)).toHaveLength(1);
      expect((await logIn(owner))['user'].providers).toHaveLength(1);
    },
  );

  it('a wrong code stores nothing', async () => {
    const owner = await guarded();
    const session = String((await logIn(owner))['session_token']);
    const totp_code = otherThan(codeOf(provider, owner.secret));
    const wrong = await provider.post('/totps/authenticate', { totp_code, ...MINUTES }, { session });
    expect(wrong.status).toBe(404);
    expect(await accountsOf(owner)).toEqual([]);
  });

  it('a session that proves it already keeps the account at once; one of another user does not', async () => {
    const owner = await guarded();
    const other = await guarded();
    expect((await redeem(await tokenOf(owner), other.session)).data['user_id']).toBe(owner.user_id);
    expect([await accountsOf(owner), await accountsOf(other)]).toEqual([[], []]);
    expect((await redeem(await tokenOf(owner), owner.session)).status).toBe(200);
    expect(await accountsOf(owner)).toHaveLength(1);
  });

  it('the app’s own server and One Tap link no sooner', async () => {
    const owner = await guarded();
    const { body } = await fromServer(provider, '/oauth/authenticate', { token: await tokenOf(owner) });
    expect(body).toMatchObject({ user_id: owner.user_id, session: null, user: { providers: [] } });
    const started = await provider.post('/oauth/google/onetap/start', { public_token: PUBLIC_TOKEN });
    const { google_client_id: client_id, oauth_callback_id } = started.data;
    const credential = await provider.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, email: owner.email, email_verified: true }),
    });
    const { credential: id_token } = (await credential.json()) as Fields;
    const fields = { public_token: PUBLIC_TOKEN, id_token, oauth_callback_id };
    const tapped = await provider.post('/oauth/google/onetap/submit', fields);
    const token = new URL(tapped.data['redirect_url']).searchParams.get('token') ?? '';
    expect((await redeem(token)).data['user_id']).toBe(owner.user_id);
    expect(await accountsOf(owner)).toEqual([]);
  });

  it('an account that another user took meanwhile stays theirs', async () => {
    const owner = await guarded();
    const session = String((await logIn(owner))['session_token']);
    const other = await provider.signIn(uniqueEmail('other'));
    const { db } = provider.services;
    const taken = await logIn(owner);
    await db
      .insertInto('oauth_registrations')
      .values({
        oauth_user_registration_id: `oauth-user-test-${owner.user_id}`,
        user_id: String(other['user_id']),
        provider_type: 'google',
        provider_subject: String(taken['provider_subject']),
        profile_picture_url: '',
        locale: '',
        created_at: new Date(provider.clock.time),
        refresh_token: null,
      })
      .execute();
    expect((await prove(owner, session)).status).toBe(200);
    expect(await accountsOf(owner)).toEqual([]);
  });

  describe('at the same moment', () => {
    const times = Array.from({ length: TRIES }, (__, index) => [index]);

    it.each(times)('the end of the session and its second factor agree (%i)', async () => {
      const owner = await guarded();
      const session = String((await logIn(owner))['session_token']);
      const [proven] = await Promise.all([prove(owner, session), provider.post('/sessions/revoke', {}, { session })]);
      expect([200, 401]).toContain(proven.status);
      expect(await accountsOf(owner)).toHaveLength(proven.status === 200 ? 1 : 0);
    });

    soakIt.each(times)('an enrolment and a login by the address agree (%i)', async () => {
      const email = uniqueEmail('enrolling');
      const { user_id, session_token } = await provider.signIn(email);
      const token = await browser(provider).token('google', { email, verified: 'yes' });
      const session = String(session_token);
      const [{ entered }, login] = await Promise.all([tryEnrolment(provider, session), redeem(token)]);
      expect([login.status, login.data['user_id']]).toEqual([200, user_id]);
      const { db } = provider.services;
      const stored = await accountsOf({ user_id: String(user_id) });
      expect(login.data['user'].providers).toHaveLength(stored.length);
      const { session_id } = login.data['session'];
      const kept = db.selectFrom('pending_oauth_registrations').selectAll().where('session_id', '=', session_id);
      expect(await kept.execute()).toHaveLength(1 - stored.length);
      const apps = db.selectFrom('totps').select('verified').where('user_id', '=', String(user_id));
      if (entered.status === 200) {
        expect(await apps.execute()).toEqual([{ verified: true }]);
        return;
      }
      // The account that joined between its two steps ended the enrolment, which begins again.
      expect([entered.body['error_type'], stored.length]).toEqual(['totp_not_found', 1]);
      expect(await apps.execute()).toEqual([]);
      expect((await tryEnrolment(provider, session)).entered.status).toBe(200);
    });
  });
});

describe.each(EITHER_DATABASE)('a social account that joins during a login with a step, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'], trusted_devices: { days: 30 } };
    provider = await makeTarget(url, {}, { mfa });
  });
  afterAll(() => provider.close());

  async function begun(fields: Fields = {}) {
    const email = uniqueEmail('joins');
    const { secret, session } = await makeGuarded(provider, email);
    const { data } = await provider.call('GET', '/users/me', undefined, { session });
    const page = new LoginBrowser(provider);
    page.fields = { ...page.fields, ...fields };
    const token = await browser(provider).token('google', { email, verified: 'yes' });
    const login = await page.post('/oauth/authenticate', { token, ...MINUTES });
    const accounts = async () =>
      provider.services.db
        .selectFrom('oauth_registrations')
        .selectAll()
        .where('user_id', '=', String(data['user_id']))
        .execute();
    return { page, secret, login, accounts };
  }

  it('is stored once the step is complete, and not before', async () => {
    const { page, secret, login, accounts } = await begun();
    expect(login.data['session']).toBeNull();
    expect(await accounts()).toEqual([]);
    const done = await page.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
    expect(done.data['user'].providers).toHaveLength(1);
    expect(await accounts()).toHaveLength(1);
  });

  it('is not stored where the step ends without the second factor', async () => {
    const { page, accounts } = await begun();
    expect((await page.post('/totps/authenticate', { totp_code: '000000', ...MINUTES })).status).not.toBe(200);
    expect(await accounts()).toEqual([]);
  });
});
