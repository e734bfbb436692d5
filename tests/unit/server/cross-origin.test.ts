import { createServer, request as sendHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier, refusalOf, type Verifier, type VerifierOptions } from '#composition/server.ts';
import * as forExpress from '#composition/server/express.ts';
import * as forHono from '#composition/server/hono.ts';
import { createNextAuth } from '#composition/server/next.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { API_URL, Issuer, PROJECT_ID } from './issuer.ts';

const LISTED = 'https://admin.example.com';
const SERVERS = ['Express', 'Hono', 'a route handler of Next', 'Node'] as const;
type Name = (typeof SERVERS)[number];
type Headers = Record<string, string>;

let issuer: Issuer;
let cookie = '';
/** How often a route that changes something ran. */
let changes = 0;
const servers: Server[] = [];
const ports: Partial<Record<string, number>> = {};

function listenerOf(fetch: (request: Request) => Response | Promise<Response>): RequestListener {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  return (request, response) => void listener(request, response);
}

const LISTENERS: Record<Name, (verifier: Verifier) => RequestListener> = {
  Express: (verifier) => {
    const app = express();
    app.all('/who', forExpress.authenticate(verifier), (req, res) => void res.json(req.auth?.status));
    app.all('/', forExpress.requireAuth(verifier), (_req, res) => {
      changes += 1;
      res.send('done');
    });
    return app;
  },
  Hono: (verifier) => {
    const app = new Hono()
      .all('/who', forHono.authenticate(verifier), (c) => c.json(c.get('auth').status))
      .all('/', forHono.requireAuth(verifier), (c) => {
        changes += 1;
        return c.text('done');
      });
    return listenerOf(app.fetch);
  },
  'a route handler of Next': (verifier) => {
    const route = createNextAuth(verifier).withAuth({}, () => {
      changes += 1;
      return new Response('done');
    });
    return listenerOf(async (request) => route(request, {}));
  },
  Node: (verifier) => (request, response) => {
    void (async () => {
      const who = await verifier.authenticateRequest(request);
      if (who.status === 'signed-in') changes += 1;
      const { status, body } = who.status === 'signed-in' ? { status: 200, body: 'done' } : refusalOf(who);
      response.writeHead(status).end(JSON.stringify(body));
    })();
  },
};

