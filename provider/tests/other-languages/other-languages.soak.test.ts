import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as overHttp, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rotateSigningKey, signingKey } from '#provider/base/security/signing-keys.ts';
import { isInstalled } from '#scripts/lib/programs.ts';
import { stop as end } from '#scripts/lib/run.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { ANY_DATABASE, type Fields } from '../kit/harness.ts';
import { as } from '../kit/idp-harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { listen, stop } from '../idp/oidcc/subject.ts';
import { changed, forgedAccess, forgedSessions, seconds, type Sample } from './forged-tokens.ts';
import { SERVERS, startServer } from './servers.ts';

const RESOURCE = 'https://api.example.com/notes';
const LISTED = 'https://admin.example.com';
const CALLBACK = 'http://127.0.0.1/callback';
const EVIL = 'https://evil.example';

let op: ServedProvider;
/** Passes the key sets on, and counts the requests for them. */
let gate: { readonly origin: string; readonly server: Server; isOpen: boolean; requests: number };
let access: { readonly sample: Sample; readonly idToken: string };
let session: Sample;
/** A person without a role. */
let reader: Fields;

/** A new JWT of the person's session: a server may take longer to build than a JWT is valid. */
async function sampleOf(user: Fields): Promise<Sample> {
  const { data } = await op.provider.post('/sessions/authenticate', {}, as(user));
  return { token: String(data['session_jwt']), key: await signingKey(op.provider.services, 'sessions') };
}

/** An access token of a connected app, for the API, and the ID token beside it. */
async function tokensOf({ issuer }: ServedProvider): Promise<{ access_token: string; id_token: string }> {
  const code_verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: 'planner',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid notes:read',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let at = `${issuer}/oauth2/authorize?${query.toString()}`;
  while (!at.startsWith(CALLBACK)) {
    // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
    const reply = await fetch(at, { redirect: 'manual' });
    at = reply.headers.get('location') ?? '';
    // oxlint-disable-next-line no-await-in-loop
    if (at === '') throw new Error(await reply.text());
  }
  const form = { grant_type: 'authorization_code', client_id: 'planner', redirect_uri: CALLBACK, code_verifier };
  const body = new URLSearchParams({ ...form, code: new URL(at).searchParams.get('code') ?? '' });
  const reply = await fetch(`${issuer}/oauth2/token`, { method: 'POST', body });
  return (await reply.json()) as { access_token: string; id_token: string };
}

beforeAll(async () => {
  op = await servedProvider(ANY_DATABASE, () => ({
    resources: [{ resource: RESOURCE, scopes: ['notes:read'] }],
    rbac_policy: {
      roles: [{ role_id: 'editor', permissions: [] }],
      scopes: [{ scope: 'notes:read', description: 'Read notes' }],
    },
    clients: [
      {
        client_id: 'planner',
        client_type: 'public',
        name: 'Planner',
        redirect_uris: [CALLBACK],
        scopes: ['openid', 'notes:read'],
        first_party: true,
      },
    ],
  }));
  const { services } = op.provider;
  reader = await op.provider.signIn('reader@example.com');
  const { access_token, id_token } = await tokensOf(op);
  access = { sample: { token: access_token, key: await signingKey(services, 'apps') }, idToken: id_token };
  const { issuer, server, answer } = await listen();
  gate = { origin: issuer.origin, server, isOpen: false, requests: 0 };
  answer((request, response) => {
    gate.requests += 1;
    if (!gate.isOpen) response.writeHead(503).end();
    else void fetch(op.issuer + request.url).then(async (reply) => response.end(await reply.text()));
  });
});
afterAll(async () => {
  await Promise.all([op.close(), stop(gate.server)]);
});

