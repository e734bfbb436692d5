import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOf, type BreachList } from '#provider/accounts/password-strength/breach-list.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { withRealHashes } from '../kit/light-hash-parameters.ts';

const GOOD = 'violet tractor moon 88';
const OTHER = 'quiet lantern orbit 41';
/** Every try costs a hash: fewer than the default, so that the tests stay quick. */
const failuresPerUser = { max: SOAK ? 8 : 4, windowMs: 60 * MINUTE };

describe.each(EITHER_DATABASE)('passwords on %s', (_, url) => {
  let provider: Provider;
  let known: BreachList = listOf([]);
  const breaches: BreachList = { hasSuffix: (prefix, suffix) => known.hasSuffix(prefix, suffix) };
  beforeAll(async () => {
    provider = await makeProvider(url, { breaches, limits: { ...DEFAULT_LIMITS, failuresPerUser } });
  });
  afterAll(() => provider.close());

  const minutes = { session_duration_minutes: 30 };
  const create = (email: string, password = GOOD, session?: string) =>
    provider.post('/passwords', { email, password, ...minutes }, session === undefined ? {} : { session });
  const enter = (email: string, password = GOOD, session?: string) =>
    provider.post('/passwords/authenticate', { email, password, ...minutes }, session === undefined ? {} : { session });
  const search = async (email: string) => (await provider.post('/users/search', { email })).data['userType'];

  it('sign up a user, who is found with one from then on', async () => {
    const { data, status } = await create('Ada@example.com');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user_id: data['user']['user_id'],
      user: {
        status: 'active',
        emails: [{ email: 'Ada@example.com', verified: false }],
        password: { requires_reset: false },
      },
      session: { authentication_factors: [{ type: 'password', delivery_method: 'knowledge' }] },
    });
    expect(data['email_id']).toBe(data['user']['emails'][0]['email_id']);
    expect(data['user']['password']['password_id']).toMatch(/^password-test-/u);
    expect(await search('ada@example.com')).toBe('password');
  });

  it('log in, whatever the case of the address and however the letters are composed', async () => {
    const composed = 'caf\u00e9 tractor \ufb01ne 88';
    const { data } = await create('case@example.com', composed);
    const again = await enter('CASE@example.com', 'cafe\u0301 tractor fine 88');
    expect(again.data['user_id']).toBe(data['user_id']);
    expect(again.data['session']['session_id']).not.toBe(data['session']['session_id']);
    expect((await enter('case@example.com', `${composed} `)).status).toBe(401);
    expect((await enter('case@example.com', composed.toUpperCase())).status).toBe(401);
  });

  it('add to the session that the same user presents, under a new token', async () => {
    const { session_token, session } = (await create('same@example.com')).data;
    const again = (await enter('same@example.com', GOOD, session_token)).data;
    expect(again['session']['session_id']).toBe(session['session_id']);
    expect(again['session']['authentication_factors']).toHaveLength(1);
    expect((await provider.call('GET', '/users/me', undefined, { session: session_token })).status).toBe(401);
  });

  it('answer the same for a wrong password and for an unknown address', async () => {
    await create('wrong@example.com');
    await provider.sendCode('pending@example.com');
    const wrong = await enter('wrong@example.com', OTHER);
    expect(wrong.body).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
    const plain = ({ body }: { readonly body: Fields }) => ({ ...body, request_id: '' });
    for (const email of ['nobody@example.com', 'pending@example.com']) {
      expect(plain(await enter(email, OTHER))).toEqual(plain(wrong));
    }
  });

  it('are refused for a user without one, who can set one by the reset email only', async () => {
    await provider.signIn('codes@example.com');
    expect((await enter('codes@example.com')).body['error_type']).toBe('unauthorized_credentials');
    expect((await create('codes@example.com')).body).toMatchObject({ status_code: 400, error_type: 'reset_password' });
    expect(await search('codes@example.com')).toBe('passwordless');
  });

  soakIt('are made once: not for a user who has one, but for one who only asked for a code', async () => {
    await create('twice@example.com');
    expect((await create('twice@example.com', OTHER)).body).toMatchObject({ error_type: 'duplicate_email' });
    await provider.sendCode('began@example.com');
    expect((await create('began@example.com')).status).toBe(200);
    const replies = await Promise.all(Array.from({ length: SOAK ? 12 : 4 }, () => create('crowd@example.com')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  it.each(['password1', 'aB3$', 'violet88', 'limits@example.com', 'Portico Demo'])(
    'refuse %j as weak',
    async (weak) => {
      const { body } = await create('limits@example.com', weak);
      expect(body).toMatchObject({ status_code: 400, error_type: 'weak_password' });
      expect(await search('limits@example.com')).toBe('new');
    },
  );

  soakIt('may be long: 64 characters and many more, up to 4 kB', async () => {
    const long = `${GOOD} ${'x7$kQ-'.repeat(700)}`.slice(0, 4096);
    expect((await create('long@example.com', long)).status).toBe(200);
    expect((await enter('long@example.com', long)).status).toBe(200);
    expect((await enter('long@example.com', long.slice(0, -1))).status).toBe(401);
    for (const huge of [`${long}x`, '\u{1f600}'.repeat(1025), '\ufdfa'.repeat(1000)]) {
      expect((await create('huge@example.com', huge)).body).toMatchObject({ error_type: 'password_too_long' });
      expect((await enter('long@example.com', huge)).body).toMatchObject({ error_type: 'password_too_long' });
    }
  });

  it('must be reset when they are in a breach, which only their owner learns', async () => {
    await create('breached@example.com', OTHER);
    known = listOf([OTHER]);
    expect((await enter('breached@example.com', GOOD)).body['error_type']).toBe('unauthorized_credentials');
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await enter('breached@example.com', OTHER)).body).toMatchObject({
        status_code: 400,
        error_type: 'reset_password',
        error_details: { reason: 'breached' },
      });
    }
    const wrong = (await enter('breached@example.com', GOOD)).body;
    expect([wrong['error_type'], wrong['error_details']]).toEqual(['unauthorized_credentials', undefined]);
    known = listOf([]);
    const required = (await enter('breached@example.com', OTHER)).body;
    expect([required['error_type'], required['error_details']]).toEqual(['reset_password', undefined]);
    const fields = { email: 'breached@example.com', existing_password: OTHER, new_password: GOOD, ...minutes };
    const reset = await provider.post('/passwords/existing_password/reset', fields);
    expect(reset.body['error_type']).toBe('reset_password');
    expect((await enter('breached@example.com', GOOD)).status).toBe(401);
  });

  it('are not taken from a breach', async () => {
    known = listOf([OTHER]);
    expect((await create('list@example.com', OTHER)).body).toMatchObject({ error_type: 'breached_password' });
    known = listOf([]);
  });

  soakIt('lock after too many wrong ones, and not before, known or not; a right one forgives', async () => {
    await create('lock@example.com');
    const { max } = failuresPerUser;
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < max - 1; i += 1) await enter('lock@example.com', OTHER);
      expect((await enter('lock@example.com')).status).toBe(200);
    }
    for (const email of ['lock@example.com', 'ghost@example.com']) {
      await Promise.all(Array.from({ length: SOAK ? max + 5 : max + 1 }, () => enter(email, OTHER)));
      const locked = await enter(email);
      expect(locked.body).toMatchObject({ status_code: 429, error_type: 'user_lock_limit_reached' });
      expect(locked.headers.get('retry-after')).toMatch(/^\d+$/u);
    }
    const existing = { email: 'lock@example.com', existing_password: GOOD, new_password: OTHER, ...minutes };
    expect((await provider.post('/passwords/existing_password/reset', existing)).status).toBe(429);
    provider.clock.time += 120 * MINUTE;
    expect((await enter('lock@example.com')).status).toBe(200);
  });

  describe('of the product’s hashes', () => {
    withRealHashes();
    it('are hashed again at the next login when the hash was weaker', async () => {
      const { user_id } = (await create('old@example.com')).data;
      const weak = await hash(GOOD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
      const { db } = provider.services;
      await db.updateTable('passwords').set({ hash: weak }).where('user_id', '=', user_id).execute();
      expect((await enter('old@example.com')).status).toBe(200);
      const row = await db.selectFrom('passwords').select('hash').where('user_id', '=', user_id).executeTakeFirst();
      expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
      expect((await enter('old@example.com')).status).toBe(200);
    });
  });

  soakIt('are changed with the present one, which ends every other session', async () => {
    const first = (await create('change@example.com')).data;
    const here = (await enter('change@example.com')).data;
    const reset = (existing_password: string, new_password: string) =>
      provider.post(
        '/passwords/existing_password/reset',
        { email: 'change@example.com', existing_password, new_password, ...minutes },
        { session: here['session_token'] },
      );
    expect((await reset(OTHER, OTHER)).body).toMatchObject({ error_type: 'unauthorized_credentials' });
    expect((await reset(GOOD, 'password1')).body).toMatchObject({ error_type: 'weak_password' });
    const done = await reset(GOOD, OTHER);
    expect(done.data['session']['session_id']).toBe(here['session']['session_id']);
    const me = (session: string) => provider.call('GET', '/users/me', undefined, { session });
    expect((await me(first['session_token'])).status).toBe(401);
    expect((await me(done.data['session_token'])).status).toBe(200);
    expect((await enter('change@example.com', GOOD)).status).toBe(401);
    expect((await enter('change@example.com', OTHER)).status).toBe(200);
  });

  it('are changed in a session, which keeps its end when no minutes are given', async () => {
    const bare = await provider.post('/passwords/session/reset', { password: GOOD });
    expect(bare.body).toMatchObject({ status_code: 401, error_type: 'user_unauthenticated' });
    const other = await provider.signIn('in@example.com');
    const here = await provider.signIn('in@example.com');
    const session = here['session_token'];
    const weak = await provider.post('/passwords/session/reset', { password: 'in@example.com' }, { session });
    expect(weak.body).toMatchObject({ error_type: 'weak_password' });
    const { data } = await provider.post('/passwords/session/reset', { password: GOOD }, { session });
    expect(data['session']).toMatchObject({
      session_id: here['session']['session_id'],
      expires_at: here['session']['expires_at'],
      authentication_factors: [{ type: 'otp' }, { type: 'password' }],
    });
    const me = await provider.call('GET', '/users/me', undefined, { session: other['session_token'] });
    expect(me.status).toBe(401);
    expect((await enter('in@example.com')).status).toBe(200);
  });

  it('are judged while they are typed, with the address, before anyone has an account', async () => {
    const { data } = await provider.post('/passwords/strength_check', { email: 'a@example.com', password: 'password' });
    expect(data).toMatchObject({ valid_password: false, score: 0, strength_policy: 'zxcvbn', feedback: {} });
    const long = await provider.post('/passwords/strength_check', { password: 'x'.repeat(4097) });
    expect(long.body).toMatchObject({ error_type: 'password_too_long' });
  });

  it.each([
    ['not-an-address', GOOD, 30, 'invalid_email'],
    ['fields@example.com', GOOD, 4, 'invalid_session_duration'],
  ])('are refused for %j, %j, %s minutes: %s', async (email, password, session_duration_minutes, type) => {
    for (const path of ['/passwords', '/passwords/authenticate']) {
      const { body } = await provider.post(path, { email, password, session_duration_minutes });
      expect(body['error_type']).toBe(type);
    }
  });
});
