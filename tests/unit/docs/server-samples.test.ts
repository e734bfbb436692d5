import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signInBound } from '../../../provider/tests/kit/bound-page.ts';
import type { Fields } from '../../../provider/tests/kit/harness.ts';
import type { Verifier } from '#composition/server.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { DOCUMENTED_PROVIDER, exampleNamed } from './examples.ts';
import { serveProvider, type ServedProvider } from './served-provider.ts';
import { soakIt } from '../../soak-tests.ts';

interface Samples {
  sessionOf(jwt: string): Promise<{ userId: string; sessionId: string; roles: readonly string[] }>;
  userOf(token: string): Promise<{ user_id: string } | null>;
  saveDocument(request: Request): Promise<Response>;
  importUser(email: string, externalId: string): Promise<string>;
  whoMayWrite(sessionToken: string): Promise<string>;
  pay(request: Request): Promise<Response>;
  payProved(request: Request): Promise<Response>;
  countBefore(day: Date): Promise<number>;
  changeAddress(userId: string, email: string): Promise<void>;
  readonly editors: Verifier;
}

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-server-'));
let served: ServedProvider;
let samples: Samples;
let session: Fields;

beforeAll(async () => {
  served = await serveProvider();
  const files = [
    'save-document.ts',
    'verify-session.ts',
    'ask-provider.ts',
    'first-backend-calls.ts',
    'change-address.ts',
    'verifier-for-tests.ts',
    'bound-only.ts',
    'proved-only.ts',
  ];
  const apps = ['hono-app.ts', 'express-app.ts', 'worker.ts', 'auth.ts'];
  for (const file of [...files, ...apps]) {
    const { source } = exampleNamed(file);
    if (file !== 'verifier-for-tests.ts') expect(source).toContain(DOCUMENTED_PROVIDER);
    writeFileSync(join(dir, file), source.replaceAll(DOCUMENTED_PROVIDER, served.url));
  }
  // The backend SDK warns of every address but the hosted one.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ pathToFileURL(join(dir, file)).href)),
  );
  warning.mockRestore();
  samples = Object.assign({}, ...modules) as Samples;
  session = await served.provider.signIn('editor@portico.example');
});

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await served?.close();
});

