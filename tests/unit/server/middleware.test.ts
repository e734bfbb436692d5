import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import * as forExpress from '#composition/server/express.ts';
import * as forHono from '#composition/server/hono.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { API_URL, Issuer, PROJECT_ID } from './issuer.ts';

type RequestSender = (path: string, headers?: Record<string, string>) => Promise<Response>;

let server: Server;
let issuer: Issuer;
const asks: Record<'hono' | 'express', RequestSender> = { hono: fetch, express: fetch };
const NOT_ASKED = 'permission needs publicToken or secret';

function honoApp(verifier: Verifier): RequestSender {
  const app = new Hono()
    .use('/cors', cors({ origin: 'https://app.example.com', credentials: true }))
    .get('/who', forHono.authenticate(verifier), (c) => {
      const who = c.get('auth');
      return c.json(who.status === 'signed-in' ? who.user_id : 'reason' in who ? who.reason : who);
    })
    .get('/editors', forHono.requireAuth(verifier, { roles: ['editor'] }), (c) => c.json(c.get('auth').user_id))
    .get('/cors', forHono.requireAuth(verifier), (c) => c.body('in'))
    .get('/kept', forHono.requireAuth(verifier), () => {
      return new Response('mine', { headers: { 'cache-control': 'private, max-age=60', vary: 'accept' } });
    })
    .get('/wrong', forHono.requireAuth(verifier, { permission: { resource_id: 'a', action: 'b' } }), (c) => c.body(''))
    .onError((error, c) => c.text(error.message, 500));
  return async (path, headers = {}) => app.request(path, { headers });
}

async function expressApp(verifier: Verifier): Promise<RequestSender> {
  const app = express();
  app.get('/who', forExpress.authenticate(verifier), (req, res) => {
    const who = req.auth;
    res.json(who?.status === 'signed-in' ? who.user_id : who?.status === 'signed-out' ? who.reason : who);
  });
  app.get('/editors', forExpress.requireAuth(verifier, { roles: ['editor'] }), (req, res) => {
    res.json(forExpress.authOf(req).user_id);
  });
  app.get('/cors', (_req, res, next) => {
    res.setHeader('access-control-allow-origin', 'https://app.example.com').setHeader('vary', 'Origin');
    next();
  });
  app.get('/cors', forExpress.requireAuth(verifier), (_req, res) => void res.send('in'));
  app.get('/kept', forExpress.requireAuth(verifier), (_req, res) => {
    res.vary('accept').set('cache-control', 'private, max-age=60').send('mine');
  });
  app.get('/wrong', forExpress.requireAuth(verifier, { permission: { resource_id: 'a', action: 'b' } }), () => {});
  app.get('/open', (req, res) => void res.json(forExpress.authOf(req)));
  app.use(((error: Error, _req, res, _next) => {
    res.status(500).send(error.message);
  }) satisfies express.ErrorRequestHandler);
  server = createServer(app);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return async (path, headers = {}) => fetch(`http://localhost:${port}${path}`, { headers });
}

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => Date.now());
  const keys = new FakeKeys([issuer.published]);
  const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { keys } });
  asks.hono = honoApp(verifier);
  asks.express = await expressApp(verifier);
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const bearer = (jwt: string) => ({ authorization: `Bearer ${jwt}` });
const cookie = (jwt: string) => ({ cookie: `theme=dark; stytch_session_jwt=${jwt}` });

describe.each(['hono', 'express'] as const)('the middleware for %s', (name) => {
  const ask: RequestSender = async (...args) => asks[name](...args);

  it('gives a route the sender of the request, and refuses none', async () => {
    const jwt = await issuer.jwt('user-1');
    expect(await (await ask('/who', bearer(jwt))).json()).toBe('user-1');
    expect(await (await ask('/who', cookie(jwt))).json()).toBe('user-1');
    const nobody = await ask('/who');
    expect([nobody.status, await nobody.json()]).toEqual([200, 'no-credentials']);
    expect(nobody.headers.get('vary')).toBe('authorization, cookie');
  });

  it('lets in who has the role', async () => {
    const reply = await ask('/editors', cookie(await issuer.jwt('user-1', ['viewer', 'editor'])));
    expect([reply.status, await reply.json()]).toEqual([200, 'user-1']);
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    expect(reply.headers.get('vary')).toBe('authorization, cookie');
  });

  it('names what others lack', async () => {
    const viewer = await ask('/editors', bearer(await issuer.jwt('user-1', ['viewer'])));
    expect([viewer.status, await viewer.json()]).toMatchObject([403, { lacks: { roles: ['editor'] } }]);
    const nobody = await ask('/editors');
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="portico"']);
    expect(nobody.headers.get('content-type')).toMatch(/^application\/json/u);
    const forged = await ask('/editors', bearer(`${await issuer.jwt('user-1', ['editor'])}x`));
    expect([forged.status, await forged.json()]).toMatchObject([401, { reason: 'untrusted-jwt' }]);
  });

  it('takes a bearer token alone, whatever cookies there are, and nothing of what a proxy may forward', async () => {
    const jwt = await issuer.jwt('user-1');
    const both = await ask('/cors', { ...cookie(jwt), authorization: 'Bearer none' });
    expect(both.status).toBe(401);
    const forwarded = { 'x-forwarded-authorization': `Bearer ${jwt}`, 'x-authorization': `Bearer ${jwt}`, get: jwt };
    expect((await ask('/cors', forwarded)).status).toBe(401);
  });

  it('keeps what others say of the answer: where it may be read, and how long', async () => {
    const jwt = bearer(await issuer.jwt('user-1'));
    const origin = 'https://app.example.com';
    for (const headers of [jwt, {}]) {
      const reply = await ask('/cors', { ...headers, origin });
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
    }
    const kept = await ask('/kept', jwt);
    expect([kept.headers.get('cache-control'), await kept.text()]).toEqual(['private, max-age=60', 'mine']);
    const varied = kept.headers.get('vary')?.split(', ').sort();
    expect(varied).toEqual(['accept', 'authorization', 'cookie']);
  });

  it('passes a requirement that cannot be checked on as an error', async () => {
    const reply = await ask('/wrong', bearer(await issuer.jwt('user-1')));
    expect(reply.status).toBe(500);
    expect(await reply.text()).toContain(NOT_ASKED);
  });
});

it('a route of Express without a guard has no signed-in user', async () => {
  const reply = await asks.express('/open', bearer(await issuer.jwt('user-1')));
  expect([reply.status, await reply.text()]).toEqual([
    500,
    'Invalid call to authOf\nrequireAuth must stand before the handler',
  ]);
});
