import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import {
  app,
  enrolTotp,
  fromServer,
  isAlive,
  makeTarget,
  MINUTES,
  passkey,
  plantAll,
  secondAddress,
  uniqueEmail,
  uniqueNumber,
  wallet,
  WAYS_IN,
  type WayIn,
} from './attacker.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const ROUNDS = SOAK ? { pglite: 2, postgres: 6 } : { pglite: 1, postgres: 1 };

const tokenIn = (link: string | undefined): string => new URL(link ?? 'http://none').searchParams.get('token') ?? '';

/**
 * A stranger signs up with the address of somebody else, adds an address of their own, and makes the owner open a login link to it: the
 * owner is in the stranger's user then, reads the own address there, and verifies it.
 */
describe.each(EITHER_DATABASE)('an address in the user of a stranger, on %s', (database, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const newest = async (to: string) => provider.newest(to);
  const signUp = async (email: string): Promise<string> =>
    String((await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES })).data['session_token']);
  const logIn = (email: string) => provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
  const inSession = (session: string | undefined) => (session === undefined ? {} : { session });

  /** The stranger's user, and the session of the owner in it. */
  async function lure(ways: readonly WayIn[]) {
    const email = uniqueEmail('owner');
    const own = uniqueEmail('stranger');
    const session = await signUp(email);
    const sent = await provider.post('/otps/email/send/secondary', { email: own }, { session });
    const code = { token: (await newest(own))?.code, method_id: sent.data['method_id'], ...MINUTES };
    const added = await provider.post('/otps/authenticate', code, { session });
    const planted = await plantAll(String(added.data['session_token']), ways);
    const opened = await provider.post('/magic_links/authenticate', {
      token: await provider.sendLink(own),
      ...MINUTES,
    });
    return { email, own, planted, lured: String(opened.data['session_token']), user_id: opened.data['user_id'] };
  }

  const code = (path: string) => async (email: string, session?: string) => {
    const sent = await provider.post(`/otps/email/${path}`, { email }, inSession(session));
    const body = { token: (await newest(email))?.code, method_id: sent.data['method_id'], ...MINUTES };
    return () => provider.post('/otps/authenticate', body, inSession(session));
  };
  const link = (path: string) => async (email: string, session?: string) => {
    await provider.post(`/magic_links/email/${path}`, { email }, inSession(session));
    const token = tokenIn((await newest(email))?.link);
    return () => provider.post('/magic_links/authenticate', { token, ...MINUTES }, inSession(session));
  };
  const resetMail = (finish: 'reset' | 'open') => async (email: string, session?: string) => {
    await provider.post('/passwords/email/reset/start', { email });
    const token = tokenIn((await newest(email))?.link);
    return finish === 'open'
      ? () => provider.post('/magic_links/authenticate', { token, ...MINUTES }, inSession(session))
      : () =>
          provider.post(
            '/passwords/email/reset',
            { token, password: 'a phrase of the owner alone', ...MINUTES },
            inSession(session),
          );
  };
  const PROOFS: Readonly<
    Record<string, (email: string, session?: string) => Promise<() => Promise<ProviderResponse>>>
  > = {
    'a code that adds it': code('send/secondary'),
    'a link that adds it': link('send/secondary'),
    'a code': code('login_or_create'),
    'a link': link('login_or_create'),
    'a new password': resetMail('reset'),
    'the link of a reset, without a password': resetMail('open'),
  };

  /** Only the address is left of the user, and only the owner gets in. */
  async function expectOwned(proven: Fields, email: string, ways: readonly WayIn[], sessions: readonly string[]) {
    const mine = { session: String(proven['session_token']) };
    const { data } = await provider.call('GET', '/users/me', undefined, mine);
    expect(data).toMatchObject({
      emails: [{ email, verified: true }],
      phone_numbers: [],
      webauthn_registrations: [],
      crypto_wallets: [],
      providers: [],
      totps: [],
    });
    expect(data['emails']).toHaveLength(1);
    for (const session of sessions) expect(await isAlive(provider, session)).toBe(false);
    const entered = await Promise.all(ways.map(async (way) => [way.name, await way.enter()] as const));
    expect(entered.filter(([, user]) => user === proven['user_id'])).toEqual([]);
    expect((await logIn(email)).status).not.toBe(200);
  }

  it.each(oneOf(6, Object.keys(PROOFS)))('is the owner’s alone once they verify it there by %s', async (name) => {
    const ways = WAYS_IN.map((make) => make(provider));
    const { email, own, planted, lured, user_id } = await lure(ways);
    const proven = await (await PROOFS[name]!(email, lured))();
    expect([proven.status, proven.data['user_id']]).toEqual([200, user_id]);
    await expectOwned(proven.data, email, ways, [planted]);
    expect((await provider.post('/otps/email/send/primary', { email: own })).body['error_type']).toBe(
      'email_not_found',
    );
  });

  soakIt('is the owner’s alone when they were also made to add an address of the stranger', async () => {
    const { email, planted, lured } = await lure([]);
    const trap = uniqueEmail('trap');
    await link('send/secondary')(trap, planted);
    const token = tokenIn((await newest(trap))?.link);
    const trapped = await provider.post('/magic_links/authenticate', { token, ...MINUTES }, { session: lured });
    expect(trapped.status).toBe(200);
    const proven = await (await code('send/secondary')(email, String(trapped.data['session_token'])))();
    await expectOwned(proven.data, email, [], [planted]);
  });

  it('is the owner’s alone when they verify it for the app’s own server', async () => {
    const { email, planted, lured } = await lure([]);
    const sent = await fromServer(provider, '/otps/email/send', { email, session_token: lured });
    const given = { code: (await newest(email))?.code, method_id: sent.body['email_id'], session_token: lured };
    const proven = await fromServer(provider, '/otps/authenticate', given);
    expect([proven.status, proven.body['reset_sessions']]).toEqual([200, true]);
    expect(proven.body['session']).not.toBeNull();
    await expectOwned(proven.body, email, [], [planted, lured]);
  });

  it('is the owner’s alone when it is a number that the app’s own server gave', async () => {
    const own = uniqueEmail('stranger');
    const phone_number = uniqueNumber();
    const hash = '$2a$04$tzh3Y7cc5cSVtUjMPQlY.Od0rQ6JBPH.I94LJZWtEJNS1HSo9qpQy';
    const migrated = await fromServer(provider, '/passwords/migrate', {
      email: own,
      hash,
      hash_type: 'bcrypt',
      set_email_verified: true,
      phone_number,
    });
    expect(migrated.status).toBe(200);
    const stranger = await provider.signIn(own);
    const opened = await provider.post('/magic_links/authenticate', {
      token: await provider.sendLink(own),
      ...MINUTES,
    });
    const lured = { session: String(opened.data['session_token']) };
    const sent = await provider.post('/otps/sms/send/secondary', { phone_number }, lured);
    const body = { token: (await newest(phone_number))?.code, method_id: sent.data['method_id'], ...MINUTES };
    const proven = await provider.post('/otps/authenticate', body, lured);
    expect(proven.data['user']).toMatchObject({ emails: [], phone_numbers: [{ phone_number, verified: true }] });
    expect(await isAlive(provider, stranger['session_token'])).toBe(false);
    expect((await provider.post('/otps/email/send/primary', { email: own })).body['error_type']).toBe(
      'email_not_found',
    );
  });

  describe('that the same person signed up with', () => {
    const additions = ['a code that adds it', 'a link that adds it'];
    const logins = ['a code', 'a link', 'the link of a reset, without a password'];

    it.each(oneOf(4, logins))(
      'keeps nothing by %s, which is a login in a browser that has the session',
      async (name) => {
        const email = uniqueEmail('left');
        const ways = [wallet, passkey, secondAddress, app].map((make) => make(provider));
        const left = await plantAll(await signUp(email), ways);
        const proven = await (await PROOFS[name]!(email, left))();
        expect(proven.status).toBe(200);
        await expectOwned(proven.data, email, ways, [left]);
      },
    );

    it.each(oneOf(4, additions))(
      'keeps what the session of the sign-up added, and ends the rest, by %s',
      async (name) => {
        const email = uniqueEmail('same');
        const kept = [wallet, passkey, secondAddress, app].map((make) => make(provider));
        const lost = [wallet, passkey, secondAddress].map((make) => make(provider));
        const first = await plantAll(await signUp(email), kept);
        const other = await plantAll(String((await logIn(email)).data['session_token']), lost);
        const pending = await provider.sendLink(email);
        const proven = await (await PROOFS[name]!(email, first))();
        expect(proven.status).toBe(200);
        expect(await isAlive(provider, other)).toBe(false);
        const { user_id } = proven.data;
        expect(await Promise.all(kept.map((way) => way.enter()))).toEqual(kept.map(() => user_id));
        for (const way of lost) expect(await way.enter()).not.toBe(user_id);
        expect((await logIn(email)).data['user_id']).toBe(user_id);
        expect((await provider.post('/magic_links/authenticate', { token: pending, ...MINUTES })).status).toBe(401);
      },
    );

    it.each(oneOf(2, ['another session', 'a row of before']))('keeps nothing by %s', async (by) => {
      const email = uniqueEmail('later');
      const ways = [wallet, passkey, app].map((make) => make(provider));
      const first = await plantAll(await signUp(email), ways);
      const other = String((await logIn(email)).data['session_token']);
      if (by === 'a row of before') {
        await provider.services.db.updateTable('emails').set({ added_in: null }).where('email', '=', email).execute();
      }
      const session = by === 'a row of before' ? first : other;
      const proven = await (await code('send/secondary')(email, session))();
      await expectOwned(proven.data, email, ways, [first, other]);
    });

    soakIt('keeps the authenticator app of that session only', async () => {
      const email = uniqueEmail('totp');
      const { session } = await enrolTotp(provider, await signUp(email));
      const proven = await (await code('send/secondary')(email, session))();
      expect(proven.data['user']['totps']).toHaveLength(1);
      const late = uniqueEmail('totp');
      const first = await signUp(late);
      await enrolTotp(provider, String((await logIn(late)).data['session_token']));
      // The session of the sign-up cannot prove a factor that another session added.
      expect((await (await code('send/secondary')(late, first))()).status).toBeGreaterThanOrEqual(400);
      const again = await (await code('login_or_create')(late))();
      expect(again.data['user']['totps']).toEqual([]);
    });
  });

  soakIt('is the owner’s alone, whatever the stranger does at the same moment', async () => {
    for (let round = 0; round < ROUNDS[database as keyof typeof ROUNDS]; round += 1) {
      const { email, planted, lured } = await lure([]);
      const ways = WAYS_IN.map((make) => make(provider));
      const finishes = await Promise.all(ways.map((way) => way.begin(planted)));
      const prove = await Object.values(PROOFS)[round % 5]!(email, lured);
      const session = { session: planted };
      const attacks: readonly (() => Promise<ProviderResponse>)[] = [
        ...finishes,
        () => logIn(email),
        () => provider.post('/passwords/session/reset', { password: `${PASSWORD}!`, ...MINUTES }, session),
        () => provider.post('/sessions/authenticate', MINUTES, session),
      ];
      const [proven, ...done] = await Promise.all([prove(), ...attacks.map((attack) => attack())]);
      expect(done.filter(({ status }) => status >= 500)).toEqual([]);
      const sessions = [planted, ...done.map(({ data }) => String(data['session_token'] ?? ''))];
      // A new password of the stranger ended the owner's session, and the code in it: nothing was verified then.
      if (proven?.status !== 200) continue;
      await expectOwned(
        proven.data,
        email,
        ways,
        sessions.filter((each) => each !== ''),
      );
    }
  });

  soakIt('is verified once when two proofs arrive at once, and both are the owner’s', async () => {
    for (let round = 0; round < ROUNDS[database as keyof typeof ROUNDS]; round += 1) {
      const { email, own, planted, lured } = await lure([]);
      const proofs = await Promise.all([code('send/secondary')(email, lured), code('login_or_create')(email)]);
      const replies = await Promise.all(proofs.map((prove) => prove()));
      const first = replies.find(({ status }) => status === 200);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
      await expectOwned(first?.data ?? {}, email, [], [planted, lured]);
      const sent = await provider.post('/otps/email/send/primary', { email: own });
      expect(sent.body['error_type']).toBe('email_not_found');
    }
  });
});
