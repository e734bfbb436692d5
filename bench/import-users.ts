/**
 * What an import of users costs, as the command `users import` makes it: processor time of the command and of PostgreSQL for a
 * thousand users, and users per second. Prints one JSON object: without passwords, and with hashes of another system, which are
 * sealed. Processor time is that of Linux (`/proc`); elsewhere that of the database is null.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../provider/src/base/db/open.ts';
import { runCommand } from '../provider/src/operation/commands/run-command.ts';
import { freshStore } from '../provider/tests/kit/harness.ts';
import type { ImportCost } from './report.ts';

const USERS = Number(process.env['USERS'] ?? 20_000);
const HASH = '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.';
/** A unit of time in /proc, in seconds. */
const TICK = 0.01;

const line = (n: number, isHashed: boolean): object => ({
  external_id: `crm-${n}`,
  emails: [{ email: `person-${n}@example.com`, verified: true }],
  name: { first_name: `Ada ${n}`, last_name: 'Byron' },
  ...(isHashed ? { password: { hash_type: 'bcrypt', hash: HASH } } : {}),
});

/** The fields of a process after its name, from its state on (proc(5)). */
function stat(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const PARENT = 1;
const OWN_TIME = [11, 12];
const ENDED_CHILDREN = [13, 14];

/** The processor time, in seconds, of a server's process, its children and those that ended. */
function serverSeconds(server: number): number {
  let ticks = 0;
  const add = (fields: readonly string[], places: readonly number[]): void => {
    for (const place of places) ticks += Number(fields[place]);
  };
  add(stat(server), [...OWN_TIME, ...ENDED_CHILDREN]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      const fields = stat(Number(pid));
      if (Number(fields[PARENT]) === server) add(fields, OWN_TIME);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * TICK;
}

async function cost(url: string | undefined, isHashed: boolean): Promise<ImportCost> {
  const { store, drop } = await freshStore(url);
  if (store.kind !== 'postgres') throw new Error('The import is measured with PostgreSQL.');
  const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
  const file = join(folder, 'users.jsonl');
  const key = join(folder, 'portico.key');
  await runCommand(['keys', key], () => undefined);
  writeFileSync(file, Array.from({ length: USERS }, (_, n) => JSON.stringify(line(n, isHashed))).join('\n'));
  const db = await openDatabase(store);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const server = process.platform === 'linux' ? Number(stat(rows[0]?.pid ?? 0)[PARENT]) : null;
  await db.destroy();
  const seconds = (): number | null => (server === null ? null : serverSeconds(server));
  const before = { cpu: process.cpuUsage(), database: seconds(), at: performance.now() };
  const words = ['users', 'import', file, '--database-url', store.url, '--key-file', key];
  const said = await runCommand(words, () => undefined);
  const { user, system } = process.cpuUsage(before.cpu);
  const database = seconds();
  const elapsed = (performance.now() - before.at) / 1_000;
  if (!said.startsWith(`${USERS} imported`)) throw new Error(said);
  await drop();
  rmSync(folder, { recursive: true });
  return {
    rate: USERS / elapsed,
    command: (user + system) / USERS,
    database: database === null || before.database === null ? null : ((database - before.database) * 1_000_000) / USERS,
  };
}

const url = process.env['TEST_DATABASE_URL'];
process.stdout.write(`${JSON.stringify({ plain: await cost(url, false), hashed: await cost(url, true) })}\n`);
process.exit(0);