describe("the page on a host's own server", () => {
  it('answers those who may write documents, and tells the others why not', async () => {
    const answered = async (headers: Record<string, string>) => {
      const response = await samples.saveDocument(new Request('https://app.example.com/', { headers }));
      return [response.status, await response.json()];
    };
    const { session_jwt, session_token, user_id } = session;
    const authorization = `Bearer ${String(session_jwt)}`;
    expect(await answered({ authorization })).toEqual([200, { saved_by: user_id }]);
    const cookie = `stytch_session=${String(session_token)}; stytch_session_jwt=${String(session_jwt)}`;
    expect(await answered({ cookie })).toEqual([200, { saved_by: user_id }]);
    expect(await answered({})).toMatchObject([401, { reason: 'no-credentials' }]);
    const viewer = await served.provider.signIn('viewer@portico.example');
    const permission = { resource_id: 'documents', action: 'write' };
    const asViewer = { authorization: `Bearer ${String(viewer['session_token'])}` };
    expect(await answered(asViewer)).toMatchObject([403, { lacks: { permission } }]);
  });

  it('lets only those pay whose session is bound to a device', async () => {
    const authorization = `Bearer ${String(session['session_jwt'])}`;
    const response = await samples.pay(new Request('https://app.example.com/', { headers: { authorization } }));
    expect([response.status, await response.json()]).toMatchObject([403, { lacks: { bound: true } }]);
  });

  it('lets a session with a key of its page pay with the proof of that key alone', async () => {
    const { page, jwt } = await signInBound(served.provider, 'proved@example.com');
    const url = 'https://app.example.com/pay';
    const proof = await page.proofOf('POST', '', jwt, { claims: { htu: url, nonce: undefined } });
    const statuses: number[] = [];
    for (const dpop of [null, proof, proof]) {
      const headers = new Headers({ authorization: `DPoP ${jwt}` });
      if (dpop !== null) headers.set('dpop', dpop);
      const request = new Request(url, { method: 'POST', headers });
      // oxlint-disable-next-line no-await-in-loop -- one after the other: a proof counts once
      statuses.push((await samples.payProved(request)).status);
    }
    expect(statuses).toEqual([401, 200, 401]);
  });

  soakIt('shows middleware for Hono and Express, a worker, and the guards of Next, which work as it says', async () => {
    const load = async <T>(file: string) => (await import(/* @vite-ignore */ pathToFileURL(join(dir, file)).href)) as T;
    const { app: hono } = await load<{ app: { fetch(request: Request): Promise<Response> } }>('hono-app.ts');
    const { app: express } = await load<{ app: Parameters<typeof createServer>[1] }>('express-app.ts');
    const { default: worker } = await load<{ default: typeof hono }>('worker.ts');
    const server = createServer(express);
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const authorization = `Bearer ${String(session['session_jwt'])}`;
    const asked = { hono: hono.fetch.bind(hono), express: fetch, worker: worker.fetch.bind(worker) };
    for (const [name, ask] of Object.entries(asked)) {
      const url = `http://127.0.0.1:${port}/${name === 'worker' ? '' : 'drafts'}`;
      const reply = await ask(new Request(url, { headers: { authorization } }));
      expect([name, ...Object.values((await reply.json()) as object)]).toEqual([name, session['user_id']]);
      expect([name, (await ask(new Request(url))).status]).toEqual([name, 401]);
    }
    server.close();
    server.closeAllConnections();
    expect(Object.keys(await load<object>('auth.ts')).sort()).toEqual(['auth', 'proxy', 'requireAuth', 'withAuth']);
    expect(await samples.editors.authenticateRequest(new Request('http://localhost'))).toMatchObject({
      roles: ['editor'],
    });
  });

  it('reads a session of the provider, and its roles, from the JWT', async () => {
    const { user_id, session: told, session_jwt } = session as Fields & { session: Fields };
    expect(await samples.sessionOf(String(session_jwt))).toEqual({
      userId: user_id,
      sessionId: told['session_id'],
      roles: told['roles'],
    });
  });

  it('names every claim that the JWT has, and its algorithm', async () => {
    const [header = '', payload = ''] = String(session['session_jwt']).split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields;
    const claims = read(payload);
    const page = readFileSync(join(ROOT, 'docs/server.md'), 'utf8').replaceAll(/^```[\s\S]*?^```$/gmu, '');
    const named = [...page.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code);
    expect(named).toEqual(expect.arrayContaining(Object.keys(claims)));
    expect(named).toEqual(expect.arrayContaining(Object.keys(claims['https://stytch.com/session'] as Fields)));
    expect(read(header)['alg']).toBe('RS256');
    expect(claims['iss']).toBe(`stytch.com/${claims['aud'][0]}`);
    expect(claims['aud']).toEqual([served.provider.services.project.project_id]);
    expect(claims['exp'] - claims['iat']).toBe(300);
  });

  soakIt('refuses a JWT of other keys, one that was changed, and one without a signature', async () => {
    const { project_id } = served.provider.services.project;
    const { privateKey } = await generateKeyPair('RS256');
    const claims = { 'https://stytch.com/session': { id: 'session-x', roles: ['admin'] } };
    const kid = (await firstKey())['kid'] as string;
    const forged = (iss: string, aud: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(iss)
        .setAudience(aud)
        .setSubject('user-x')
        .setExpirationTime('5m')
        .sign(privateKey);
    await expect(samples.sessionOf(await forged(`stytch.com/${project_id}`, project_id))).rejects.toThrow(/signature/u);
    const [head = '', , sign = ''] = String(session['session_jwt']).split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'user-x' })).toString('base64url');
    await expect(samples.sessionOf(`${head}.${other}.${sign}`)).rejects.toThrow(/signature/u);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await expect(samples.sessionOf(`${none}.${other}.`)).rejects.toThrow(/alg/iu);
  });

  it('finds the same keys at both addresses', async () => {
    const known = await (await fetch(`${served.url}/.well-known/jwks.json`)).json();
    const { project_id } = served.provider.services.project;
    expect(await (await fetch(`${served.url}/sdk/v1/sessions/jwks/${project_id}`)).json()).toEqual(known);
  });

  it('receives the user from the provider, and the end of a session at once', async () => {
    const { user_id, session_token, session_jwt } = await served.provider.signIn('ada@example.com');
    expect((await samples.userOf(String(session_token)))?.user_id).toBe(user_id);
    expect((await samples.userOf(String(session_jwt)))?.user_id).toBe(user_id);
    await served.provider.post('/sessions/revoke', {}, { session: String(session_token) });
    expect(await samples.userOf(String(session_token))).toBeNull();
    expect(await samples.userOf(String(session_jwt))).toBeNull();
  });

  it('ends all sessions of a user by the command of the page, and by a change of the address', async () => {
    const signedIn = async (email: string) => {
      const { user_id, session_token } = await served.provider.signIn(email);
      return { user_id: String(user_id), isAlive: async () => (await samples.userOf(String(session_token))) !== null };
    };
    const ended = await signedIn('ended@example.com');
    const page = readFileSync(join(ROOT, 'docs/backend-api.md'), 'utf8');
    const [, user, body = '', path] =
      /^curl -u (\S+) \\\n.*-d '([^\n]*)' \\\n {2}http:\/\/localhost:4100(\S+revoke_all)$/mu.exec(page) ?? [];
    const reply = await fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(String(user))}`, 'content-type': 'application/json' },
      body: body.replace('user-test-…', ended.user_id),
    });
    expect([reply.status, await ended.isAlive()]).toEqual([200, false]);

    const moved = await signedIn('moved@example.com');
    await samples.changeAddress(moved.user_id, 'moved@example.com');
    expect(await moved.isAlive()).toBe(true);
    await samples.changeAddress(moved.user_id, 'new@example.com');
    expect(await moved.isAlive()).toBe(false);
  });

  it('and the page on tests finds the code that was sent', async () => {
    const { code } = await served.provider.sendCode('ada@example.com');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    writeFileSync(join(dir, 'inbox.ts'), exampleNamed('inbox.ts').source.replaceAll(DOCUMENTED_PROVIDER, served.url));
    await import(/* @vite-ignore */ pathToFileURL(join(dir, 'inbox.ts')).href);
    expect(log).toHaveBeenCalledWith(code);
  });

  soakIt('and moves the clock, causes faults, makes people and goes back', async () => {
    const source = exampleNamed('control.ts').source.replaceAll(DOCUMENTED_PROVIDER, served.url);
    writeFileSync(join(dir, 'control.ts'), source);
    await import(/* @vite-ignore */ pathToFileURL(join(dir, 'control.ts')).href);
    for (const path of ['clock', 'faults', 'users']) expect(served.requests).toContain(`/dev/control/${path}`);
  });

  soakIt('imports a user, finds them again, and learns whether they may write', async () => {
    const user_id = await samples.importUser('imported@example.com', 'crm-1');
    const { session_token } = await served.provider.signIn('imported@example.com');
    expect(await samples.whoMayWrite(String(session_token))).toBe(user_id);
    const viewer = await served.provider.signIn('viewer@portico.example');
    await expect(samples.whoMayWrite(String(viewer['session_token']))).rejects.toMatchObject({
      error_type: 'session_authorization_error',
    });
    expect(await samples.countBefore(new Date(Date.now() + 60_000))).toBeGreaterThan(2);
    expect(await samples.countBefore(new Date(0))).toBe(0);
  });
});

const firstKey = async (): Promise<Fields> => {
  const { keys } = (await (await fetch(`${served.url}/.well-known/jwks.json`)).json()) as { keys: Fields[] };
  return keys[0] ?? {};
};
