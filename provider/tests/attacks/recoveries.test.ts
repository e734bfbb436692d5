import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginRecovery, cancelRecovery, completeRecovery, waitingRecovery } from '#provider/accounts/recovery/store.ts';
import { lockUser, type LockedUser } from '#provider/accounts/users/lock.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Db } from '#provider/base/db/database.ts';
import { shortenRecoveryOf } from '#provider/operation/operators/users/actions.ts';
import { EITHER_DATABASE, MINUTE, type Provider } from '../kit/harness.ts';
import { newestLink, noticesTo, open, press, tell } from '../notices/steps.ts';
import { enrolTotp, isAlive, makeTarget, secondAddress, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * Who lost every second factor has them removed after a wait. Everybody who reads a mailbox of the account is told at the start and at
 * the end, and can stop it; nobody can finish it early, for another user, twice, or after it was stopped.
 */

const HOUR = 60 * MINUTE;
const OPERATOR = { name: 'test', address: null, request_id: null };

describe.each(EITHER_DATABASE)('a recovery that waits, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** A user with two addresses and an authenticator app. */
  async function guarded() {
    const email = uniqueEmail('guarded');
    const { session_token, user_id } = await provider.signIn(email);
    provider.clock.time += MINUTE;
    const { data } = await (await secondAddress(provider).begin(String(session_token)))();
    const second = String(data['user']['emails'][1]['email']);
    const app = await enrolTotp(provider, String(data['session_token']));
    await tell(provider);
    return { email, second, user_id: String(user_id), ...app };
  }
  async function locked<R>(user_id: string, work: (tx: Db, user: LockedUser) => Promise<R>): Promise<R> {
    return transaction(provider.services.db, async (tx) => {
      const user = await lockUser(tx, user_id);
      if (user === undefined) throw new Error('no user');
      return work(tx, user);
    });
  }
  const begin = (user_id: string) => locked(user_id, (tx, user) => beginRecovery(provider.services, tx, user));
  const complete = (user_id: string, id: string) =>
    locked(user_id, (tx, user) => completeRecovery(provider.services, tx, user, id));
  const cancel = (user_id: string, id: string) =>
    locked(user_id, (tx, user) => cancelRecovery(provider.services, tx, user, id));
  const appsOf = async (user_id: string): Promise<number> => {
    const rows = await provider.services.db.selectFrom('totps').selectAll().where('user_id', '=', user_id).execute();
    return rows.length;
  };
  const linkTo = async (email: string): Promise<URL> => {
    const link = await newestLink(provider, email);
    if (link === null) throw new Error(`no link to ${email}`);
    return link;
  };

  it('tells every address at the start, when its time has come, and at the end', async () => {
    const { email, second, user_id, session } = await guarded();
    await begin(user_id);
    for (const to of [email, second]) {
      expect((await noticesTo(provider, to)).at(-1)?.subject).toContain('has begun');
    }
    provider.clock.time += 24 * HOUR;
    await tell(provider);
    for (const to of [email, second]) {
      expect((await noticesTo(provider, to)).at(-1)?.text).toContain('can be removed now');
    }
    const link = await linkTo(second);
    expect((await open(provider, link)).status).toBe(200);
    expect(await appsOf(user_id)).toBe(1);
    expect((await press(provider, link, 'finish')).status).toBe(200);
    expect(await appsOf(user_id)).toBe(0);
    expect(await isAlive(provider, session)).toBe(false);
    for (const to of [email, second]) {
      const last = (await noticesTo(provider, to)).at(-1);
      expect(last?.text).toContain('second factors were removed');
    }
  });

  soakIt(
    'cannot be finished early, neither by the link of the first message nor by a clock that is behind',
    async () => {
      const { email, user_id } = await guarded();
      const { recovery_id } = await begin(user_id);
      const first = await linkTo(email);
      expect((await press(provider, first, 'finish')).status).toBe(404);
      provider.clock.time += 24 * HOUR - 1;
      expect(await complete(user_id, recovery_id)).toBe(false);
      provider.clock.time += 1;
      await tell(provider);
      expect((await press(provider, first, 'finish')).status).toBe(404);
      provider.clock.time -= 2 * HOUR;
      expect((await press(provider, await linkTo(email), 'finish')).status).toBe(404);
      expect(await appsOf(user_id)).toBe(1);
      provider.clock.time += 2 * HOUR;
    },
  );

  it('can be stopped from any message, and then be finished by none', async () => {
    const { email, second, user_id } = await guarded();
    const { recovery_id } = await begin(user_id);
    const stop = await linkTo(second);
    provider.clock.time += 25 * HOUR;
    await tell(provider);
    const finish = await linkTo(email);
    expect((await press(provider, stop, 'stop')).status).toBe(200);
    expect((await press(provider, finish, 'finish')).status).toBe(404);
    expect(await complete(user_id, recovery_id)).toBe(false);
    expect(await appsOf(user_id)).toBe(1);
    expect((await noticesTo(provider, email)).at(-1)?.text).toContain('was stopped');
  });

  it('that is begun again and again stays as it is, and sends nothing more', async () => {
    const { email, user_id } = await guarded();
    const before = (await noticesTo(provider, email)).length;
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => begin(user_id)));
    provider.clock.time += 23 * HOUR;
    others.push(await begin(user_id));
    expect(new Set([first, ...others].map((each) => each?.recovery_id)).size).toBe(1);
    expect(new Set([first, ...others].map((each) => each?.available_at.getTime())).size).toBe(1);
    expect((await noticesTo(provider, email)).length - before).toBe(1);
  });

  it('is ended by one of ten who stop and finish it at once', async () => {
    const { user_id } = await guarded();
    const { recovery_id } = await begin(user_id);
    provider.clock.time += 24 * HOUR;
    const ends = await Promise.all(
      Array.from({ length: 10 }, (__, place) => (place % 2 === 0 ? complete : cancel)(user_id, recovery_id)),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
  });

  soakIt('of another user is of no use', async () => {
    const [mine, theirs] = [await guarded(), await guarded()];
    const { recovery_id } = await begin(theirs.user_id);
    provider.clock.time += 24 * HOUR;
    expect(await complete(mine.user_id, recovery_id)).toBe(false);
    expect(await cancel(mine.user_id, recovery_id)).toBe(false);
    expect([await appsOf(mine.user_id), await appsOf(theirs.user_id)]).toEqual([1, 1]);
  });

  soakIt('is announced once by processes that look at once', async () => {
    const { email, user_id } = await guarded();
    await begin(user_id);
    await tell(provider);
    const before = (await noticesTo(provider, email)).length;
    provider.clock.time += 24 * HOUR;
    await Promise.all(Array.from({ length: 5 }, () => tell(provider)));
    expect((await noticesTo(provider, email)).length - before).toBe(1);
  });

  soakIt('is over a week after its time has come', async () => {
    const { user_id, email } = await guarded();
    const { recovery_id } = await begin(user_id);
    await tell(provider);
    provider.clock.time += 24 * HOUR;
    await tell(provider);
    const link = await linkTo(email);
    provider.clock.time += 7 * 24 * HOUR;
    expect(await complete(user_id, recovery_id)).toBe(false);
    expect((await press(provider, link, 'finish')).status).toBe(404);
    expect(await locked(user_id, (tx) => waitingRecovery(provider.services, tx, user_id))).toBeUndefined();
    expect((await begin(user_id)).recovery_id).not.toBe(recovery_id);
  });

  it('is shortened by an operator, which is recorded, and everybody is told', async () => {
    const { email, user_id } = await guarded();
    const { recovery_id } = await begin(user_id);
    await tell(provider);
    await shortenRecoveryOf(provider.services, email, OPERATOR);
    expect((await noticesTo(provider, email)).at(-1)?.text).toContain('can be removed now');
    const rows = await provider.services.db
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', '=', user_id)
      .where('event', '=', 'recovery_shortened')
      .execute();
    expect(rows).toMatchObject([{ actor_kind: 'operator', actor_id: 'test', details: { recovery_id } }]);
    expect((await press(provider, await linkTo(email), 'finish')).status).toBe(200);
    expect(await appsOf(user_id)).toBe(0);
    await expect(shortenRecoveryOf(provider.services, email, OPERATOR)).rejects.toThrow('No recovery');
    expect(provider.traces).toEqual([]);
  });
});
