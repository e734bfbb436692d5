/**
 * A throw-away PostgreSQL on a free loopback port, for the tests.
 *
 * - POSTGRES_BIN names the folder of its programs; else PATH and Debian's folders are looked at, and apt-get is tried;
 * - as root it runs as the user `postgres`, because PostgreSQL refuses to run as root;
 * - where it cannot be had the answer is a reason, never an exception.
 */
import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { aptInstall, mayInstall } from './lib/apt.ts';
import { isMain } from './lib/root.mjs';
import { start, stop } from './lib/run.ts';

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

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

export interface Postgres {
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
  /** Ends it at once, as a power cut does. */
  crash(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

export type MaybePostgres = Postgres | { readonly reason: string };

export async function startPostgres(env: NodeJS.ProcessEnv = process.env): Promise<MaybePostgres> {
  let dir = '';
  let server: ChildProcess | null = null;
  const clear = (): void => {
    if (dir !== '') rmSync(dir, { recursive: true, force: true });
  };
  try {
    let found = findPrograms(env);
    if (found === null && !env['POSTGRES_BIN'] && mayInstall()) {
      const failure = aptInstall('postgresql');
      found = findPrograms(env);
      if (found === null) return { reason: failure ?? 'the package brought no programs' };
    }
    if (found === null) return { reason: `no initdb and postgres in ${env['POSTGRES_BIN'] ?? `PATH or ${DEBIAN}`}` };

    dir = mkdtempSync(join(tmpdir(), 'portico-postgres-'));
    const root = process.getuid?.() === 0;
    if (root) chownSync(dir, idOf('-u'), idOf('-g'));
    const asUser = root ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
    const programs = found;
    const command = (name: string, ...args: readonly string[]): [string, ...string[]] => {
      const [first = '', ...rest] = [...asUser, join(programs, name), ...args];
      return [first, ...rest];
    };

    const data = join(dir, 'data');
    const [init, ...initArgs] = command('initdb', '-D', data, '-U', 'app', '--auth=trust', '--no-sync', '-E', 'UTF8');
    const made = spawnSync(init, initArgs, { cwd: dir, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb: ${(made.stderr ?? String(made.error)).trim()}`);

    const port = await getPort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
    const [run, ...runArgs] = command(
      'postgres',
      '-D',
      data,
      '-p',
      String(port),
      ...settings.flatMap((s) => ['-c', s]),
    );
    const launch = async (): Promise<ChildProcess> => {
      const launched = start(run, runArgs, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
      server = launched;
      await ready(launched);
      return launched;
    };
    let running = await launch();
    const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
    process.once('exit', clear);
    return {
      url: `postgres://app@127.0.0.1:${port}/postgres`,
      version: version.replace(/^postgres \(PostgreSQL\) (\S+).*$/, '$1'),
      async stop() {
        await stop(running, 'SIGINT');
        clear();
      },
      crash: async () => stop(running, 'SIGQUIT'),
      async start() {
        running = await launch();
      },
    };
  } catch (error) {
    if (server) await stop(server, 'SIGINT');
    clear();
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** PostgreSQL says on stderr that it accepts connections. */
async function ready(server: ChildProcess): Promise<void> {
  let words = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-5000)));
  server.stdout?.resume();
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (words.includes('ready to accept connections')) return;
    if (server.exitCode !== null) throw new Error(`postgres ended: ${words.trim()}`);
    await sleep(50);
  }
  throw new Error('postgres was not ready within 30 s');
}

if (isMain(import.meta.url)) {
  const postgres = await startPostgres();
  console.log('url' in postgres ? postgres.url : `No PostgreSQL: ${postgres.reason}`);
  if ('url' in postgres) process.once('SIGINT', () => void postgres.stop().then(() => process.exit(0)));
}
