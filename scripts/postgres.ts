/**
 * A throw-away PostgreSQL on a free loopback port, for the tests.
 *
 * - POSTGRES_BIN names the folder of its programs; else PATH and Debian's folders are searched, and apt-get is tried;
 * - as root it runs as the user `postgres`, because PostgreSQL refuses to run as root;
 * - when it is not available, the result is a reason, never an exception.
 */
import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import getPort from 'get-port';
import { aptInstall, mayInstall } from './lib/apt.ts';
import { start, stop, untilSays } from './lib/run.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The folder that holds initdb and postgres, newest first, or null. */
function findPrograms(env: NodeJS.ProcessEnv = process.env): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = env['POSTGRES_BIN']
    ? [env['POSTGRES_BIN']]
    : [...debian.map((version) => join(DEBIAN, version, 'bin')), ...(env['PATH'] ?? '').split(delimiter)];
  return places.find((dir) => ['initdb', 'postgres'].every((name) => existsSync(join(dir, name)))) ?? null;
}

/** Whether PostgreSQL is there without installing anything. */
export const hasPrograms = (env = process.env): boolean => findPrograms(env) !== null;

export interface Postgres {
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
  /** Kills it at once, like a power failure. */
  crash(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

export type MaybePostgres = Postgres | { readonly reason: string };

/** The programs' folder. Debian's package is installed if it is missing and installation is allowed. */
function ensurePrograms(env: NodeJS.ProcessEnv): string {
  const named = env['POSTGRES_BIN'];
  const failure = findPrograms(env) === null && !named && mayInstall() ? aptInstall('postgresql') : null;
  const found = findPrograms(env);
  if (found === null) throw new Error(failure ?? `no initdb and postgres in ${named ?? `PATH or ${DEBIAN}`}`);
  return found;
}

export async function startPostgres(env: NodeJS.ProcessEnv = process.env): Promise<MaybePostgres> {
  let dir = '';
  let server: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => (server === null ? undefined : stop(server, signal));
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const programs = ensurePrograms(env);
    dir = mkdtempSync(join(tmpdir(), 'portico-postgres-'));
    process.once('exit', clear);
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
    const root = process.getuid?.() === 0;
    const user = root ? { uid: id('-u'), gid: id('-g') } : {};
    if (root) chownSync(dir, id('-u'), id('-g'));

    const data = join(dir, 'data');
    const initdb = ['-D', data, '-U', 'app', '--auth=trust', '--no-sync', '-E', 'UTF8'];
    const made = spawnSync(join(programs, 'initdb'), initdb, { cwd: dir, encoding: 'utf8', ...user });
    if (made.status !== 0) throw new Error(`initdb: ${(made.stderr ?? String(made.error)).trim()}`);

    const port = await getPort();
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${dir}`,
      'fsync=off',
      'max_connections=500',
    ];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const launch = async (): Promise<void> => {
      server = start(join(programs, 'postgres'), args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], ...user });
      await untilSays(server, /ready to accept connections/);
    };
    await launch();
    const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
    return {
      url: `postgres://app@127.0.0.1:${port}/postgres`,
      version: version.trim().replace(/^postgres \(PostgreSQL\) (\S+).*$/, '$1'),
      stop: async () => end('SIGINT').then(clear),
      crash: async () => end('SIGQUIT'),
      start: launch,
    };
  } catch (error) {
    await end('SIGINT');
    if (dir !== '') clear();
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
