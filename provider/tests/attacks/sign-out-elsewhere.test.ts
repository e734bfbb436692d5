import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import {
  consent,
  enrolTotp,
  exchange,
  fromServer,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  refresh,
  secondAddress,
  uniqueEmail,
} from './attacker.ts';
import { refusal, stepsOf, tokenOf } from './session-steps.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple 42';

describe.each(EITHER_DATABASE)('signing out everywhere else, on %s', (_, url) => {
  let provider: Provider;
  const { others, tokensIn } = stepsOf(() => provider);
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function twice() {
    const email = uniqueEmail('everywhere');
    const [thief, owner] = [await provider.signIn(email), await provider.signIn(email)];
    return { email, thief: tokenOf(thief), jwt: String(thief['session_jwt']), owner: tokenOf(owner) };
  }

  it('ends the other sessions, what was begun in them, and the access that apps were given there', async () => {
    const { email, thief, jwt, owner } = await twice();
    const theirs = await tokensIn(thief);
    const made = tokenOf((await exchange(provider, theirs['access_token'])).data);
    const code = (await consent(provider, thief)).data['authorization_code'];
    const finishLater = await secondAddress(provider).begin(thief);
    expect((await others(owner)).status).toBe(200);
    for (const session of [thief, jwt, made]) expect(await isAlive(provider, session)).toBe(false);
    expect(await isAlive(provider, owner)).toBe(true);
    expect((await refresh(provider, theirs['refresh_token']))['error']).toBe('invalid_grant');
    expect((await exchange(provider, theirs['access_token'])).status).toBe(401);
    expect((await redeemCode(provider, code))['error']).toBe('invalid_grant');
    expect((await finishLater(owner)).status).toBeGreaterThanOrEqual(400);
    expect((await others(owner)).status).toBe(200);
    expect(await isAlive(provider, tokenOf(await provider.signIn(email)))).toBe(true);
  });

  soakIt('leaves the app that the owner let in from here', async () => {
    const { owner, thief } = await twice();
    const own = await tokensIn(owner);
    const theirs = await tokensIn(thief);
    expect((await others(owner)).status).toBe(200);
    expect((await refresh(provider, own['refresh_token']))['access_token']).toEqual(expect.any(String));
    expect((await refresh(provider, theirs['refresh_token']))['error']).toBe('invalid_grant');
  });

  soakIt('needs a session of the user’s own, with the second factor if there is one', async () => {
    const { email, owner } = await twice();
    const app = await tokensIn(owner);
    const made = tokenOf((await exchange(provider, app['access_token'])).data);
    expect(refusal(await others(made))).toEqual([403, 'unauthorized_action']);
    expect(refusal(await others('nonsense'))).toEqual([401, 'unauthorized_credentials']);
    expect(refusal(await provider.post('/users/sessions/revoke_others', {}))).toEqual([401, 'user_unauthenticated']);
    const { session } = await enrolTotp(provider, owner);
    const weak = tokenOf(await provider.signIn(email));
    expect(refusal(await others(weak))).toEqual([403, 'mfa_required']);
    expect(await isAlive(provider, session)).toBe(true);
    expect((await others(session)).status).toBe(200);
    expect(await isAlive(provider, weak)).toBe(false);
  });

  it('can be done by the app’s own server, which may leave one session', async () => {
    const { thief, owner } = await twice();
    const { data } = await provider.call('GET', '/users/sessions', undefined, { session: owner });
    const current = (data['sessions'] as Fields[]).find((each) => each['is_current']);
    const me = (await provider.call('GET', '/users/me', undefined, { session: owner })).data;
    const body = { user_id: me['user_id'], except_session_id: current?.['session_id'] };
    expect((await fromServer(provider, '/sessions/revoke_all', body)).status).toBe(200);
    expect([await isAlive(provider, owner), await isAlive(provider, thief)]).toEqual([true, false]);
    expect((await fromServer(provider, '/sessions/revoke_all', { user_id: me['user_id'] })).status).toBe(200);
    expect(await isAlive(provider, owner)).toBe(false);
    const unknown = await fromServer(provider, '/sessions/revoke_all', { user_id: 'nobody' });
    expect([unknown.status, unknown.body['error_type']]).toEqual([404, 'user_not_found']);
  });

  soakIt('wins or loses whole against a join, a new password and a consent of the other session', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, thief, owner } = await twice();
      const { method_id, code } = await provider.sendCode(email);
      const [ended, joined, reset, allowed] = await Promise.all([
        others(owner),
        provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES }, { session: thief }),
        provider.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session: thief }),
        consent(provider, thief),
      ]);
      const ownerIn = await isAlive(provider, owner);
      // Whoever came first ended the other: never are both out, and the owner's call never leaves a session that it should have ended.
      expect(ended.status === 200).toBe(ownerIn);
      if (!ownerIn) continue;
      expect(await isAlive(provider, thief)).toBe(false);
      expect(await isAlive(provider, reset.data['session_token'] ?? 'none')).toBe(false);
      const tokens = await redeemCode(provider, allowed.data['authorization_code'] ?? 'none');
      expect(tokens['error']).toBe('invalid_grant');
      // A login by a code after the call is a new one; one before it has ended.
      if (await isAlive(provider, joined.data['session_token'] ?? 'none')) {
        expect(joined.data['session']['authentication_factors']).toHaveLength(1);
      }
    }
    expect(provider.traces).toEqual([]);
  });

  soakIt('lists more than a hundred sessions by pages, each once', async () => {
    const email = uniqueEmail('many');
    const first = await provider.signIn(email);
    const { user_id, session_id } = first['session'] as { user_id: string; session_id: string };
    const row = await provider.services.db
      .selectFrom('sessions')
      .selectAll()
      .where('session_id', '=', session_id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 230 }, (__, index) => ({
      ...row,
      session_id: `session-test-copy-${String(index).padStart(3, '0')}`,
      // Many of the same moment: an order by time alone would lose some at the end of a page.
      last_accessed_at: new Date(row.last_accessed_at.getTime() - Math.floor(index / 50) * MINUTE),
      attributes: JSON.stringify(row.attributes),
      authentication_factors: JSON.stringify(row.authentication_factors),
      custom_claims: '{}',
      bound_key: null,
      trial_key: null,
    }));
    await provider.services.db.insertInto('sessions').values(copies).execute();
    const page = (path: string) => provider.call('GET', path, undefined, { session: tokenOf(first) });
    const seen: string[] = [];
    let { data } = await page('/users/sessions');
    for (;;) {
      expect(data['sessions'].length).toBeLessThanOrEqual(100);
      seen.push(...(data['sessions'] as Fields[]).map((each) => String(each['session_id'])));
      if (data['next_cursor'] === null) break;
      ({ data } = await page(`/users/sessions/after/${encodeURIComponent(String(data['next_cursor']))}`));
    }
    expect(seen).toHaveLength(231);
    expect(new Set(seen).size).toBe(231);
    for (const cursor of ['x', '1', '1.', `1.${'x'.repeat(200)}`, "1.'or 1=1"]) {
      const reply = await page(`/users/sessions/after/${encodeURIComponent(cursor)}`);
      expect(reply.status === 400 || reply.status === 200).toBe(true);
    }
    expect((await others(tokenOf(first))).status).toBe(200);
    const left = await provider.services.db
      .selectFrom('sessions')
      .select('session_id')
      .where('user_id', '=', user_id)
      .execute();
    expect(left).toEqual([{ session_id }]);
    expect(provider.traces).toEqual([]);
  });
});
