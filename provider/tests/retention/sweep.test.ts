import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_METRICS, type SweepTurn } from '#provider/base/metrics/metrics.ts';
import { BOUNDS } from '#provider/operation/retention/bounds.ts';
import { sweep, type SweepServices } from '#provider/operation/retention/sweep.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { EITHER_DATABASE, type Fields, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
/** Three batches. */
const MANY = 1_100;

describe.each(EITHER_DATABASE)('a sweep, on %s', (_, url) => {
  const provider = suiteProvider(url);
  let errors: unknown[];
  let turns: SweepTurn[];
  beforeEach(async () => {
    await run('drop trigger if exists test_cut on sessions; drop trigger if exists test_cut on passcodes');
    await run('delete from users; delete from leases; delete from limit_windows');
    errors = [];
    turns = [];
  });

  const run = async (statements: string): Promise<readonly Fields[]> => {
    let rows: readonly Fields[] = [];
    for (const statement of statements.split('; '))
      rows = (await sql<Fields>`${sql.raw(statement)}`.execute(provider.services.db)).rows;
    return rows;
  };
  const count = async (table: string): Promise<number> =>
    Number((await run(`select count(*)::integer as count from ${table}`))[0]?.['count']);
  const sweeping = (options: Partial<SweepServices> = {}): SweepServices => ({
    ...provider.services,
    metrics: { ...NO_METRICS, swept: (turn) => void turns.push(turn) },
    onError: (error) => void errors.push(error),
    ...options,
  });
  const outcomeOf = (part: string) => turns.filter((turn) => turn.part === part).map(({ outcome }) => outcome);

  /** A user with expired sessions and an expired code. */
  async function expire(sessions: number): Promise<void> {
    const { user_id } = await provider.signIn('ada@example.com');
    await provider.sendCode('ada@example.com');
    const before = new Date(provider.clock.time - 2 * DAY);
    await run(`update passcodes set expires_at = '${before.toISOString()}'`);
    await sql`insert into sessions
      select 'old-' || n, ${user_id}, ${before}, ${before}, ${before}, '{}', '[]'
      from generate_series(1, ${sql.lit(sessions)}) as n`.execute(provider.services.db);
  }

  /** Refuses deletions of more rows than `most` in one statement, with this SQLSTATE. */
  async function refuseMoreThan(most: number, table: string, code: string): Promise<void> {
    await sql`${sql.raw(`create or replace function test_cut_${table}() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > ${most} then raise exception 'cut off' using errcode = '${code}'; end if;
        return null;
      end $$`)}`.execute(provider.services.db);
    await run(`create trigger test_cut after delete on ${table} referencing old table as gone
      for each statement execute function test_cut_${table}()`);
  }

  it('deletes by the primary key of each table', async () => {
    const keys =
      await run(`select coalesce(p.inhparent, c.conrelid)::regclass::text as name, array_agg(a.attname::text order by k.place) as key
      from pg_constraint c left join pg_inherits p on p.inhrelid = c.conrelid cross join unnest(c.conkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
      where c.contype = 'p' and c.connamespace = 'public'::regnamespace group by c.conrelid, 1`);
    const byTable = new Map(keys.map(({ name, key }) => [name, key]));
    for (const [table, bound] of Object.entries(BOUNDS))
      if (bound.by === 'sweep') expect([table, bound.key]).toEqual([table, byTable.get(table)]);
  });

  it('goes on with the other tables after one that fails', async () => {
    await expire(3);
    await refuseMoreThan(0, 'passcodes', 'P0001');
    expect(await sweep(sweeping())).toMatchObject({ state: 'done' });
    expect([await count('passcodes'), await count('sessions')]).toEqual([1, 1]);
    expect(errors.map(String)).toEqual([expect.stringContaining('cut off')]);
    expect([outcomeOf('passcodes'), outcomeOf('sessions'), outcomeOf('users')]).toEqual([
      ['failed'],
      ['done'],
      ['done'],
    ]);
    await expect(sweep(sweeping({ onError: undefined }))).rejects.toThrow('cut off');
    expect(await count('leases')).toBe(0);
  });

  soakIt('deletes fewer rows at once where the database cuts a batch off, and reports no failure', async () => {
    await expire(200);
    await refuseMoreThan(40, 'sessions', '57014');
    const sizes: SweepServices['sizes'] = new Map();
    expect(await sweep(sweeping({ sizes }))).toMatchObject({ state: 'done' });
    expect([await count('sessions'), errors]).toEqual([1, []]);
    await run('drop trigger test_cut on sessions');
    // It grows with each batch that is quick.
    await sweep(sweeping({ sizes }));
    await sweep(sweeping({ sizes }));
    expect(sizes.get('sessions')?.rows).toBeGreaterThan(40);
  });

  it('gives a table up for this pass where even one row is cut off', async () => {
    await expire(3);
    await refuseMoreThan(0, 'sessions', '57014');
    await sweep(sweeping());
    expect([outcomeOf('sessions'), outcomeOf('users'), errors.length]).toEqual([['failed'], ['done'], 1]);
  });

  it('leaves the rest of a table to the next pass when its time is over, so that every table has a turn', async () => {
    await expire(MANY);
    expect(await sweep(sweeping({ turnMs: 0 }))).toMatchObject({ state: 'behind' });
    expect([outcomeOf('sessions'), await count('passcodes')]).toEqual([['behind'], 0]);
    expect(await count('sessions')).toBe(MANY + 1 - 500);
    expect(await sweep(sweeping({ turnMs: 0 }))).toMatchObject({ state: 'behind' });
    expect(await sweep(sweeping({ turnMs: 0 }))).toMatchObject({ state: 'done' });
    expect([await count('sessions'), errors]).toEqual([1, []]);
    const rows = turns.filter(({ part }) => part === 'sessions').reduce((sum, turn) => sum + turn.rows, 0);
    expect(rows).toBe(MANY);
  });

  it('ends at once while another process holds the lease, and takes it when that has expired', async () => {
    await expire(3);
    await run(`insert into leases values ('sweep', 'another', clock_timestamp() + interval '1 minute')`);
    expect(await sweep(sweeping())).toEqual({ turns: [], state: 'busy' });
    expect([await count('sessions'), await count('leases')]).toEqual([4, 1]);
    await expect(perform(provider.services, 'sweep', {})).rejects.toThrow('Another process is sweeping');
    await run(`update leases set held_until = clock_timestamp() - interval '1 second'`);
    expect(await sweep(sweeping())).toMatchObject({ state: 'done' });
    expect([await count('sessions'), await count('leases')]).toEqual([1, 0]);
  });

  it('is run by a command, which prints what it deleted', async () => {
    await expire(3);
    const { rows } = await perform(provider.services, 'sweep', {});
    expect(rows).toContainEqual({ part: 'sessions', rows: 3, seconds: expect.any(Number) as number, outcome: 'done' });
    expect(rows).toContainEqual({ part: 'passcodes', rows: 1, seconds: expect.any(Number) as number, outcome: 'done' });
    expect(await perform(provider.services, 'sweep', {})).toMatchObject({ rows: [], said: 'Nothing has expired.' });
  });
});
