import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { BELONGINGS } from '#provider/accounts/users/belongings.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import { EITHER_DATABASE, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { codeOf, isAlive, makeTarget, MINUTES, uniqueEmail, WAYS_IN } from './attacker.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * The attacker has begun every addition of the wire, and finishes all of them at the same moment in which the owner verifies the
 * address, resets or changes the password, or the account is deleted. Each round is a race of all additions with that step.
 */

const PASSWORD = 'correct horse battery staple';
const OWN_PASSWORD = 'a wholly different phrase of mine';

describe.each(EITHER_DATABASE)('additions that race with the owner, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function signUp() {
    const email = uniqueEmail('victim');
    const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    return { email, user_id: String(data['user_id']), session: String(data['session_token']) };
  }

  /** Begins all additions in the session; each returned function finishes one. */
  async function prepare(email: string, session: string): Promise<(() => Promise<ProviderResponse>)[]> {
    const finishing = await Promise.all(WAYS_IN.map((make) => make(provider).begin(session)));
    const { data } = await provider.post('/totps', { expiration_minutes: 60 }, { session });
    const totp_code = codeOf(provider, String(data['secret']));
    const own = { email, password: PASSWORD, ...MINUTES };
    return [
      ...finishing,
      () => provider.post('/totps/authenticate', { totp_code, ...MINUTES }, { session }),
      () => provider.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session }),
      () => provider.post('/passwords', own),
      () => provider.post('/passwords/authenticate', own),
    ];
  }

  /** Runs all additions and the owner's step at once, in random order. */
  async function race(step: () => Promise<ProviderResponse>, additions: readonly (() => Promise<ProviderResponse>)[]) {
    const after = <T>(work: () => Promise<T>, ms: number) => sleep(Math.random() * ms).then(work);
    const [done, ...added] = await Promise.all([after(step, 30), ...additions.map((addition) => after(addition, 30))]);
    expect(added.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
    return { done, added };
  }

  const rowsOf = async (table: keyof typeof BELONGINGS, user_id: string) =>
    provider.services.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute();

  async function expectOwnersAlone(
    user_id: string,
    owner: ProviderResponse,
    added: readonly ProviderResponse[],
  ): Promise<void> {
    const session_id: unknown = owner.data['session']['session_id'];
    const left: Record<string, number> = {};
    for (const [table, kind] of Object.entries(BELONGINGS) as [keyof typeof BELONGINGS, string][]) {
      const rows = await rowsOf(table, user_id);
      if (kind === 'factor' || table === 'oauth_grants') left[table] = rows.length;
    }
    expect(Object.entries(left).filter(([, count]) => count > 0)).toEqual([]);
    expect((await rowsOf('emails', user_id)).length).toBe(1);
    const sessions = await rowsOf('sessions', user_id);
    expect(sessions.map((row) => ('session_id' in row ? row.session_id : ''))).toEqual([session_id]);
    for (const { data } of added) {
      if (data['user_id'] === user_id) expect(await isAlive(provider, data['session_token'])).toBe(false);
    }
  }

  it('an owner who verifies the address ends every addition of the attacker', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, user_id, session } = await signUp();
      const token = await provider.sendLink(email);
      const additions = await prepare(email, session);
      const prove = () => provider.post('/magic_links/authenticate', { token, ...MINUTES });
      const { done, added } = await race(prove, additions);
      expect(done.status).toBe(200);
      await expectOwnersAlone(user_id, done, added);
      const entered = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      expect(entered.status).not.toBe(200);
    }
  });

  it('an owner who resets the password ends every addition of the attacker', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, user_id, session } = await signUp();
      await provider.post('/passwords/email/reset/start', { email });
      const link = (await provider.newest(email))?.link ?? '';
      const token = new URL(link).searchParams.get('token');
      const additions = await prepare(email, session);
      const body = { token, password: OWN_PASSWORD, ...MINUTES };
      const { done, added } = await race(() => provider.post('/passwords/email/reset', body), additions);
      expect(done.status).toBe(200);
      await expectOwnersAlone(user_id, done, added);
      const theirs = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      expect(theirs.status).not.toBe(200);
      const mine = await provider.post('/passwords/authenticate', { email, password: OWN_PASSWORD, ...MINUTES });
      expect(mine.status).toBe(200);
    }
  });

  soakIt(
    'an owner who changes the password ends the other sessions, and none of them adds anything afterwards',
    async () => {
      for (let round = 0; round < RACES; round += 1) {
        const { email, user_id, session } = await signUp();
        const body = { email, password: PASSWORD, ...MINUTES };
        const mine = String((await provider.post('/passwords/authenticate', body)).data['session_token']);
        const additions = (await prepare(email, session)).filter((_addition, index) => index !== 7);
        const change = () => provider.post('/passwords/session/reset', { password: OWN_PASSWORD }, { session: mine });
        const { done } = await race(change, additions);
        // When the attacker's authenticator app was verified first, the owner's step requires it, and changes nothing.
        if (done.status !== 200) {
          expect(done.body['error_type']).toBe('mfa_required');
          continue;
        }
        const sessions = await rowsOf('sessions', user_id);
        expect(sessions.length).toBe(1);
        expect(await isAlive(provider, session)).toBe(false);
        expect(await isAlive(provider, done.data['session_token'])).toBe(true);
        expect(await rowsOf('oauth_grants', user_id)).toEqual([]);
      }
    },
  );

  soakIt('a deleted account leaves no row behind', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, user_id, session } = await signUp();
      const additions = (await prepare(email, session)).slice(0, 8);
      const remove = () =>
        transaction(provider.services.db, async (tx) => {
          await lockUser(tx, user_id);
          await removeUser(tx, user_id);
        }).then(() => ({ status: 200 }) as ProviderResponse);
      await race(remove, additions);
      for (const table of Object.keys(BELONGINGS) as (keyof typeof BELONGINGS)[]) {
        expect(await rowsOf(table, user_id)).toEqual([]);
      }
      expect(await isAlive(provider, session)).toBe(false);
    }
  });
});
