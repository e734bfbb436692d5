import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { basic, PUBLIC_TOKEN, type Fields } from './harness.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Inside the package, so that the built file finds its packages.
const built = mkdtempSync(join(ROOT, 'node_modules', '.portico-provider-'));
const folder = mkdtempSync(join(tmpdir(), 'portico-data-'));
const running = new Set<ChildProcess>();

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  readonly ended: Promise<number | string>;
}

/** Starts the built server; resolves when it listens or has ended. */
function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(built, 'main.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  return new Promise((resolve) => {
    const ended = new Promise<number | string>((end) => {
      child.on('exit', (code, signal) => {
        running.delete(child);
        end(code ?? signal ?? '');
        resolve({ child, url: '', output: () => output, ended });
      });
    });
    const seen = (part: Buffer): void => {
      output += part.toString();
      const url = /listening on (http:\S+)\n/u.exec(output)?.[1];
      if (url !== undefined) resolve({ child, url, output: () => output, ended });
    };
    child.stdout?.on('data', seen);
    child.stderr?.on('data', seen);
  });
}

async function call(url: string, method: string, path: string, body?: object, session = PUBLIC_TOKEN): Promise<Fields> {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: basic(PUBLIC_TOKEN, session), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Fields;
}

async function signIn(url: string, email: string): Promise<Fields> {
  const sent = await call(url, 'POST', '/sdk/v1/otps/email/login_or_create', { email });
  const [message] = (await call(url, 'GET', '/dev/inbox.json')) as unknown as Fields[];
  const fields = { token: message?.['code'], method_id: sent['data'].method_id, session_duration_minutes: 60 };
  return (await call(url, 'POST', '/sdk/v1/otps/authenticate', fields))['data'];
}

const me = (url: string, session: string) => call(url, 'GET', '/sdk/v1/users/me', undefined, session);

beforeAll(async () => {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: { ssr: 'provider/src/main.ts', outDir: built, target: 'node20', emptyOutDir: true },
    ssr: { external: true },
  });
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => {
  rmSync(built, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

describe('the server as a process', () => {
  it('keeps what it acknowledged through kill -9 and through a restart, until --fresh', async () => {
    const first = await start('--port', '0', '--data', folder);
    expect(first.url).toMatch(/^http:\/\/localhost:\d+$/u);
    const kept = await signIn(first.url, 'kept@example.com');
    const revoked = await signIn(first.url, 'kept@example.com');
    await call(first.url, 'POST', '/sdk/v1/sessions/revoke', undefined, revoked['session_token']);
    first.child.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');

    const second = await start('--port', '0', '--data', folder);
    expect((await me(second.url, kept['session_token']))['data']).toMatchObject({ user_id: kept['user_id'] });
    expect((await me(second.url, kept['session_jwt']))['data']).toMatchObject({ user_id: kept['user_id'] });
    expect(await me(second.url, revoked['session_token'])).toMatchObject({ error_type: 'unauthorized_credentials' });
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);

    const fresh = await start('--port', '0', '--data', folder, '--fresh');
    expect(await me(fresh.url, kept['session_token'])).toMatchObject({ error_type: 'unauthorized_credentials' });
    fresh.child.kill('SIGINT');
    expect(await fresh.ended).toBe(0);
  }, 90_000);

  it('does not share its data folder, but takes over the lock of a process that is gone', async () => {
    writeFileSync(join(folder, 'lock'), '4194304 1\n');
    const first = await start('--port', '0', '--data', folder);
    expect(first.url).not.toBe('');
    expect(Number.parseInt(readFileSync(join(folder, 'lock'), 'utf8'), 10)).toBe(first.child.pid);
    const second = await start('--port', '0', '--data', folder);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^The data folder .* is in use by process ${first.child.pid};.*\\n$`, 'u'),
    );
    expect((await signIn(first.url, 'still@example.com'))['user_id']).toMatch(/^user-test-/u);
  }, 60_000);

  it('prints one line, answers on both loopback addresses, and logs no secret', async () => {
    const { url, output, child, ended } = await start('--port', '0', '--data', 'memory', '--verbose');
    const port = new URL(url).port;
    for (const host of ['localhost', '127.0.0.1', ...((await hasIpv6()) ? ['[::1]'] : [])]) {
      expect((await fetch(`http://${host}:${port}/dev/inbox.json`)).status).toBe(200);
    }
    const { session_token, session_jwt } = await signIn(url, 'canary@example.com');
    await fetch(`${url}/dev/inbox.json?to=canary@example.com`);
    const stream = await fetch(`${url}/dev/inbox/stream`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await stream.body?.cancel();
    expect(output().match(/listening/gu)).toHaveLength(1);
    expect(output()).toContain('POST /sdk/v1/otps/authenticate 200');
    for (const secret of [session_token, session_jwt, 'canary']) expect(output()).not.toContain(secret);
  }, 60_000);

  it('refuses wrong arguments in one sentence', async () => {
    const { output, ended } = await start('--prot', '1');
    expect(await ended).toBe(1);
    expect(output()).toBe(`Unknown option '--prot'.\n`);
  });

  it('says when its port or its database cannot be had', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen({ port: 0, host: '127.0.0.1' }, resolve));
    const port = String((other.address() as { port: number }).port);
    const taken = await start('--port', port, '--data', 'memory');
    expect(await taken.ended).toBe(1);
    expect(taken.output()).toBe(`Port ${port} is already in use; choose another with --port.\n`);
    other.close();
    const none = await start('--port', '0', '--database-url', 'postgres://app@127.0.0.1:1/x');
    expect(await none.ended).toBe(1);
    expect(none.output()).toMatch(/^Cannot use the database: .*\n$/u);
  }, 60_000);
});

async function hasIpv6(): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ port: 0, host: '::1' }, () => probe.close(() => resolve(true)));
  });
}