async function serve(name: string, listener: RequestListener, verifier?: Verifier): Promise<void> {
  const server = createServer(listener);
  server.on('upgrade', (request: IncomingMessage, socket) => {
    void (async () => {
      const who = await verifier?.authenticateRequest(request);
      if (who?.status === 'signed-in') changes += 1;
      const line = who?.status === 'signed-in' ? '101 Switching Protocols' : '403 Forbidden';
      socket.end(`HTTP/1.1 ${line}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
    })();
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  servers.push(server);
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => Date.now());
  cookie = `stytch_session_jwt=${await issuer.jwt('user-1')}`;
  const make = (options: Partial<VerifierOptions>): Verifier => {
    const keys = new FakeKeys([issuer.published]);
    return createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { keys }, ...options });
  };
  const verifier = make({ origins: [LISTED] });
  await Promise.all(SERVERS.map(async (name) => serve(name, LISTENERS[name](verifier))));
  await serve('unprotected', LISTENERS['Express'](make({ csrfProtection: false })));
  await serve('sockets', () => undefined, verifier);
});

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** A request as no client sends it: with any `Host`, `Origin` and `Sec-Fetch-Site`. */
const send = async (name: string, method: string, headers: Headers, path = '/') =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = sendHttp({ port: ports[name], host: '127.0.0.1', method, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    sent.once('error', reject).end();
  });

const FORBIDDEN: readonly (readonly [string, Headers])[] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sibling host', { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' }],
  ['another site, in an old browser', { origin: 'https://evil.example' }],
  ['a host whose name begins alike', { origin: 'https://app.example.com.evil.example' }],
  ['a host whose name ends alike', { origin: 'https://evilapp.example.com' }],
  ['another port', { origin: 'https://app.example.com:8443' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a frame without an origin, in an old browser', { origin: 'null' }],
  ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a program', {}],
  ['a browser that says two things', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['an address in place of an origin', { origin: 'https://app.example.com/' }],
  ['user information', { origin: 'https://app.example.com@evil.example' }],
  [
    'a sender that names another host to a proxy',
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ],
  [
    'a sender that names another address',
    { origin: 'https://evil.example', 'x-original-url': 'https://evil.example/' },
  ],
  ['a sender that names another method', { origin: 'https://evil.example', 'x-http-method-override': 'GET' }],
];
const ALLOWED: readonly (readonly [string, Headers])[] = [
  ['its own page', { origin: 'https://app.example.com', 'sec-fetch-site': 'same-origin' }],
  ['its own page, in an old browser', { origin: 'https://app.example.com' }],
  ['its own page without TLS, in an old browser', { origin: 'http://app.example.com' }],
  ['the visitor', { 'sec-fetch-site': 'none' }],
  [
    'its own page, behind a proxy that gives it another host',
    { host: 'app:3000', origin: 'https://app.example.com', 'sec-fetch-site': 'same-origin' },
  ],
  ['a listed page', { origin: LISTED, 'sec-fetch-site': 'same-site' }],
  ['a listed page, in an old browser', { origin: LISTED }],
];

describe.each(SERVERS)('a change by cookies at %s', (name) => {
  const METHODS =
    name === 'a route handler of Next' || name === 'Hono'
      ? ['POST', 'PUT', 'DELETE', 'PATCH']
      : ['POST', 'DELETE', 'TRACE', 'PROPFIND'];

  it.each(FORBIDDEN)('is refused from %s', async (_from, headers) => {
    for (const method of METHODS) {
      const before = changes;
      const { status, body } = await send(name, method, { host: 'app.example.com', cookie, ...headers });
      expect([status, changes - before], method).toEqual([403, 0]);
      expect(JSON.parse(body)).toMatchObject({ error: 'cross_origin', option: 'origins' });
    }
  });

  it.each(ALLOWED)('is made for %s', async (_from, headers) => {
    for (const method of METHODS) {
      const before = changes;
      const { status } = await send(name, method, { host: 'app.example.com', cookie, ...headers });
      expect([status, changes - before], method).toEqual([200, 1]);
    }
  });

  it('is made with a bearer token, which no other site can send, and read by whoever links to it', async () => {
    const authorization = `Bearer ${await issuer.jwt('user-1')}`;
    for (const [, headers] of FORBIDDEN) {
      const bearer = await send(name, 'POST', { host: 'app.example.com', cookie, authorization, ...headers });
      const read = await send(name, 'GET', { host: 'app.example.com', cookie, ...headers });
      expect([bearer.status, read.status]).toEqual([200, 200]);
    }
  });

  it('reports which header and which option', async () => {
    const of = async (headers: Headers): Promise<unknown> =>
      JSON.parse((await send(name, 'POST', { host: 'app.example.com', cookie, ...headers })).body);
    expect(await of({ origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' })).toEqual({
      error: 'cross_origin',
      header: 'sec-fetch-site',
      option: 'origins',
      message:
        'A request that changes something with session cookies must come from a page of this server; this one has the header Sec-Fetch-Site: same-site. If https://evil.example.com is a page of yours, list it in the option origins of createVerifier.',
    });
    expect(await of({ origin: 'https://evil.example' })).toMatchObject({ header: 'origin' });
    expect(await of({})).toMatchObject({
      header: 'origin',
      message: expect.stringContaining('this one has no Origin header. Send a bearer token'),
    });
    expect(await of({ cookie: '' })).toMatchObject({ error: 'unauthenticated', reason: 'no-credentials' });
  });
});

describe('a request by cookies', () => {
  const foreign = { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' };

  it.each(['Express', 'Hono'] as const)('that nobody refuses at %s has nobody signed in', async (name) => {
    const { status, body } = await send(name, 'POST', { host: 'app.example.com', cookie, ...foreign }, '/who');
    expect([status, body]).toEqual([200, '"cross-origin"']);
  });

  it('that opens a WebSocket is a change, as its answers can be read', async () => {
    const upgrade = { host: 'app.example.com', cookie, connection: 'upgrade', upgrade: 'websocket' };
    for (const [, headers] of FORBIDDEN) {
      const before = changes;
      expect((await send('sockets', 'GET', { ...upgrade, ...headers })).status).toBe(403);
      expect(changes).toBe(before);
    }
    for (const [, headers] of ALLOWED) {
      expect((await send('sockets', 'GET', { ...upgrade, ...headers })).status).toBe(101);
    }
  });

  it('is not compared if the app turns it off', async () => {
    const before = changes;
    expect((await send('unprotected', 'POST', { host: 'a', cookie, ...foreign })).status).toBe(200);
    expect(changes).toBe(before + 1);
  });

  it('over TLS does not come from an unencrypted page, and its port may be written out', async () => {
    const keys = new FakeKeys([issuer.published]);
    const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { keys } });
    const of = async (origin: string, more: object = {}, headers: Headers = {}) => {
      const sent = { host: 'app.example.com', cookie, origin, ...headers };
      return (await verifier.authenticateRequest({ method: 'POST', headers: sent, ...more })).status;
    };
    const socket = { encrypted: true };
    expect(await of('https://app.example.com', { socket })).toBe('signed-in');
    expect(await of('http://app.example.com', { socket })).toBe('cross-origin');
    expect(await of('http://app.example.com', { url: 'https://app.example.com/' })).toBe('cross-origin');
    expect(await of('https://app.example.com', {}, { host: 'app.example.com:443' })).toBe('signed-in');
    expect(await of('https://app.example.com', {}, { host: 'APP.example.com' })).toBe('signed-in');
    expect(await of('https://app.example.com', {}, { host: '', ':authority': 'app.example.com' })).toBe('signed-in');
    for (const host of ['', 'a b', 'app.example.com@evil.example', 'evil.example/app.example.com']) {
      expect(await of('https://app.example.com', {}, { host }), host).toBe('cross-origin');
    }
    const request = new Request('https://app.example.com/', { method: 'POST', headers: { cookie } });
    expect((await verifier.authenticateRequest(request)).status).toBe('cross-origin');
    request.headers.set('origin', 'https://app.example.com');
    expect((await verifier.authenticateRequest(request)).status).toBe('signed-in');
  });

  it('whose method is not known is a change when it has an Origin or a body', async () => {
    const keys = new FakeKeys([issuer.published]);
    const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { keys } });
    const of = async (headers: Headers) =>
      (await verifier.authenticateRequest({ headers: { host: 'app.example.com', cookie, ...headers } })).status;
    expect(await of({})).toBe('signed-in');
    expect(await of({ 'sec-fetch-site': 'cross-site' })).toBe('signed-in');
    expect(await of({ origin: 'https://app.example.com', 'content-length': '3' })).toBe('signed-in');
    const changing: readonly Headers[] = [foreign, { 'content-length': '0' }, { 'transfer-encoding': 'chunked' }];
    for (const headers of changing) {
      expect(await of(headers), JSON.stringify(headers)).toBe('cross-origin');
    }
  });
});
