import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { codeOf, enrolTotp, isAlive, makeTarget, MINUTES, passkey, uniqueEmail } from './attacker.ts';
import { SOAK } from '#tests/soak.ts';

const OWN = 'a phrase of the owner alone';
const THEIRS = 'a phrase of whoever reads the mail';
const ROUNDS = SOAK ? { pglite: 3, postgres: 8 } : { pglite: 1, postgres: 1 };

describe.each(EITHER_DATABASE)('a reader of the emails of a user with an authenticator app, on %s', (database, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const resetLink = async (email: string): Promise<string> => {
    await provider.post('/passwords/email/reset/start', { email });
    const message = await provider.newest(email);
    return new URL(message?.link ?? 'http://none').searchParams.get('token') ?? '';
  };
  const reset = async (email: string, session?: string): Promise<ProviderResponse> => {
    const body = { token: await resetLink(email), password: THEIRS, ...MINUTES };
    return provider.post('/passwords/email/reset', body, session === undefined ? {} : { session });
  };
  /** A user with a verified address, and their authenticator app. */
  async function guarded() {
    const email = uniqueEmail('guarded');
    const { session_token } = await provider.signIn(email);
    return { email, app: await enrolTotp(provider, String(session_token)) };
  }
  const factorsIn = ({ data }: ProviderResponse): readonly string[] =>
    (data['session']['authentication_factors'] as readonly Fields[]).map(({ type }) => String(type));

  async function expectGuarded(session: string, app: Awaited<ReturnType<typeof enrolTotp>>) {
    const refused = [
      await provider.post('/totps/recovery_codes', {}, { session }),
      await provider.call('DELETE', `/users/totps/${app.totp_id}`, undefined, { session }),
      await provider.post('/otps/email/send/secondary', { email: uniqueEmail('more') }, { session }),
      await provider.post('/passwords/session/reset', { password: OWN }, { session }),
    ];
    expect(refused.map(({ body }) => body['error_type'])).toEqual(refused.map(() => 'mfa_required'));
    await expect(passkey(provider).begin(session)).rejects.toThrow();
  }

  it('gets a session without it by a reset, and the app and its recovery codes stay', async () => {
    const { email, app } = await guarded();
    const done = await reset(email);
    expect(done.data['user']['totps']).toMatchObject([{ totp_id: app.totp_id, verified: true }]);
    expect(factorsIn(done)).toEqual(['password']);
    expect(await isAlive(provider, app.session)).toBe(false);
    const session = String(done.data['session_token']);
    await expectGuarded(session, app);
    const recovery_code = app.recovery_codes[0];
    const recovered = await provider.post('/totps/recover', { recovery_code, ...MINUTES }, { session });
    const codes = await provider.post(
      '/totps/recovery_codes',
      {},
      { session: String(recovered.data['session_token']) },
    );
    expect(codes.data['totps'][0]['recovery_codes']).toEqual(app.recovery_codes.slice(1));
  });

  it('gets a session without it by the link of a reset alone, and the password stays', async () => {
    const { email, app } = await guarded();
    const set = await provider.post('/passwords/session/reset', { password: OWN }, { session: app.session });
    expect(set.status).toBe(200);
    const token = await resetLink(email);
    const opened = await provider.post('/magic_links/authenticate', { token, ...MINUTES });
    expect([opened.status, factorsIn(opened)]).toEqual([200, ['magic_link']]);
    await expectGuarded(String(opened.data['session_token']), app);
    expect((await provider.post('/passwords/authenticate', { email, password: OWN, ...MINUTES })).status).toBe(200);
    const again = { token, password: THEIRS, ...MINUTES };
    expect((await provider.post('/passwords/email/reset', again)).body['error_type']).toBe('unable_to_auth_magic_link');
    expect((await provider.post('/magic_links/authenticate', again)).status).not.toBe(200);
  });

  it.each(['a code', 'a recovery code'])('a session that %s proved goes on without it after a reset', async (by) => {
    const { email, app } = await guarded();
    const { session_token } = await provider.signIn(email);
    const mine = { session: String(session_token) };
    const totp_code = codeOf(provider, app.secret);
    const entered =
      by === 'a code'
        ? await provider.post('/totps/authenticate', { totp_code, ...MINUTES }, mine)
        : await provider.post('/totps/recover', { recovery_code: app.recovery_codes[1], ...MINUTES }, mine);
    const done = await reset(email, String(entered.data['session_token']));
    expect(done.data['session']['session_id']).toBe(entered.data['session']['session_id']);
    expect(factorsIn(done)).toEqual(['otp', 'password']);
    await expectGuarded(String(done.data['session_token']), app);
  });

  it('ends the authenticator app of a stranger who signed up with the address', async () => {
    const email = uniqueEmail('victim');
    const { data } = await provider.post('/passwords', { email, password: OWN, ...MINUTES });
    const { session } = await enrolTotp(provider, String(data['session_token']));
    const done = await reset(email, session);
    expect(done.data['user']['totps']).toEqual([]);
    expect(factorsIn(done)).toEqual(['password']);
    expect(await isAlive(provider, session)).toBe(false);
  });

  it('ends an authenticator app that was never verified', async () => {
    const email = uniqueEmail('half');
    const { session_token } = await provider.signIn(email);
    await provider.post('/totps', { expiration_minutes: 60 }, { session: String(session_token) });
    expect((await reset(email)).data['user']['totps']).toEqual([]);
  });

  it('a reset and an enrolment at once leave a whole app or none, and no session that proved it', async () => {
    for (let round = 0; round < ROUNDS[database as keyof typeof ROUNDS]; round += 1) {
      const email = uniqueEmail('race');
      const { session_token } = await provider.signIn(email);
      const session = String(session_token);
      const { data } = await provider.post('/totps', { expiration_minutes: 60 }, { session });
      const body = { token: await resetLink(email), password: THEIRS, ...MINUTES };
      const totp_code = codeOf(provider, String(data['secret']));
      const [done, enrolled] = await Promise.all([
        provider.post('/passwords/email/reset', body),
        provider.post('/totps/authenticate', { totp_code, ...MINUTES }, { session }),
        provider.post('/totps', { expiration_minutes: 60 }, { session }),
      ]);
      expect([done.status, enrolled.status < 500]).toEqual([200, true]);
      const mine = { session: String(done.data['session_token']) };
      const { totps } = (await provider.call('GET', '/users/me', undefined, mine)).data;
      expect(totps).toHaveLength(enrolled.status === 200 ? 1 : 0);
      expect((totps as readonly Fields[]).every(({ verified }) => verified === true)).toBe(true);
      expect(factorsIn(done)).toEqual(['password']);
      expect(await isAlive(provider, session)).toBe(false);
      expect(await isAlive(provider, enrolled.data['session_token'])).toBe(false);
    }
  });
});
