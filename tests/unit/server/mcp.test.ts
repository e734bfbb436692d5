import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createMcpGuard, type McpAuth, type McpGuardOptions } from '#composition/server/mcp.ts';

const ISSUER = 'https://login.example';
const RESOURCE = 'https://api.example/mcp';
const METADATA = '/.well-known/oauth-protected-resource/mcp';

const { privateKey, publicKey } = await generateKeyPair('RS256');
const { privateKey: strangers } = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };

const asked: string[] = [];
const keysAt = async (url: string): Promise<Response> => {
  asked.push(url);
  return Response.json({ keys: [jwk] });
};
const guardOf = (changes: Partial<McpGuardOptions> = {}) =>
  createMcpGuard({
    issuer: ISSUER,
    resource: RESOURCE,
    scopes: ['tasks'],
    tools: { delete_task: ['tasks:write'] },
    fetch: keysAt,
    ...changes,
  });

/** A token with changes; an undefined claim is left out. */
function tokenOf(changes: JWTPayload = {}, { typ = 'at+jwt', key = privateKey } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: ISSUER,
    aud: RESOURCE,
    sub: 'user-1',
    client_id: 'agent',
    scope: 'tasks',
    iat: now,
    exp: now + 60,
  };
  const given = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(given)).setProtectedHeader({ alg: 'RS256', typ, kid: 'one' }).sign(key);
}

const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const post = (body: unknown, token?: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(body),
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The same MCP server behind each kind of guard. It answers with the token's scopes, and the message that it got. */
const KINDS: Readonly<Record<string, () => Promise<Send>>> = {
  fetch: async () => {
    const guard = guardOf();
    const answer = async (request: Request, { scopes, extra }: McpAuth) =>
      Response.json({ scopes, user: extra.userId, got: await request.json() });
    return async (path, init) => guard.fetch(new Request(`https://api.example${path}`, init), answer);
  },
  hono: async () => {
    const app = new Hono<{ Variables: { auth: McpAuth } }>();
    app.use(guardOf().hono);
    app.post('/mcp', async (context) => {
      const { scopes, extra } = context.get('auth');
      return context.json({ scopes, user: extra.userId, got: await context.req.json() });
    });
    return async (path, init) => app.request(`https://api.example${path}`, init);
  },
  express: async () => {
    const app = express();
    app.use(express.json(), guardOf().express);
    app.post('/mcp', (request, response) => {
      const { scopes, extra } = (request as unknown as { readonly auth: McpAuth }).auth;
      response.json({ scopes, user: extra.userId, got: request.body as unknown });
    });
    const server = createServer(app);
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return (path, init) => fetch(`${origin}${path}`, init);
  },
};

describe.each(['fetch', 'hono'])('the body of a request that is guarded with %s', (kind) => {
  /** What no guard needs to read: a body that is read to its end fails the test, and does not hang it. */
  const FAR = 8_000_000;

  /** A body that is far too long, with the number of bytes that were read of it. */
  function endless() {
    const read = { bytes: 0 };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        read.bytes += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
        if (read.bytes > FAR) controller.close();
      },
    });
    return { read, body };
  }
  const asked = (body: ReadableStream<Uint8Array>, token?: string) =>
    ({ ...post({}, token), body, duplex: 'half' }) as RequestInit;

  it('is read no further than a message may be long', async () => {
    const send = await KINDS[kind]!();
    for (const [token, status] of [
      [undefined, 401],
      ['no token', 401],
      [await tokenOf(), 413],
    ] as const) {
      const long = endless();
      expect((await send('/mcp', asked(long.body, token))).status).toBe(status);
      expect(long.read.bytes).toBeLessThan(4_000_000);
    }
  });
});

