/** better-auth, installed into a scratch folder, on a separate database. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freshStore } from '../../provider/tests/kit/harness.ts';

const PACKAGES = { 'better-auth': '1.7.25', pg: '8.23.1' };
const USERS = 20;
const ORIGIN = 'http://localhost:3000';
const CONNECTIONS = 20;

/** Checks the session of one of many users. */
export interface Contender {
  readonly name: string;
  readonly check: (turn: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The used members of the package, because its types are not installed here. */
interface Auth {
  handler(request: Request): Promise<Response>;
}
interface Package {
  readonly betterAuth: (options: object) => Auth;
}
interface Migrations {
  readonly getMigrations: (options: object) => Promise<{ readonly runMigrations: () => Promise<void> }>;
}
interface Pg {
  readonly default: {
    readonly Pool: new (config: object) => {
      readonly end: () => Promise<void>;
      readonly on: (event: 'error', listener: () => void) => void;
    };
  };
}

async function install(): Promise<string> {
  const folder = join(process.env['PORTICO_PEERS'] ?? join(tmpdir(), 'portico-peers'), 'better-auth');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}');
  if (!existsSync(join(folder, 'node_modules/better-auth'))) {
    const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
    await promisify(execFile)('npm', ['install', ...flags, ...packages], { cwd: folder });
  }
  return join(folder, 'node_modules');
}

export async function betterAuth(url: string): Promise<Contender> {
  const modules = await install();
  const load = async <M>(path: string): Promise<M> =>
    (await import(/* @vite-ignore */ pathToFileURL(join(modules, path)).href)) as M;
  const { default: pg } = await load<Pg>('pg/esm/index.mjs');
  const { betterAuth: make } = await load<Package>('better-auth/dist/index.mjs');
  const { getMigrations } = await load<Migrations>('better-auth/dist/db/get-migration.mjs');

  const { store, drop } = await freshStore(url);
  const connectionString = store.kind === 'postgres' ? store.url : url;
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS });
  // Ending its database cuts connections that it is still closing.
  pool.on('error', () => undefined);
  const options = {
    database: pool,
    baseURL: ORIGIN,
    secret: 'a secret of thirty-two characters',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  };
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  const auth = make(options);

  const cookies: string[] = [];
  for (let user = 0; user < USERS; user += 1) {
    const body = JSON.stringify({ name: 'User', email: `user-${user}@example.com`, password: 'correct horse battery' });
    const headers = { 'content-type': 'application/json', origin: ORIGIN };
    const reply = await auth.handler(
      new Request(`${ORIGIN}/api/auth/sign-up/email`, { method: 'POST', headers, body }),
    );
    cookies.push(reply.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')); // prettier-ignore
  }
  return {
    name: `better-auth ${PACKAGES['better-auth']}`,
    async check(turn) {
      const headers = { cookie: cookies[turn % USERS] ?? '' };
      const reply = await auth.handler(new Request(`${ORIGIN}/api/auth/get-session`, { headers }));
      const found = (await reply.json()) as { readonly user?: object } | null;
      if (found?.user === undefined) throw new Error(`better-auth answered a check with ${reply.status}`);
    },
    async close() {
      await pool.end();
      await drop();
    },
  };
}
