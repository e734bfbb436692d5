import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { exampleNamed } from '#tests/unit/docs/examples.ts';
import { DATABASES, makeProvider, MASTER, PATIENCE, type Fields, type Provider } from '../kit/harness.ts';
import { ran } from '../kit/managing.ts';

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

describe.runIf(POSTGRES !== undefined)('a copy by the documented commands, restored as another role', () => {
  let original: Provider;
  let session: string;
  let restored: Db;
  let copy: Provider;
  let folder = '';
  /** The lines of a block of the page, for this server. */
  let commandsOf: (block: string) => readonly string[];
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

    const [place] = await run(from, `select current_database() as name, setting from pg_config where name = 'BINDIR'`);
    const name = `restored_${randomBytes(6).toString('hex')}`;
    const role = `restorer_${name}`;
    await run(from, `create role ${role} login`);
    drops.push(() => run(from, `drop database if exists ${name}`).then(() => undefined));
    drops.push(() => run(from, `drop role ${role}`).then(() => undefined));
    const [source, into] = [new URL(POSTGRES ?? ''), new URL(POSTGRES ?? '')];
    source.pathname = `/${String(place?.['name'])}`;
    into.pathname = `/${name}`;
    into.username = role;
    const replacements: readonly (readonly [documented: string, here: string])[] = [
      ['postgres://postgres:secret@db.internal:5432/postgres', POSTGRES ?? ''],
      ['postgres://portico:secret@db.internal:5432/portico_restored', into.href],
      ['postgres://portico:secret@db.internal:5432/portico', source.href],
      ['--owner=portico portico_restored', `--owner=${role} ${name}`],
    ];
    commandsOf = (block) =>
      replacements
        .reduce((text, [documented, here]) => text.replaceAll(documented, here), exampleNamed(block).source)
        .trim()
        .split('\n');
    folder = mkdtempSync(join(tmpdir(), 'portico-dump-'));
    const PATH = [String(place?.['setting']), process.env['PATH']].join(delimiter);
    for (const command of [...commandsOf('dump-postgres.sh'), ...commandsOf('restore-postgres.sh')]) {
      const { status, stderr } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH },
      });
      if (status !== 0 || stderr !== '') throw new Error(`${command}: ${stderr}`);
    }
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

  it('is opened by its key, and by no other, as the page checks it', async () => {
    const [command = ''] = commandsOf('check-restored-key.sh');
    const list = async (key: string): Promise<string> => {
      const file = join(folder, 'portico.key');
      writeFileSync(file, key, { mode: 0o600 });
      const words = command
        .replace('npx portico-provider ', '')
        .replace(/ portico\.key$/u, ` ${file}`)
        .split(' ');
      return ran(words, {});
    };
    expect(await list(process.env['PORTICO_KEY'] ?? '')).toContain('sessions');
    await expect(list(randomBytes(32).toString('base64url'))).rejects.toThrow('The key does not open this database');
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
