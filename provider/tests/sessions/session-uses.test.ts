import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SessionUses } from '#provider/accounts/sessions/rows/session-uses.ts';
import type { Database } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { DATABASES, EITHER_DATABASE, makeProvider, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakDescribe, soakIt } from '#tests/soak-tests.ts';

const NEVER_MS = 3_600_000;
const unexpected = (error: unknown): never => {
  throw error;
};

describe.each(EITHER_DATABASE)('the uses of sessions, on %s', (_, url) => {
  const provider = suiteProvider(url);
  let people = 0;

  const signIn = async () => {
    people += 1;
    const { session, session_token, user_id } = await provider.signIn(`used-${people}@example.com`);
    return { session_id: String(session.session_id), user_id: String(user_id), token: String(session_token) };
  };
  const stored = async (session_id: string) => {
    const row = provider.services.db.selectFrom('sessions').select('last_accessed_at');
    return (await row.where('session_id', '=', session_id).executeTakeFirst())?.last_accessed_at.getTime();
  };
  const check = (session: string, body: object = {}) => provider.post('/sessions/authenticate', body, { session });

  it('are written together; a later use is never replaced by an earlier one, and no ended session comes back', async () => {
    const [one, two, gone] = [await signIn(), await signIn(), await signIn()];
    const before = provider.clock.time;
    provider.clock.time += 2 * MINUTE;
    for (const { token } of [one, two, gone]) expect((await check(token)).status).toBe(200);
    expect(await stored(one.session_id)).toBe(before);
    await provider.services.db.deleteFrom('sessions').where('session_id', '=', gone.session_id).execute();
    const late = new SessionUses(provider.services.db, unexpected, NEVER_MS);
    late.used(one, new Date(before + MINUTE));
    await provider.services.uses.write();
    await late.write();
    const times = await Promise.all([one, two, gone].map(({ session_id }) => stored(session_id)));
    expect(times).toEqual([provider.clock.time, provider.clock.time, undefined]);
  });

  soakIt('are in the list of a user’s sessions at once', async () => {
    const used = await signIn();
    provider.clock.time += 5 * MINUTE;
    await check(used.token);
    const { data } = await provider.call('GET', '/users/sessions', undefined, { session: used.token });
    const [first] = data['sessions'] as { last_accessed_at: string }[];
    expect(first?.last_accessed_at).toBe(new Date(provider.clock.time).toISOString());
  });

  soakIt(
    'that extend a session are stored with the reply: a process that is killed after it ends no session early',
    async () => {
      const { session_id, token } = await signIn();
      provider.clock.time += 50 * MINUTE;
      const { data } = await check(token, { session_duration_minutes: 60 });
      const { expires_at } = await provider.services.db
        .selectFrom('sessions')
        .select('expires_at')
        .where('session_id', '=', session_id)
        .executeTakeFirstOrThrow();
      expect(data['session'].expires_at).toBe(expires_at.toISOString());
      expect(expires_at.getTime()).toBe(provider.clock.time + 60 * MINUTE);
    },
  );

  soakIt('are written when the process stops, and by many processes at once', async () => {
    const sessions = [await signIn(), await signIn(), await signIn()];
    const processes = Array.from({ length: 4 }, () => new SessionUses(provider.services.db, unexpected, NEVER_MS));
    const at = provider.clock.time + 3 * MINUTE;
    for (const [index, uses] of processes.entries()) {
      for (const session of index % 2 === 0 ? sessions : [...sessions].reverse())
        uses.used(session, new Date(at + index));
    }
    await Promise.all(processes.map((uses) => uses.stop()));
    // Of two writes at once of a session one is skipped: both are uses of now.
    for (const { session_id } of sessions) expect(await stored(session_id)).toBeGreaterThanOrEqual(at);
  });

  it('are kept while the database is away', async () => {
    const session = await signIn();
    const { db } = provider.services;
    let isAway = true;
    const flaky = db.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('away');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const uses = new SessionUses(flaky, unexpected, NEVER_MS);
    const at = provider.clock.time + 4 * MINUTE;
    uses.used(session, new Date(at));
    await expect(uses.write()).rejects.toThrow('away');
    isAway = false;
    await uses.stop();
    expect(await stored(session.session_id)).toBe(at);
  });
});

describe('the uses of sessions, of which very many wait', () => {
  afterEach(() => void vi.useRealTimers());

  it('are written early by one write at a time, and after a failure not before the next turn', async () => {
    vi.useFakeTimers();
    let statements = 0;
    let answer = (): void => undefined;
    let isAway = false;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const errors: unknown[] = [];
    const db = new Kysely<Database>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (of) => new PostgresIntrospector(of),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1;
        await held;
        if (isAway) throw new Error('away');
        return result;
      },
    });
    const uses = new SessionUses(db, (error) => errors.push(error), NEVER_MS);
    const record = (n: number): void => uses.used({ session_id: `session-${n}`, user_id: 'user' }, new Date(0));
    const recordMore = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n += 1) {
        record(n);
        await vi.advanceTimersByTimeAsync(0);
      }
    };
    for (let n = 0; n < 10_000; n += 1) record(n);
    await recordMore(10_000, 10_050);
    answer();
    for (let n = 0; n < 100; n += 1) await vi.advanceTimersByTimeAsync(0);
    // Those that waited when the write began, by 500.
    expect(statements).toBe(21);
    isAway = true;
    statements = 0;
    for (let n = 0; n < 10_000; n += 1) record(n);
    await recordMore(0, 50);
    expect([statements, errors.length]).toEqual([1, 1]);
  });
});

soakDescribe.each(DATABASES.filter(([name]) => name === 'postgres'))('the uses of sessions, on %s', (_, url) => {
  it('wait for no statement that changes a session', async () => {
    const provider = await makeProvider(url);
    const { session, user_id } = await provider.signIn('held@example.com');
    const { db, uses } = provider.services;
    await transaction(db, async (tx) => {
      await tx.selectFrom('sessions').select('session_id').forUpdate().execute();
      uses.used({ session_id: session.session_id, user_id }, new Date(provider.clock.time + 5 * MINUTE));
      await expect(uses.write()).resolves.toBeUndefined();
    });
    await provider.close();
  });
});