describe.each(['python', 'go', 'ruby'] as const)('the snippet in %s', (language) => {
  if (!isInstalled(language)) {
    it('runs where its packages of Debian are installed', ({ skip }) => skip());
    return;
  }

  let folder: string;
  let command: readonly string[];
  let server: ChildProcess;
  let port: number;
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      overHttp({ host: '127.0.0.1', port, path, method, headers, agent: false }, resolve).on('error', reject).end();
    });
    return { status: reply.statusCode, body: (await json(reply)) as Fields };
  };
  const until = (answer: () => Promise<number | undefined>, status: number) =>
    vi.waitFor(async () => expect(await answer()).toBe(status), { timeout: PATIENCE_MS });
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
  const asked = async (path: string, token: string) => (await ask(path, bearing(token))).status;

  beforeAll(async () => {
    gate.isOpen = false;
    folder = mkdtempSync(join(tmpdir(), 'portico-languages-'));
    port = await getPort();
    command = await SERVERS[language](folder);
    server = startServer(command, {
      PORT: String(port),
      PORTICO_API_URL: gate.origin,
      PORTICO_PROJECT_ID: op.provider.services.project.project_id,
      PORTICO_ISSUER: op.issuer,
      PORTICO_RESOURCE: RESOURCE,
      PORTICO_ORIGINS: LISTED,
    });
    session = await sampleOf(op.user);
    await until(async () => (await ask('/session')).status, 401);
    expect(await asked('/session', session.token)).toBe(503);
    expect(await asked('/notes', access.sample.token)).toBe(503);
    gate.isOpen = true;
    await until(() => asked('/session', session.token), 200);
    await until(() => asked('/notes', access.sample.token), 200);
  }, 600_000);
  afterAll(async () => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  });

  it('accepts a session, with the user and the roles', async () => {
    const { user_id } = op.user;
    expect((await ask('/drafts', bearing(session.token))).body).toMatchObject({ user_id, roles: ['editor'] });
    const { token } = await sampleOf(reader);
    expect(await asked('/session', token)).toBe(200);
    expect(await asked('/drafts', token)).toBe(403);
  });

  it('accepts an access token of a connected app, with the user and the app', async () => {
    const { body } = await ask('/notes', bearing(access.sample.token));
    expect(body).toMatchObject({ user_id: op.user['user_id'], client_id: 'planner' });
    expect(body['scopes']).toContain('notes:read');
  });

  it('accepts what is valid in a moment by its clock', async () => {
    const nbf = seconds() + 4;
    expect(await asked('/session', changed(session, { nbf }))).toBe(200);
    expect(await asked('/notes', changed(access.sample, { nbf }))).toBe(200);
  });

  it('refuses every forged session', async () => {
    const { sample, idToken } = access;
    const machine = changed(
      { ...session, key: sample.key },
      { sub: 'm2m-client', scope: 'notes:read', 'https://stytch.com/session': undefined },
      { kid: sample.key.kid },
    );
    const others = { 'an access token': sample.token, 'an ID token': idToken, 'a token of a program': machine };
    const wrong: string[] = [];
    for (const { title, token, statuses } of forgedSessions(session, others)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, because keys are read rarely
      const status = await asked('/session', token);
      const fits = title in others ? [401, 503].includes(Number(status)) : statuses.includes(Number(status));
      if (!fits) wrong.push(`${title}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(await asked('/session', session.token)).toBe(200);
  });

  it('refuses every forged access token', async () => {
    const others = { 'an ID token': access.idToken };
    const wrong: string[] = [];
    for (const { title, token, statuses } of forgedAccess(access.sample, others)) {
      // oxlint-disable-next-line no-await-in-loop
      const status = await asked('/notes', token);
      if (!statuses.includes(Number(status))) wrong.push(`${title}: ${status}`);
    }
    expect(await asked('/notes', session.token)).not.toBe(200);
    expect(wrong).toEqual([]);
    expect(await asked('/notes', access.sample.token)).toBe(200);
  });

  it('refuses a token whose two cookies are of different people', async () => {
    const cookies = (token: unknown, more = '') =>
      ask('/session', {
        cookie: `stytch_session=${String(token)}; theme=dark; stytch_session_jwt=${session.token}${more}`,
      });
    expect((await cookies(op.user['session_token'])).status).toBe(200);
    expect((await cookies(reader['session_token'])).status).toBe(401);
    expect((await cookies(op.user['session_token'], `; stytch_session_jwt=${session.token}x`)).status).toBe(401);
    const both = { cookie: `stytch_session_jwt=${session.token}`, authorization: 'Bearer forged' };
    expect((await ask('/session', both)).status).toBe(401);
    expect((await ask('/notes', { cookie: `stytch_session_jwt=${access.sample.token}` })).status).toBe(401);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['a link from elsewhere', 'GET', { 'sec-fetch-site': 'cross-site' }, 200],
    ['a form of another site', 'POST', { 'sec-fetch-site': 'cross-site', origin: EVIL }, 403],
    ['a form of a sibling host', 'POST', { 'sec-fetch-site': 'same-site', origin: 'https://sibling.example.com' }, 403],
    ['a form of another site in an old browser', 'POST', { origin: EVIL }, 403],
    ['a form of an origin that begins with the host', 'POST', { origin: 'HOST.evil.example' }, 403],
    ['a form of a sandboxed frame', 'POST', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['a form of a sandboxed frame of this page', 'POST', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 403],
    ['a change without both headers', 'POST', {}, 403],
    ['a WebSocket of another site', 'GET', { upgrade: 'websocket', connection: 'upgrade', origin: EVIL }, 403],
    ['a form of this page', 'POST', { 'sec-fetch-site': 'same-origin', origin: 'HOST' }, 200],
    ['a form of this page in an old browser', 'POST', { origin: 'HOST' }, 200],
    ['a page of a listed origin', 'POST', { 'sec-fetch-site': 'same-site', origin: LISTED }, 200],
  ])('cookies: %s', async (_title, method, headers, status) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', `http://127.0.0.1:${port}`)]),
    );
    const cookie = `stytch_session_jwt=${session.token}`;
    expect((await ask('/drafts', { ...sent, cookie }, method)).status).toBe(status);
    // A page of another site cannot add this header.
    expect((await ask('/drafts', { ...sent, ...bearing(session.token) }, method)).status).toBe(200);
  });

  it('reads the keys once in five seconds, however many keys a sender invents', async () => {
    const [began, before] = [performance.now(), gate.requests];
    for (let index = 0; index < 30; index += 1) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await asked('/session', changed(session, {}, { kid: `invented-${index}` }))).toBeOneOf([401, 503]);
    }
    expect(gate.requests - before).toBeLessThanOrEqual(1 + (performance.now() - began) / 5000);
    expect(await asked('/session', session.token)).toBe(200);
  });

  it('accepts a new key after a rotation, and the tokens of the earlier one', async () => {
    await rotateSigningKey(op.provider.services, 'sessions');
    const { token } = await sampleOf(op.user);
    expect(token).not.toBe(session.token);
    await until(() => asked('/session', token), 200);
    expect(await asked('/session', session.token)).toBe(200);
  });

  it('checks sessions without the settings of access tokens, and accepts no access token then', async () => {
    const own = await getPort();
    const alone = startServer(command, {
      PORT: String(own),
      PORTICO_API_URL: gate.origin,
      PORTICO_PROJECT_ID: op.provider.services.project.project_id,
      PORTICO_ISSUER: undefined,
      PORTICO_RESOURCE: undefined,
    });
    const statusOf = async (path: string, token: string): Promise<number> =>
      fetch(`http://127.0.0.1:${own}${path}`, { headers: bearing(token) }).then(
        ({ status }) => status,
        () => 0,
      );
    await until(() => statusOf('/session', session.token), 200);
    expect(await statusOf('/notes', access.sample.token)).toBeOneOf([0, 500]);
    await end(alone);
  });

  it('goes on with the keys that it has while the provider is away', async () => {
    gate.isOpen = false;
    expect(await asked('/session', changed(session, {}, { kid: 'new' }))).toBeOneOf([401, 503]);
    expect(await asked('/session', session.token)).toBe(200);
  });
});
