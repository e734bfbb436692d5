import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { DATABASES, freshStore, makeProvider, MASTER, PATIENCE, type Fields, type Provider } from '../kit/harness.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const ROW = `insert into audit_log (created_at, event, outcome, actor_kind) values`;

const run = async (db: Db, statement: string): Promise<readonly Fields[]> =>
  (await sql<Fields>`${sql.raw(statement)}`.execute(db)).rows;

const partitions = (db: Db): Promise<readonly Fields[]> =>
  run(
    db,
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass order by 1`,
  );

/** What is in the schema, without its owner, and without parentheses: a restored condition has fewer of them. */
const schema = (db: Db): Promise<readonly Fields[]> =>
  run(
    db,
    `select name, kind, translate(text, '()', '') as text from (select c.relname as name, c.relkind as kind, pg_get_indexdef(i.indexrelid) as text from pg_class c
        left join pg_index i on i.indexrelid = c.oid where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I', 'S')
      union all select t.tgname, t.tgenabled, pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
      union all select p.proname, 'f', pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace
      ) as parts order by 1, 2, 3`,
  );

describe.runIf(POSTGRES !== undefined)('a copy by pg_dump, restored by pg_restore as another role', () => {
  let original: Provider;
  let session: string;
  let restored: Db;
  let copy: Provider;
  let folder = '';
  const drops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    original = await makeProvider(POSTGRES);
    original.clock.time = Date.now();
    const from = original.services.db;
    // As the log is a year after its migration.
    await run(from, 'drop table audit_log_before');
    await sweep(original.services);
    // A month of the past with a row that no longer may be deleted alone, and a row of a wrong clock.
    await run(from, `do $$ declare first timestamp := date_trunc('month', now() at time zone 'UTC') - interval '3 months'; begin
      create table audit_log_past (like audit_log_default including all excluding identity);
      execute format('alter table audit_log attach partition audit_log_past for values from (%L) to (%L)',
        first at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
      create trigger audit_log_truncate before truncate on audit_log_past
        for each statement execute function audit_log_append_only(); end $$`); // prettier-ignore
    await run(from, `${ROW} (date_trunc('month', now()) - interval '80 days', 'login', 'ok', 'user'), (now() + interval '5 years', 'login', 'ok', 'user')`); // prettier-ignore
    session = String((await original.signIn('ada@example.com'))['session_token']);

    const { store, drop } = await freshStore(POSTGRES, 'template0');
    drops.push(drop);
    if (store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
    const into = new URL(store.url);
    const role = `restorer_${into.pathname.slice(1)}`;
    const [place] = await run(from, `select current_database() as name, setting from pg_config where name = 'BINDIR'`);
    await run(from, `create role ${role} login`);
    await run(from, `alter database ${into.pathname.slice(1)} owner to ${role}`);
    drops.push(() => run(from, `drop role ${role}`).then(() => undefined));
    folder = mkdtempSync(join(tmpdir(), 'portico-dump-'));
    const program = (name: string, ...words: readonly string[]): void => {
      const { status, stderr } = spawnSync(join(String(place?.['setting']), name), words, { encoding: 'utf8' });
      if (status !== 0 || stderr !== '') throw new Error(`${name}: ${stderr}`);
    };
    const source = new URL(store.url);
    source.pathname = `/${String(place?.['name'])}`;
    into.username = role;
    const file = join(folder, 'portico.dump');
    program('pg_dump', '--format=custom', `--file=${file}`, source.href);
    program('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${into.href}`, file);
    restored = await openDatabase({ kind: 'postgres', url: into.href }, undefined, PATIENCE);
    const keys = await keysInDatabase({ db: restored, clock: original.clock, random: systemRandom }, MASTER);
    copy = await makeProvider(POSTGRES, { db: restored, keys, clock: original.clock });
  });
  afterAll(async () => {
    await copy?.close();
    await restored?.destroy();
    for (const drop of drops) await drop();
    await original?.close();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  it('has the same tables, partitions, indexes, triggers and functions, and is of this version', async () => {
    expect(await schema(restored)).toEqual(await schema(original.services.db));
    expect(await partitions(restored)).toEqual(await partitions(original.services.db));
    const all = 'select * from audit_log order by seq';
    expect(await run(restored, all)).toEqual(await run(original.services.db, all));
  });

  it('serves the sessions that were there, and new logins', async () => {
    const kept = await copy.post('/sessions/authenticate', {}, { session });
    expect(kept.status).toBe(200);
    expect(await copy.signIn('grace@example.com')).toHaveProperty('session_token');
    const [numbers] = await run(restored, 'select count(*) = count(distinct seq) as unique from audit_log');
    expect(numbers).toEqual({ unique: true });
  });

  it('keeps the guard of the audit log in each partition', async () => {
    for (const table of ['audit_log', 'audit_log_past', 'audit_log_default'])
      for (const change of [`truncate ${table}`, `delete from ${table}`, `update ${table} set event = ''`])
        await expect(run(restored, change)).rejects.toThrow('append-only');
  });

  it('has its months made and dropped by its new owner', async () => {
    const [newest] = await run(restored, `select max(c.relname) as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_log'::regclass and c.relname ~ '\\d'`); // prettier-ignore
    await run(restored, `drop table ${String(newest?.['name'])}`);
    expect((await sweep(copy.services)).turns.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(await partitions(restored)).toEqual(await partitions(original.services.db));
  });
});
