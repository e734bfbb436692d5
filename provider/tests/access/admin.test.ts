import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAdminFile } from '#provider/operation/store/admin-file.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { basic, DATABASES, freshStore, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { managedJson, ran } from '../kit/managing.ts';
import { soakDescribe, soakIt } from '#tests/soak-tests.ts';

const PROFILE = 'trusted-auth-token-profile-test-demo';
const folder = mkdtempSync(join(tmpdir(), 'portico-admin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function post(url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Fields> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as Fields;
}

const admin = (...words: string[]) => ran(['admin', ...words]);
const attest = async (url: string, token: string) =>
  (await post(url, '/sdk/v1/sessions/attest', { profile_id: PROFILE, token }))['data'];
/** A login with a passkey that nobody has, which is counted. */
const failLogin = async (url: string) =>
  post(url, '/sdk/v1/webauthn/authenticate', { public_key_credential: '{}', session_duration_minutes: 60 });
const FAILED = [expect.objectContaining({ browser: 'other', used: 0, failed: 1 }) as Fields];
const act = async (url: string, impersonation_token: string) =>
  (await post(url, '/sdk/v1/impersonation/authenticate', { impersonation_token }))['data'];

describe('the admin command', () => {
  let server: RunningServer;
  let url: string;
  const at = ['--data', folder];
  beforeAll(async () => {
    server = await run(optionsFrom(['--dev', '--port', '0', ...at]));
    url = server.url;
  });
  afterAll(() => server.stop());

  it('makes tokens through the server that holds the folder', async () => {
    const trusted = await admin('trusted-token', '--profile', PROFILE, '--email', 'sue@example.com', ...at);
    const user = await attest(url, trusted);
    expect(user['user'].emails[0].email).toBe('sue@example.com');
    const token = await admin('impersonate', '--user', 'sue@example.com', '--by', 'ops@example.com', ...at);
    const session = await act(url, token);
    expect(session['user_id']).toBe(user['user_id']);
    await failLogin(url);
    expect(await managedJson(at, 'passkeys', 'funnel')).toEqual(FAILED);
    expect(session['session'].authentication_factors[0].impersonated_factor).toEqual({
      impersonator_id: 'ops@example.com',
      impersonator_email_address: 'ops@example.com',
    });
  });

  it('makes and revokes secrets of the backend API', async () => {
    const [id = '', secret = ''] = (await admin('project-secret', 'create', '--name', 'shop', ...at)).split('\n');
    const call = async () => {
      const authorization = basic(DEMO_PROJECT.project_id, secret);
      return (await fetch(`${url}/v1/users/nobody`, { headers: { authorization } })).status;
    };
    expect(await call()).toBe(404);
    expect(await admin('project-secret', 'list', ...at)).toContain(id);
    expect(await admin('backend-calls', '--target', 'nobody', ...at)).toMatch(
      /users\.get\tnobody\t404\tuser_not_found/u,
    );
    await admin('project-secret', 'revoke', '--id', id, ...at);
    expect(await call()).toBe(401);
  });

  soakIt('says in one sentence what it cannot do', async () => {
    expect(await admin('rotate-keys', ...at)).toMatch(/^[\w-]{43}$/u);
    await expect(admin('client-secret', '--client', 'connected-app-test-planner', ...at)).rejects.toThrow(
      'A public client has no secret',
    );
    await expect(admin('impersonate', '--user', 'nobody@example.com', ...at)).rejects.toThrow('There is no such user.');
    await expect(admin('trusted-token', '--profile', 'x', '--email', 'a@b.example', ...at)).rejects.toThrow(
      'no trusted',
    );
  });

  it.each([
    [[], /^Use one of: admin backup, .*admin impersonate, /u],
    [['toString'], /^Unknown command 'toString'\. Use one of: /u],
    [
      ['impersonate'],
      "Required option '--user <USER>' not specified. Usage: portico-provider admin impersonate --user",
    ],
    [['trusted-token', '--email', 'a@b.example'], "Required option '--profile <PROFILE>' not specified."],
    [['impersonate', '--user', 'a@b.example', '--data', 'memory'], 'Data in memory belongs to one process'],
    [['impersonate', '--user', 'a', '--data', 'x', '--database-url', 'postgres://x/y'], 'not both'],
    [['impersonate', '--user', 'a', '--bye', 'b'], "Unknown option '--bye'. Did you mean --by?"],
    [['rotate-keys', '--purpose', 'everything'], /^Option '--purpose .* Allowed choices are apps, sessions\.$/u],
    [['rotate-keys', '--client', 'app'], "Unknown option '--client'."],
    [['client-secret'], "Required option '--client <CLIENT>' not specified."],
    [['project-secret'], 'Use one of: admin project-secret create, '],
    [['project-secret', 'create'], "Required option '--name <NAME>' not specified."],
    [['project-secret', 'list', '--id', 'x'], "Unknown option '--id'."],
  ])('refuses %j', async (words, reason) => {
    await expect(admin(...words)).rejects.toThrow(reason);
  });

  it('prints JSON', async () => {
    const [row] = await managedJson(at, 'admin', 'project-secret', 'create', '--name', 'till');
    expect(row).toEqual({ secret_id: expect.any(String), secret: expect.stringMatching(/^secret-test-/u) });
    const secrets = await managedJson(at, 'admin', 'project-secret', 'list');
    const found = secrets.find(({ name }) => name === 'till');
    expect(found).toMatchObject({ secret_id: row?.['secret_id'], last_used_at: null });
    expect(JSON.stringify(found)).not.toContain(row?.['secret']);
  });

  it('refuses callers that cannot read the data folder, and pages', async () => {
    const access = readAdminFile(folder);
    expect(statSync(join(folder, 'admin.json')).mode & 0o777).toBe(0o600);
    const authorization = `Bearer ${access?.secret}`;
    const body = { user: 'sue@example.com' };
    const ask = (headers: Record<string, string>) => post(url, '/admin/impersonate', body, headers);
    expect((await ask({ authorization }))['data'].said).toMatch(/^[\w-]{43}$/u);
    expect(await ask({ authorization: 'Bearer guess' })).toMatchObject({ error_type: 'admin_secret_required' });
    expect(await ask({})).toMatchObject({ error_type: 'admin_secret_required' });
    for (const origin of ['http://localhost:3000', 'https://evil.example', 'null']) {
      expect(await ask({ authorization, origin })).toMatchObject({ error_type: 'unregistered_origin' });
    }
    // A proxy on the same host would make the internet look like this machine.
    for (const name of ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']) {
      expect(await ask({ authorization, [name]: '1.1 proxy' })).toMatchObject({ error_type: 'unauthorized_action' });
    }
  });

  soakIt('works on the folder itself once the server is gone, however it went', async () => {
    const left = readFileSync(join(folder, 'admin.json'), 'utf8');
    await server.stop();
    expect(existsSync(join(folder, 'admin.json'))).toBe(false);
    writeFileSync(join(folder, 'admin.json'), left);
    const token = await admin('impersonate', '--user', 'sue@example.com', ...at);
    server = await run(optionsFrom(['--dev', '--port', '0', ...at]));
    url = server.url;
    expect((await act(url, token))['user'].emails[0].email).toBe('sue@example.com');
  });
});

describe('the project file of a server', () => {
  soakIt('sets its limits, which survive a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'portico-limits-'));
    const file = join(data, 'project.json');
    writeFileSync(file, JSON.stringify({ limits: { sends_per_address: { max: 2, seconds: 3600 } } }));
    const args = optionsFrom(['--dev', '--port', '0', '--data', join(data, 'store'), '--project', file]);
    const send = async (server: RunningServer) =>
      fetch(`${server.url}/sdk/v1/otps/email/login_or_create`, {
        method: 'POST',
        headers: {
          authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
          'content-type': 'application/json',
          origin: 'http://localhost:3000',
        },
        body: '{"email":"often@example.com"}',
      });
    const first = await run(args);
    expect((await send(first)).status).toBe(200);
    expect((await send(first)).status).toBe(200);
    expect((await send(first)).status).toBe(429);
    await first.stop();
    const second = await run(args);
    const refused = await send(second);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/u);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('names the file and the field that are wrong', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, '{"clients":[{}]}');
    const args = optionsFrom(['--dev', '--port', '0', '--data', 'memory', '--project', file]);
    await expect(run(args)).rejects.toThrow(`${file}: in the project file, clients[0].client_id must be a string`);
  });
});

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];

