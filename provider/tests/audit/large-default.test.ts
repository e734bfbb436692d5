import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { openDatabase } from '#provider/base/db/open.ts';
import { DATABASES, freshStore, PATIENCE } from '../kit/harness.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
/** More than the partition may have, in rows of a kilobyte. */
const ROWS = 75_000;

const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const [, section = ''] = page.split("## When the audit log's default partition is large\n");
const [text = ''] = section.split('\n## ');
const blocks = Array.from(text.matchAll(/```text\n(.*?)```/gsu), ([, block = '']) => block);

/** The beginning of the month that is so many months from this one. */
const monthAt = (ahead: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 10);
};

let client: pg.Client;
let drop: () => Promise<void>;
beforeAll(async () => {
  if (POSTGRES === undefined) return;
  const fresh = await freshStore(POSTGRES);
  ({ drop } = fresh);
  await (await openDatabase(fresh.store, undefined, PATIENCE)).destroy();
  client = new pg.Client({ connectionString: fresh.store.kind === 'postgres' ? fresh.store.url : '' });
  await client.connect();
});
afterAll(async () => {
  if (POSTGRES === undefined) return;
  await client.end();
  await drop();
});

it.runIf(POSTGRES !== undefined)(
  'the steps for a large default partition of the audit log lose no row, and let the sweep make months again',
  async () => {
    const rows = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows;
    const partitions = async () =>
      (await rows(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass`))
        .map(({ name }) => String(name))
        .sort();
    const all = `select count(*)::integer as count, sum(seq)::text as sum from audit_log`;
    for (const name of await partitions()) if (name !== 'audit_log_default') await client.query(`drop table ${name}`);
    // A vacuum that begins by itself gives its lock up after as long as the steps wait.
    await client.query('alter table audit_log_default set (autovacuum_enabled = off)');
    await client.query(`insert into audit_log (created_at, event, outcome, actor_kind, details)
      select greatest(now() - n * interval '1 minute', '${monthAt(-3)}'::date at time zone 'UTC'), 'login', 'ok', 'user',
        jsonb_build_object('n', repeat(md5(n::text), 30)) from generate_series(1, ${ROWS}) as n`);
    await client.query(`alter table audit_log_default alter column details set storage plain`);
    await client.query(`insert into audit_log (created_at, event, outcome, actor_kind)
      values (now() + interval '5 years', 'login', 'ok', 'user'), (now() - interval '300 days', 'login', 'ok', 'user')`);
    await expect(client.query('select audit_log_make_months()')).rejects.toThrow('audit_log_default is too large');
    const before = await rows(all);

    expect(blocks).toHaveLength(3);
    for (const block of blocks) {
      // As psql sends it.
      for (const statement of block
        .replaceAll('2027-01-01', monthAt(-3))
        .replaceAll('2027-05-01', monthAt(1))
        .split(';\n'))
        await client.query(statement);
    }

    expect(await rows(all)).toEqual(before);
    expect(await rows('select audit_log_make_months() as made')).toEqual([{ made: 2 }]);
    expect(await partitions()).toEqual(
      [
        ...[1, 2].map((ahead) => `audit_log_${monthAt(ahead).slice(0, 7).replace('-', '_')}`),
        'audit_log_default',
        'audit_log_late',
      ].sort(),
    );
    expect(await rows('select count(*)::integer as count from audit_log_default')).toEqual([{ count: 2 }]);
    expect(await rows('select count(*)::integer as count from audit_log_late')).toEqual([{ count: ROWS }]);
    for (const table of ['audit_log', 'audit_log_default', 'audit_log_late'])
      for (const change of [`truncate ${table}`, `delete from ${table}`, `update ${table} set event = ''`])
        await expect(client.query(change), change).rejects.toThrow('append-only');
    await client.query(
      `insert into audit_log (created_at, event, outcome, actor_kind) values (now(), 'login', 'ok', 'user')`,
    );
    expect(await rows('select count(*)::integer as count from audit_log_late')).toEqual([{ count: ROWS + 1 }]);
  },
);
