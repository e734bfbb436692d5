import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { serveProvider, type ServedProvider } from '../unit/docs/served-provider.ts';
import { installHost, type Host } from './host.ts';

interface Runtime {
  readonly name: string;
  readonly binary: string;
  /** The command that serves `worker.js` of the folder on a port of loopback. */
  readonly args: (port: number, provider: string) => readonly string[];
}

/** The runtime's own language for what it serves, and which network it may reach. */
const workerd = (port: number): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "app", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-11-01")),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "app")],
);
`;

/** Their packages are installed apart. */
const PACKAGES = join(ROOT, 'tests/runtimes/node_modules');

const RUNTIMES: readonly Runtime[] = [
  {
    name: 'workerd',
    binary: '@cloudflare/workerd-linux-64/bin/workerd',
    args(port) {
      writeFileSync(join(host.folder, 'workerd.capnp'), workerd(port));
      return ['serve', 'workerd.capnp'];
    },
  },
  {
    name: 'Bun',
    binary: '@oven/bun-linux-x64/bin/bun',
    args(port) {
      const served = `{ hostname: '127.0.0.1', port: ${port}, fetch: worker.fetch }`;
      return ['-e', `import worker from './worker.js'; Bun.serve(${served});`];
    },
  },
  {
    name: 'Deno',
    binary: '@deno/linux-x64-glibc/deno',
    // The provider is the one thing that it may touch.
    args: (port, provider) => [
      'serve',
      '--quiet',
      '--no-config',
      '--no-remote',
      '--no-prompt',
      `--allow-net=${new URL(provider).host}`,
      '--host=127.0.0.1',
      `--port=${port}`,
      'worker.js',
    ],
  },
];

let host: Host;
let served: ServedProvider;
let [jwt, token, user_id] = ['', '', ''];
const children: ChildProcess[] = [];

beforeAll(async () => {
  await ensureDeps(join(ROOT, 'tests/runtimes'));
  [host, served] = await Promise.all([installHost(), serveProvider()]);
  const { project_id: projectId, public_token: publicToken } = served.provider.services.project;
  const session = await served.provider.signIn('editor@portico.example');
  jwt = String(session['session_jwt']);
  token = String(session['session_token']);
  user_id = String(session['user_id']);
  const config = {
    define: { PROVIDER: JSON.stringify({ apiUrl: served.url, projectId, publicToken }) },
    build: {
      outDir: '.',
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(ROOT, 'tests/runtimes/handler.ts'), formats: ['es'], fileName: 'worker' },
    },
    resolve: { alias: { 'portico/server': join(host.installed, 'dist/server.js') } },
  };
  writeFileSync(join(host.folder, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
  await host.vite();
});

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  }
  await served?.close();
  host?.remove();
});

/** Starts the runtime; resolves with its address as soon as it answers. */
async function start({ binary, args }: Runtime): Promise<string> {
  const port = await getPort();
  const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(host.folder, '.deno') };
  const path = join(PACKAGES, binary);
  const child = spawn(path, args(port, served.url), { cwd: host.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const url = `http://127.0.0.1:${port}/`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${binary} ended with code ${child.exitCode}\n${said}`);
    const reply = await fetch(url).catch(() => null);
    if (reply !== null) return url;
    await new Promise((resolve) => void setTimeout(resolve, 25));
  }
}

describe.each(RUNTIMES)('a fetch handler on $name', (runtime) => {
  it('verifies a JWT by keys that it fetches once, asks about a session token, and names what is missing', async ({
    skip,
  }) => {
    skip(!existsSync(join(PACKAGES, runtime.binary)), `${runtime.binary} is not installed on this platform`);
    const url = await start(runtime);
    served.requests.length = 0;
    const ask = async (headers: Record<string, string>, query = '') => {
      const reply = await fetch(`${url}${query}`, { headers });
      return [reply.status, await reply.json()] as const;
    };
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

    expect(await ask(bearer(jwt))).toEqual([200, { user_id, source: 'jwt' }]);
    expect(await ask({ cookie: `stytch_session_jwt=${jwt}` }, '?role=editor')).toEqual([
      200,
      { user_id, source: 'jwt' },
    ]);
    expect(await ask(bearer(jwt), '?role=admin')).toMatchObject([403, { lacks: { roles: ['admin'] } }]);
    const [head = '', , sign = ''] = jwt.split('.');
    const forged = `${head}.${Buffer.from(`{"sub":"${user_id}"}`).toString('base64url')}.${sign}`;
    expect(await ask(bearer(forged))).toMatchObject([401, { reason: 'untrusted-jwt' }]);
    expect(await ask({})).toMatchObject([401, { reason: 'no-credentials' }]);
    expect(served.requests).toEqual([expect.stringMatching(/^\/sdk\/v1\/sessions\/jwks\//u)]);

    expect(await ask(bearer(token))).toEqual([200, { user_id, source: 'api' }]);
    expect(await ask(bearer('A'.repeat(43)))).toMatchObject([401, { reason: 'session-ended' }]);
    const herd = await Promise.all(Array.from({ length: 20 }, async () => ask(bearer(jwt))));
    expect(new Set(herd.map(([status]) => status))).toEqual(new Set([200]));
    expect(served.requests.slice(1)).toEqual(['/sdk/v1/sessions/authenticate', '/sdk/v1/sessions/authenticate']);
  });
});