soakDescribe.runIf(postgres !== undefined)('the admin command on a database of yours', () => {
  it('works directly', async () => {
    const { store, drop } = await freshStore(postgres);
    const at = ['--database-url', store.kind === 'postgres' ? store.url : ''];
    const server = await run(optionsFrom(['--dev', '--port', '0', ...at]));
    const trusted = await admin('trusted-token', '--profile', PROFILE, '--email', 'pg@example.com', ...at);
    const { user_id } = await attest(server.url, trusted);
    const token = await admin('impersonate', '--user', user_id, ...at);
    expect((await act(server.url, token))['user_id']).toBe(user_id);
    const [apps, sessions] = [
      await admin('rotate-keys', ...at),
      await admin('rotate-keys', '--purpose', 'sessions', ...at),
    ];
    const shown = async (path: string) => JSON.stringify(await (await fetch(server.url + path)).json());
    expect(await shown('/oauth2/jwks.json')).toContain(apps);
    await failLogin(server.url);
    await server.stop();
    expect(await managedJson(at, 'passkeys', 'funnel')).toEqual(FAILED);
    const again = await run(optionsFrom(['--dev', '--port', '0', ...at]));
    expect(await (await fetch(`${again.url}/.well-known/jwks.json`)).text()).toContain(sessions);
    await again.stop();
    await drop();
  });
});
