import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prepareFolder } from '#provider/operation/store/open-store.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { type Fields } from '../kit/harness.ts';
import { buildServer, killServers, request, spawnPublic, startServer } from '../kit/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-data-'));

async function signIn(url: string, email: string): Promise<Fields> {
  const sent = await request(url, 'POST', '/sdk/v1/otps/email/login_or_create', { email });
  const [message] = (await request(url, 'GET', '/dev/inbox.json')) as unknown as Fields[];
  const fields = { token: message?.['code'], method_id: sent['data'].method_id, session_duration_minutes: 60 };
  return (await request(url, 'POST', '/sdk/v1/otps/authenticate', fields))['data'];
}

const me = (url: string, session: string) => request(url, 'GET', '/sdk/v1/users/me', undefined, session);

beforeAll(buildServer);
afterEach(killServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the server as a process', () => {
  it('finishes a command whose reader has enough, as `head` has', async () => {
    const command = spawnPublic('--help');
    command.stdout?.destroy();
    let said = '';
    command.stderr?.on('data', (part) => (said += String(part)));
    const code = await new Promise((resolve) => command.once('close', resolve));
    expect([code, said]).toEqual([0, '']);
  });

  soakIt(
    'keeps what it acknowledged through kill -9, in a folder that it shares with no other, until the folder is emptied',
    async () => {
      const first = await startServer('--port', '0', '--data', folder);
      expect(first.url).toMatch(/^http:\/\/localhost:\d+$/u);
      const kept = await signIn(first.url, 'kept@example.com');
      const revoked = await signIn(first.url, 'kept@example.com');
      await request(first.url, 'POST', '/sdk/v1/sessions/revoke', undefined, revoked['session_token']);
      first.child.kill('SIGKILL');
      expect(await first.ended).toBe('SIGKILL');

      const second = await startServer('--port', '0', '--data', folder);
      expect(second.url).not.toBe('');
      const store = { kind: 'folder', path: folder } as const;
      await expect(prepareFolder(store)).rejects.toThrow(
        `The data folder ${folder} is in use by process ${second.child.pid} on ${hostname()};`,
      );
      expect((await signIn(second.url, 'still@example.com'))['user_id']).toMatch(/^user-test-/u);
      expect((await me(second.url, kept['session_token']))['data']).toMatchObject({ user_id: kept['user_id'] });
      expect((await me(second.url, kept['session_jwt']))['data']).toMatchObject({ user_id: kept['user_id'] });
      expect(await me(second.url, revoked['session_token'])).toMatchObject({ error_type: 'unauthorized_credentials' });
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
      expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);

      // As --fresh does before the start.
      (await prepareFolder(store, { fresh: true })).unlock();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  soakIt('keeps sessions through a restart, until --fresh, and ends where another process has the folder', async () => {
    const first = await startServer('--port', '0', '--data', folder);
    const { session_token } = await signIn(first.url, 'kept@example.com');
    const other = await startServer('--port', '0', '--data', folder);
    expect(await other.ended).toBe(1);
    expect(other.output()).toMatch(
      new RegExp(`^The data folder .* is in use by process ${first.child.pid} on .*\\n$`, 'u'),
    );
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const second = await startServer('--port', '0', '--data', folder);
    expect((await me(second.url, session_token))['data']).toHaveProperty('user_id');
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    const fresh = await startServer('--port', '0', '--data', folder, '--fresh');
    expect(await me(fresh.url, session_token)).toMatchObject({ error_type: 'unauthorized_credentials' });
    expect([second, fresh].map(({ output }) => output().includes('making the database'))).toEqual([false, true]);
    fresh.child.kill('SIGINT');
    expect(await fresh.ended).toBe(0);
  });

  soakIt(
    'prints its address, public token and project id, answers on both loopback addresses, and logs no secret',
    async () => {
      const { url, output, child, ended } = await startServer('--port', '0', '--data', 'memory', '--verbose');
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
      const { public_token, project_id } = DEMO_PROJECT;
      const start = `listening on ${url}\npublic token ${public_token}\nproject id ${project_id}\nemails and text messages ${url}/dev/inbox\n`;
      expect(output().slice(0, start.length)).toBe(start);
      expect(output().match(/listening/gu)).toHaveLength(1);
      expect(output()).toContain('POST /sdk/v1/otps/authenticate 200');
      for (const secret of [session_token, session_jwt, 'canary']) expect(output()).not.toContain(secret);
    },
  );

  it('refuses wrong arguments in one sentence', async () => {
    const { output, ended } = await startServer('--prot', '1');
    expect(await ended).toBe(1);
    expect(output()).toBe(`Unknown option '--prot'. Did you mean --port?\n`);
  });

  // listen.test.ts has the sentence of a port; the test before this one has the status of a start that is refused.
  soakIt('reports when its port or its database cannot be had', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen({ port: 0, host: '127.0.0.1' }, resolve));
    const port = String((other.address() as { port: number }).port);
    const taken = await startServer('--port', port, '--data', 'memory');
    expect(await taken.ended).toBe(1);
    expect(taken.output()).toMatch(
      new RegExp(`^Port ${port} is already in use.*; choose another with --port \\(PORTICO_PORT\\)\\.\n$`, 'u'),
    );
    other.close();
    const none = await startServer('--port', '0', '--database-url', 'postgres://app@127.0.0.1:1/x');
    expect(await none.ended).toBe(1);
    expect(none.output()).toMatch(/^Cannot use the database: .*\n$/u);
  });
});

async function hasIpv6(): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ port: 0, host: '::1' }, () => probe.close(() => resolve(true)));
  });
}
