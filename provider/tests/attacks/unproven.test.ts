import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { basic, EITHER_DATABASE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { isAlive, makeTarget, MINUTES, passkey, phone, plantAll, uniqueEmail, wallet, type WayIn } from './attacker.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const BCRYPT = { hash_type: 'bcrypt', hash: '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.' };
const BY = { name: 'operator', address: null, request_id: null };
const ROUNDS = SOAK ? 50 : 1;
/** What a call ended with: its status, and the id of the user of the address. */
interface CallResult {
  readonly status: number;
  readonly user_id?: unknown;
  readonly reason?: unknown;
}

describe.each(EITHER_DATABASE)('a sign-up that has proven nothing, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  let numbers = 0;
  const uniqueNumber = (): string => `+1415555${String((numbers += 1)).padStart(4, '0')}`;
  const newest = async (to: string) => provider.newest(to);
  const tokenIn = async (email: string) =>
    new URL((await newest(email))?.link ?? 'http://none').searchParams.get('token');

  /** A call of the app's own server. */
  async function server(method: string, path: string, fields: Fields): Promise<CallResult> {
    const authorization = basic(provider.services.project.project_id, DEV_SECRET);
    const headers = { authorization, 'content-type': 'application/json' };
    const reply = await provider.app.request(`/v1${path}`, { method, headers, body: JSON.stringify(fields) });
    const body = (await reply.json()) as Fields;
    return { status: reply.status, user_id: body['user_id'], reason: body['error_type'] };
  }
  async function imported(line: Fields): Promise<CallResult> {
    const outcome = await importUser(provider.services, line, BY);
    if (outcome.result === 'refused') return { status: 400, reason: outcome.reason };
    return { status: outcome.result === 'imported' ? 200 : 304, user_id: outcome.user_id };
  }
  const ended = ({ status, data, body }: ProviderResponse): CallResult => ({
    status,
    user_id: data['user_id'],
    reason: body['error_type'],
  });
  async function adding(
    path: string,
    contact: Fields,
    finish: (sent: ProviderResponse, session: string) => Promise<ProviderResponse>,
  ) {
    const { session_token } = await provider.signIn(uniqueEmail('owner'));
    const session = String(session_token);
    const sent = await provider.post(path, contact, { session });
    return sent.status === 200 ? ended(await finish(sent, session)) : ended(sent);
  }
  const entering = (to: string) => async (sent: ProviderResponse, session: string) => {
    const body = { token: (await newest(to))?.code, method_id: sent.data['method_id'], ...MINUTES };
    return provider.post('/otps/authenticate', body, { session });
  };

  async function signUp(email: string, ...ways: readonly WayIn[]): Promise<string> {
    const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    return plantAll(String(data['session_token']), ways);
  }

  /** What a stranger does with the address of somebody else; resolves with the session, if there is one. */
  const SQUATS: Readonly<Record<string, (email: string) => Promise<string | null>>> = {
    async 'an active user that a page made'(email) {
      const sent = await provider.post('/magic_links/email/login_or_create', { email, create_user_as_pending: false });
      expect(sent.status).toBe(200);
      return null;
    },
    'a password': (email) => signUp(email),
    'a password and a passkey': (email) => signUp(email, passkey(provider)),
    'a password and a number of their own': (email) => signUp(email, phone(provider)),
    'a password and a wallet': (email) => signUp(email, wallet(provider)),
  };

  /** Calls of those who vouch for the owner of the address. */
  const VOUCHES: Readonly<Record<string, (email: string) => Promise<CallResult>>> = {
    'the app’s own server makes its user': (email) => server('POST', '/users', { email }),
    'the app’s own server invites its owner': (email) => server('POST', '/magic_links/email/invite', { email }),
    async 'the app’s own server gives it to a user'(email) {
      const { user_id } = await server('POST', '/users', { phone_number: uniqueNumber() });
      return server('PUT', `/users/${String(user_id)}/exchange_primary_factor`, { email_address: email });
    },
    'a password of another system arrives for it': (email) =>
      server('POST', '/passwords/migrate', { email, ...BCRYPT }),
    'an operator imports it as verified': (email) => imported({ emails: [{ email, verified: true }] }),
    'an operator imports it': (email) => imported({ emails: [{ email }] }),
    'its owner adds it by a link': (email) =>
      adding('/magic_links/email/send/secondary', { email }, async (_sent, session) =>
        provider.post('/magic_links/authenticate', { token: await tokenIn(email), ...MINUTES }, { session }),
      ),
    'its owner adds it by a code': (email) => adding('/otps/email/send/secondary', { email }, entering(email)),
  };

  async function holderOf(email: string): Promise<string | undefined> {
    const { db } = provider.services;
    const row = await db.selectFrom('emails').select('user_id').where('email', '=', email).executeTakeFirst();
    return row?.user_id;
  }
  const isThere = async (user_id: string): Promise<boolean> => {
    const { db } = provider.services;
    return (await db.selectFrom('users').select('user_id').where('user_id', '=', user_id).execute()).length === 1;
  };

  it.each(oneOf(6, Object.keys(VOUCHES)))('does not stand in the way when %s', async (name) => {
    for (const [kind, squat] of Object.entries(SQUATS)) {
      const email = uniqueEmail('owner');
      const session = await squat(email);
      const stranger = String(await holderOf(email));
      const vouched = await VOUCHES[name]!(email);
      expect([kind, vouched]).toMatchObject([kind, { status: 200, user_id: expect.any(String) }]);
      expect([kind, vouched.user_id]).not.toEqual([kind, stranger]);
      expect([kind, await holderOf(email)]).toEqual([kind, vouched.user_id]);
      expect([kind, session !== null && (await isAlive(provider, session))]).toEqual([kind, false]);
      // What the stranger has proven stays theirs, without the address.
      expect([kind, await isThere(stranger)]).toEqual([kind, /number|wallet/u.test(kind)]);
      const entered = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      expect([kind, entered.body['error_type']]).toEqual([kind, 'unauthorized_credentials']);
    }
  });

  soakIt('does not stand in the way with a number either', async () => {
    const ways: readonly ((phone_number: string) => Promise<CallResult>)[] = [
      (phone_number) => server('POST', '/users', { phone_number }),
      (phone_number) => imported({ phone_numbers: [{ phone_number, verified: true }] }),
      async (phone_number) => {
        const { user_id } = await server('POST', '/users', { email: uniqueEmail('owner') });
        return server('PUT', `/users/${String(user_id)}/exchange_primary_factor`, { phone_number });
      },
      (phone_number) => adding('/otps/sms/send/secondary', { phone_number }, entering(phone_number)),
    ];
    const { db } = provider.services;
    for (const way of ways) {
      const phone_number = uniqueNumber();
      const stranger = await server('POST', '/otps/sms/login_or_create', { phone_number });
      expect(stranger.status).toBe(200);
      const vouched = await way(phone_number);
      expect(vouched).toMatchObject({ status: 200 });
      const rows = await db
        .selectFrom('phone_numbers')
        .select('user_id')
        .where('phone_number', '=', phone_number)
        .execute();
      expect(rows).toEqual([{ user_id: vouched.user_id }]);
      expect(await isThere(String(stranger.user_id))).toBe(false);
    }
  });

  it('blocks further sign-ups by pages with its address, because pages vouch for no one', async () => {
    const email = uniqueEmail('first');
    await signUp(email);
    const second = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    expect(second.body['error_type']).toBe('duplicate_email');
  });

  soakIt('is another thing than a user whom the app manages, or an address that its owner verified', async () => {
    const managed = uniqueEmail('managed');
    const { user_id } = await server('POST', '/users', { email: managed });
    const proven = uniqueEmail('proven');
    const owner = await provider.signIn(proven);
    for (const email of [managed, proven]) {
      expect(await server('POST', '/users', { email })).toMatchObject({ status: 400, reason: 'duplicate_email' });
      expect(await VOUCHES['its owner adds it by a code']!(email)).toMatchObject({ reason: 'duplicate_email' });
      expect(await imported({ emails: [{ email }] })).toMatchObject({ status: 304 });
    }
    // The line says more than is known here.
    expect(await imported({ emails: [{ email: managed, verified: true }] })).toEqual({
      status: 400,
      reason: `emails[0] is verified in the line, and not at the user who has it here: ${String(user_id)}.`,
    });
    expect(await imported({ emails: [{ email: proven, verified: true }] })).toMatchObject({ status: 304 });
    expect(await isAlive(provider, owner['session_token'])).toBe(true);
  });

  soakIt('stays where a line is not imported, because another address of it belongs to a user', async () => {
    const [known, squatted] = [uniqueEmail('known'), uniqueEmail('squatted')];
    await provider.signIn(known);
    const session = await signUp(squatted);
    expect(await imported({ emails: [{ email: known }, { email: squatted }] })).toMatchObject({ status: 304 });
    expect(await isAlive(provider, session)).toBe(true);
  });

  const RACERS = [
    'the app’s own server makes its user',
    'the app’s own server invites its owner',
    'an operator imports it as verified',
    'its owner adds it by a code',
  ];

  it.each(oneOf(3, RACERS))('ends whatever its stranger does at the same time, when %s', async (name) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = uniqueEmail('raced');
      // In every second round the stranger signs up at the same time, too.
      const early = round % 2 === 0 ? await signUp(email) : null;
      const key = passkey(provider);
      const finish = early === null ? null : await key.begin(early);
      const [vouched, ...replies] = await Promise.all([
        VOUCHES[name]!(email),
        provider.post('/passwords', { email, password: PASSWORD, ...MINUTES }),
        provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES }),
        ...(early === null ? [] : [provider.post('/sessions/authenticate', MINUTES, { session: early })]),
        ...(finish === null ? [] : [finish()]),
      ]);
      expect(vouched).toMatchObject({ status: 200 });
      for (const { status } of replies) expect(status).toBeLessThan(500);
      const sessions = [early, ...replies.map(({ data }) => data['session_token'])];
      // An invited user has not come yet: a page may sign up with the address until then.
      if (name.includes('invites')) continue;
      expect(await holderOf(email)).toBe(vouched.user_id);
      for (const session of sessions)
        if (typeof session === 'string') expect(await isAlive(provider, session)).toBe(false);
      expect(await key.enter()).toBeNull();
    }
  });

  it('is taken over by its owner, or replaced, and never both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = uniqueEmail('proof');
      await signUp(email);
      const { method_id, code } = await provider.sendCode(email);
      const [proof, made] = await Promise.all([
        provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES }),
        server('POST', '/users', { email }),
      ]);
      expect([proof.status === 200, made.status === 200].filter(Boolean)).toHaveLength(1);
      expect(await holderOf(email)).toBe(proof.status === 200 ? proof.data['user_id'] : made.user_id);
      if (made.status !== 200) expect(made.reason).toBe('duplicate_email');
    }
  });
});
