import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseClock } from '#provider/base/db/statements/clock.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, freshStore, makeProvider, MINUTE, type Fields } from '../kit/harness.ts';
import { CALLBACK, challenge, REQUEST, SETTINGS, verifier } from '../kit/idp-harness.ts';
import { buildServer, killServers, request, startServerAt, type ServerProcess } from '../kit/server-process.ts';
import { soakIt } from '#tests/soak-tests.ts';

const TWO_HOURS = 120 * MINUTE;
const minutes = { session_duration_minutes: 60 };
const folder = mkdtempSync(join(tmpdir(), 'portico-clocks-'));
const project = join(folder, 'project.json');

beforeAll(async () => {
  await buildServer();
  writeFileSync(project, JSON.stringify({ ...SETTINGS, issuer: 'http://accounts.localhost' }));
});
afterEach(killServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(aheadMs: number, ...place: readonly string[]): Promise<ServerProcess> {
  const server = await startServerAt(aheadMs, '--port', '0', '--project', project, ...place);
  expect(server.url, server.output()).not.toBe('');
  return server;
}

async function ask(
  server: ServerProcess,
  method: string,
  path: string,
  body?: object,
  session?: unknown,
): Promise<Fields> {
  const reply = await request(server.url, method, `/sdk/v1${path}`, body, session as string | undefined);
  expect(reply, `${method} ${path}`).not.toHaveProperty('error_type');
  return reply['data'] as Fields;
}

async function message(server: ServerProcess, to: string): Promise<Fields> {
  const inbox = (await (await fetch(`${server.url}/dev/inbox.json?to=${to}`)).json()) as Fields[];
  return inbox[0] ?? {};
}

async function oauth(server: ServerProcess, fields: Record<string, string>): Promise<Fields> {
  const reply = await fetch(`${server.url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'planner', ...fields }),
  });
  return (await reply.json()) as Fields;
}

/** Runs each step of a login on the next server; the servers' clocks differ. */
async function everyStepElsewhere(servers: readonly ServerProcess[], offset: number): Promise<Fields> {
  let turn = offset;
  const next = (): ServerProcess => servers[(turn += 1) % servers.length] as ServerProcess;
  const email = `user${offset}@example.com`;
  const { method_id } = await ask(next(), 'POST', '/otps/email/login_or_create', { email });
  const { code } = await message(next(), email);
  const user = await ask(next(), 'POST', '/otps/authenticate', { token: code, method_id, ...minutes });
  await ask(next(), 'GET', '/users/me', undefined, user['session_token']);

  await ask(next(), 'POST', '/magic_links/email/login_or_create', { email });
  const token = new URL(String((await message(next(), email))['link'])).searchParams.get('token');
  const linked = await ask(next(), 'POST', '/magic_links/authenticate', { token, ...minutes });
  await ask(next(), 'POST', '/sessions/authenticate', minutes, linked['session_token']);

  const granted = {
    ...REQUEST,
    code_challenge: challenge,
    consent_granted: true,
    scopes: ['openid', 'offline_access'],
  };
  const { authorization_code } = await ask(
    next(),
    'POST',
    '/idp/oauth/authorize/submit',
    granted,
    linked['session_token'],
  );
  const redeem = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier };
  const tokens = await oauth(next(), { ...redeem, code: String(authorization_code) });
  expect(tokens).toHaveProperty('refresh_token');
  const authorization = `Bearer ${String(tokens['access_token'])}`;
  expect((await fetch(`${next().url}/oauth2/userinfo`, { headers: { authorization } })).status).toBe(200);
  const refreshed = await oauth(next(), {
    grant_type: 'refresh_token',
    refresh_token: String(tokens['refresh_token']),
  });
  expect(refreshed).toHaveProperty('access_token');
  return linked;
}

describe.each(EITHER_DATABASE)('a process with a wrong clock, on %s', (_, url) => {
  // Three servers whose clocks differ by seconds are in attacks/three-processes.test.ts.
  soakIt.runIf(url !== undefined)('the process ends nothing of the others, and accepts what they issued', async () => {
    const { store } = await freshStore(url);
    const place = ['--database-url', store.kind === 'postgres' ? store.url : ''];
    const right = await start(0, ...place);
    const before = await everyStepElsewhere([right], 0);
    const wrong = await Promise.all([start(TWO_HOURS, ...place), start(-TWO_HOURS, ...place), start(2_000, ...place)]);
    const all = [right, ...wrong];
    for (let offset = 1; offset <= all.length; offset += 1) {
      const user = await everyStepElsewhere(all, offset);
      for (const server of all) {
        await ask(server, 'GET', '/users/me', undefined, user['session_token']);
        await ask(server, 'GET', '/users/me', undefined, before['session_token']);
      }
    }
  });

  it('a sweep deletes nothing that is valid by any clock that is nearly right', async () => {
    const provider = await makeProvider(url);
    try {
      const { session_token } = await provider.signIn('ada@example.com');
      const { clock } = provider;
      await sweep({ ...provider.services, clock: { now: () => clock.time + TWO_HOURS } });
      const me = await provider.call('GET', '/users/me', undefined, { session: String(session_token) });
      expect(me.status).toBe(200);
    } finally {
      await provider.close();
    }
  });

  soakIt('the process follows the time of the database, even when its own clock is set anew', async () => {
    const { store, drop } = await freshStore(url);
    const db = await openDatabase(store);
    const clock = await databaseClock(db);
    try {
      const before = Date.now();
      expect(Math.abs(clock.now() - before)).toBeLessThan(60_000);
      if (url === undefined) return;
      vi.spyOn(Date, 'now').mockImplementation(() => before + TWO_HOURS);
      expect(Math.abs(clock.now() - before)).toBeLessThan(60_000);
      // The server notices the change and reads the database's time again.
      await clock.read();
      expect(Math.abs(clock.now() - before)).toBeLessThan(60_000);
    } finally {
      clock.stop();
      await db.destroy();
      await drop();
    }
  });
});
