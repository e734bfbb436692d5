/**
 * A throw-away PostgreSQL on a free loopback port, for the tests.
 *
 * - POSTGRES_BIN names the folder of its programs; else PATH and Debian's folders are looked at, and apt-get is tried;
 * - as root it runs as the user `postgres`, because PostgreSQL refuses to run as root;
 * - where it cannot be had the answer is a reason, never an exception.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aptInstall, mayInstall } from './lib/apt.mjs';
import { freePort } from './lib/net.mjs';
import { isMain } from './lib/root.mjs';
import { start, stop } from './lib/run.mjs';

const DEBIAN = '/usr/lib/postgresql';

/** The folder that holds initdb and postgres, newest first, or null. */
function findPrograms(env = process.env) {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = env.POSTGRES_BIN
    ? [env.POSTGRES_BIN]
    : [...debian.map((version) => join(DEBIAN, version, 'bin')), ...(env.PATH ?? '').split(delimiter)];
  return places.find((dir) => ['initdb', 'postgres'].every((name) => existsSync(join(dir, name)))) ?? null;
}

/** Whether PostgreSQL is there without installing anything. */
export const hasPrograms = (env = process.env) => findPrograms(env) !== null;

function idOf(flag) {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

/**
 * `crash` ends it at once, as a power cut does; `start` starts it again on the same data and port.
 *
 * @typedef {{ url: string, version: string, stop: () => Promise<void>, crash: () => Promise<void>, start: () => Promise<void> }} Postgres
 * @returns {Promise<Postgres | { reason: string }>}
 */
export async function startPostgres(env = process.env) {
  let dir = null;
  let server = null;
  const clear = () => dir && rmSync(dir, { recursive: true, force: true });
  try {
    let programs = findPrograms(env);
    if (!programs && !env.POSTGRES_BIN && mayInstall()) {
      const failure = aptInstall('postgresql');
      programs = findPrograms(env);
      if (!programs) return { reason: failure ?? 'the package brought no programs' };
    }
    if (!programs) return { reason: `no initdb and postgres in ${env.POSTGRES_BIN ?? `PATH or ${DEBIAN}`}` };

    dir = mkdtempSync(join(tmpdir(), 'portico-postgres-'));
    const root = process.getuid?.() === 0;
    if (root) chownSync(dir, idOf('-u'), idOf('-g'));
    const asUser = root ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
    const command = (name, ...args) => [...asUser, join(programs, name), ...args];

    const data = join(dir, 'data');
    const [init, ...initArgs] = command('initdb', '-D', data, '-U', 'app', '--auth=trust', '--no-sync', '-E', 'UTF8');
    const made = spawnSync(init, initArgs, { cwd: dir, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb: ${(made.stderr ?? String(made.error)).trim()}`);

    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
    const [run, ...runArgs] = command(
      'postgres',
      '-D',
      data,
      '-p',
      String(port),
      ...settings.flatMap((s) => ['-c', s]),
    );
    const launch = async () => {
      server = start(run, runArgs, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
      await ready(server);
    };
    await launch();
    const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
    process.once('exit', clear);
    return {
      url: `postgres://app@127.0.0.1:${port}/postgres`,
      version: version.replace(/^postgres \(PostgreSQL\) (\S+).*$/, '$1'),
      async stop() {
        await stop(server, 'SIGINT');
        clear();
      },
      crash: () => stop(server, 'SIGQUIT'),
      start: launch,
    };
  } catch (error) {
    if (server) await stop(server, 'SIGINT');
    clear();
    return { reason: error.message };
  }
}

/** PostgreSQL says on stderr that it accepts connections. */
async function ready(server) {
  let words = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (words = (words + text).slice(-5000)));
  server.stdout.resume();
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (words.includes('ready to accept connections')) return;
    if (server.exitCode !== null) throw new Error(`postgres ended: ${words.trim()}`);
    await sleep(50);
  }
  throw new Error('postgres was not ready within 30 s');
}

if (isMain(import.meta.url)) {
  const postgres = await startPostgres();
  console.log(postgres.url ?? `No PostgreSQL: ${postgres.reason}`);
  if (postgres.stop) process.once('SIGINT', () => void postgres.stop().then(() => process.exit(0)));
}