describe.each(Object.entries(KINDS))('an MCP server that is guarded with %s', (_, start) => {
  it('describes itself, for pages of every origin', async () => {
    const send = await start();
    const reply = await send(METADATA);
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await reply.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tasks', 'tasks:write'],
    });
    expect((await send(METADATA, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('tells a client without a token where the description is and which scopes it needs', async () => {
    const send = await start();
    const reply = await send('/mcp', post(call('list_tasks')));
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(
      `Bearer scope="tasks", resource_metadata="https://api.example${METADATA}"`,
    );
    const more = await send('/mcp', post(call('delete_task')));
    expect(more.headers.get('www-authenticate')).toContain('scope="tasks tasks:write"');
  });

  it('passes a good token, with its user and scopes, and leaves the message unread', async () => {
    const send = await start();
    const reply = await send('/mcp', post(call('list_tasks'), await tokenOf()));
    expect(await reply.json()).toEqual({ scopes: ['tasks'], user: 'user-1', got: call('list_tasks') });
  });

  it('passes no message that it cannot read where tools have scopes, in no other type of body', async () => {
    const send = await start();
    const token = await tokenOf();
    const body = JSON.stringify(call('delete_task'));
    for (const type of ['text/plain; a=application/json', 'application/octet-stream', 'application/jsonx']) {
      const headers = { 'content-type': type, authorization: `Bearer ${token}` };
      const reply = await send('/mcp', { method: 'POST', headers, body });
      expect([403, 415]).toContain(reply.status);
    }
    const empty = { method: 'POST', headers: { authorization: `Bearer ${token}` } };
    expect((await send('/mcp', empty)).status).toBe(415);
    // Whoever has no token learns that alone.
    expect((await send('/mcp', { method: 'POST' })).status).toBe(401);
  });

  it('reads addresses without the blanks that come along when people paste', () => {
    const blank = (text: string): string => `\uFEFF ${text}\u00A0\n`;
    const { metadata } = createMcpGuard({
      issuer: blank('https://login.example'),
      resource: blank('https://mcp.example/'),
    });
    expect(metadata).toMatchObject({
      authorization_servers: ['https://login.example'],
      resource: 'https://mcp.example',
    });
  });

  it('asks for more scopes where a tool needs them, also within a batch', async () => {
    const send = await start();
    const token = await tokenOf({ scope: 'tasks email' });
    for (const message of [call('delete_task'), [call('list_tasks'), call('delete_task')]]) {
      const reply = await send('/mcp', post(message, token));
      expect(reply.status).toBe(403);
      expect(reply.headers.get('www-authenticate')).toContain(
        'Bearer error="insufficient_scope", error_description="The token lacks the scopes: tasks:write", scope="tasks email tasks:write"',
      );
    }
    const raised = await tokenOf({ scope: 'tasks tasks:write' });
    expect((await send('/mcp', post(call('delete_task'), raised))).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['for another resource', () => tokenOf({ aud: 'https://api.example/other' })],
    ['for a resource whose address begins with this one', () => tokenOf({ aud: `${RESOURCE}/` })],
    ['for several resources', () => tokenOf({ aud: [RESOURCE, 'https://other.example'] })],
    ['without an audience', () => tokenOf({ aud: undefined })],
    ['of another issuer', () => tokenOf({ iss: 'https://evil.example' })],
    ['of another key', () => tokenOf({}, { key: strangers })],
    ['that has expired', () => tokenOf({ exp: 1 })],
    ['that is an ID token', () => tokenOf({}, { typ: 'JWT' })],
    ['that is bound to a key', () => tokenOf({ cnf: { jkt: 'x' } })],
    ['without a client', () => tokenOf({ client_id: undefined })],
    ['that is no JWT', () => Promise.resolve('x')],
  ])('refuses a token %s', async (_why, make) => {
    const send = await start();
    const reply = await send('/mcp', post(call('list_tasks'), await make()));
    expect([reply.status, await reply.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_token' })]);
    expect(reply.headers.get('www-authenticate')).toContain('Bearer error="invalid_token"');
  });
});

describe('the guard of an MCP server', () => {
  it('reads the keys of the issuer once', async () => {
    asked.length = 0;
    const guard = guardOf();
    for (let time = 0; time < 3; time += 1)
      expect(await guard.authorize(`Bearer ${await tokenOf()}`)).toHaveProperty('auth');
    expect(asked).toEqual([`${ISSUER}/oauth2/jwks.json`]);
  });

  it('answers 503 while the keys cannot be read: the client keeps its token', async () => {
    const guard = guardOf({ fetch: async () => Promise.reject(new Error('offline')) });
    const verdict = await guard.authorize(`Bearer ${await tokenOf()}`);
    expect(verdict).toMatchObject({ refusal: { status: 503, headers: { 'retry-after': '5' } } });
  });

  it('does not look for the token elsewhere than in the header', async () => {
    const guard = guardOf();
    const request = new Request(`https://api.example/mcp?access_token=${await tokenOf()}`, { method: 'POST' });
    expect((await guard.fetch(request, () => new Response('in'))).status).toBe(401);
    expect(await guard.authorize(`Basic ${await tokenOf()}`)).toMatchObject({ refusal: { status: 401 } });
  });

  it('has its metadata at the root for a resource without a path', () => {
    const { metadata, metadataPath } = guardOf({ resource: 'https://api.example/' });
    expect([metadata.resource, metadataPath]).toEqual(['https://api.example', '/.well-known/oauth-protected-resource']);
  });

  it('accepts an issuer with http on another host with allowHttp alone', () => {
    const issuer = 'http://portico:4100';
    expect(() => guardOf({ issuer })).toThrow('allowHttp: true accepts http');
    expect(() => guardOf({ jwksUrl: `${issuer}/keys` })).toThrow('allowHttp: true accepts http');
    const { metadata } = guardOf({ issuer, jwksUrl: `${issuer}/keys`, allowHttp: true });
    expect(metadata.authorization_servers).toEqual([issuer]);
    expect(() => guardOf({ resource: 'http://mcp:4200/', allowHttp: true })).toThrow('resource must be an https');
  });

  it('names an invalid option', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ issuer: 'http://login.example' }, 'issuer must be an https address'],
      [{ resource: 'https://api.example/mcp?x=1' }, 'resource must be an https address'],
      [{ resource: undefined }, 'resource is undefined: is its environment variable set?'],
      [{ scopes: ['a b'] }, 'scopes must be a list of scopes'],
      [{ tools: { x: ['"'] } }, 'tools.x must be a list of scopes'],
      [{ clockToleranceSeconds: 61 }, 'clockToleranceSeconds must be from 0 to 60'],
      [{ fetch: 1 }, 'fetch must be a function'],
    ];
    for (const [changes, message] of wrong) expect(() => guardOf(changes)).toThrow(message);
  });

  it('says that express.json() is missing where it decides by the message', async () => {
    const request = { headers: {}, method: 'POST', url: '/mcp' };
    const response = { statusCode: 0, setHeader: () => undefined, end: () => undefined };
    const errors: unknown[] = [];
    await guardOf().express(request, response, (error) => errors.push(error));
    expect(String(errors[0])).toContain('express.json()');
  });
});
