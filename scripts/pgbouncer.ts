/**
 * A throw-away PgBouncer in transaction mode before a PostgreSQL of the tests.
 *
 * - PGBOUNCER names the program; else PATH and Debian's folder are searched, and apt-get is tried;
 * - as root it runs as the user `postgres`, because PgBouncer refuses to run as root;
 * - when it is not available, the result is a reason, never an exception.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import getPort from 'get-port';
import { aptInstall, mayInstall } from './lib/apt.ts';
import { start, stop, untilSays } from './lib/run.ts';

const DEBIAN = '/usr/sbin/pgbouncer';

/** The program, or null. */
export function findPgBouncer(env: NodeJS.ProcessEnv = process.env): string | null {
  const places = env['PGBOUNCER']
    ? [env['PGBOUNCER']]
    : [...(env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pgbouncer')), DEBIAN];
  return places.find((path) => existsSync(path)) ?? null;
}

/** The program. Debian's package is installed if it is missing and installation is allowed. */
export function tryPgBouncer(env: NodeJS.ProcessEnv = process.env): {
  readonly path: string | null;
  readonly reason: string;
} {
  const failure = findPgBouncer(env) === null && !env['PGBOUNCER'] && mayInstall() ? aptInstall('pgbouncer') : null;
  return { path: findPgBouncer(env), reason: failure ?? `no ${env['PGBOUNCER'] ?? 'pgbouncer in PATH'}` };
}

export function pgBouncerVersion(path: string): string {
  return /\d+\.\d+\.\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'of an unknown version';
}

export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** @param connections the number of connections to each database */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const path = findPgBouncer();
  if (path === null) throw new Error('There is no pgbouncer.');
  const { hostname, port: databasePort, username } = new URL(databaseUrl);
  const dir = mkdtempSync(join(tmpdir(), 'portico-pgbouncer-'));
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', clear);
  const port = await getPort();
  const users = join(dir, 'users.txt');
  writeFileSync(users, `"${username}" ""\n`);
  const settings = join(dir, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 1000
`,
  );
  const root = process.getuid?.() === 0;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  const user = root ? { uid: id('-u'), gid: id('-g') } : {};
  if (root) for (const file of [dir, users, settings]) chownSync(file, id('-u'), id('-g'));
  const child = start(path, [settings], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  await untilSays(child, /process up/);
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    stop: async () => stop(child, 'SIGINT').then(clear),
  };
}
