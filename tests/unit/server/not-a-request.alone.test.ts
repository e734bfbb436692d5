import { describe, expect, it, vi } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import * as forExpress from '#composition/server/express.ts';
import * as forHono from '#composition/server/hono.ts';
import { createMcpGuard } from '#composition/server/mcp.ts';
import { createNextAuth } from '#composition/server/next.ts';
import { API_URL, PROJECT_ID } from './issuer.ts';

vi.mock('next/headers.js', () => ({ headers: () => new Headers() }));
vi.mock('next/server.js', () => ({ connection: async () => undefined }));

const SECRET = 'Bearer secret-1';
const VALUES: readonly (readonly [value: unknown, kind: string])[] = [
  [new Headers({ authorization: SECRET }), 'its Headers: give the whole request, or { headers }'],
  [SECRET, 'a string'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ url: 'http://localhost/' }, 'an object without headers'],
  [{ headers: SECRET }, 'an object with other headers'],
];

const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL });
const guard = createMcpGuard({ issuer: 'https://login.example', resource: 'https://api.example/mcp' });
const next = createNextAuth(verifier);

/** What a middleware of Express gives to the next one. */
const passedBy = async (run: (next: (error?: unknown) => void) => Promise<void>): Promise<unknown> => {
  let passed: unknown;
  await run((error) => void (passed = error));
  throw passed;
};

type Call = (value: never) => Promise<unknown>;
const TAKERS: Readonly<Record<string, readonly [needs: string, call: Call]>> = {
  verifier: ['authenticateRequest needs a Request, or Node', async (value) => verifier.authenticateRequest(value)],
  'express, authenticate': [
    'authenticateRequest needs',
    async (value) => passedBy(async (go) => forExpress.authenticate(verifier)(value, {} as never, go)),
  ],
  'express, requireAuth': [
    'authenticateRequest needs',
    async (value) => passedBy(async (go) => forExpress.requireAuth(verifier)(value, {} as never, go)),
  ],
  'hono, authenticate': [
    'authenticateRequest needs',
    async (value) => forHono.authenticate(verifier)({ req: { raw: value }, set: () => undefined } as never, vi.fn()),
  ],
  'hono, requireAuth': [
    'authenticateRequest needs',
    async (value) => forHono.requireAuth(verifier)({ req: { raw: value } } as never, vi.fn()),
  ],
  'next, withAuth': ['authenticateRequest needs', async (value) => next.withAuth({}, vi.fn())(value, undefined)],
  'next, proxy': ['authenticateRequest needs', async (value) => next.proxy()(value)],
  'mcp, fetch': ['guard.fetch needs a Request', async (value) => guard.fetch(value, vi.fn())],
  'mcp, hono': ['guard.hono needs a Request', async (value) => guard.hono({ req: { raw: value } } as never, vi.fn())],
  'mcp, express': [
    'guard.express needs a Request, or Node',
    async (value) => passedBy(async (go) => guard.express(value, {} as never, go)),
  ],
};

describe.each(Object.entries(TAKERS))('%s', (_, [needs, call]) => {
  it.each(VALUES)('names what it needs in place of %s', async (value, kind) => {
    const error = await call(value as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    const { message } = error as TypeError;
    expect(message).toContain(needs);
    expect(message).toContain(`this is ${kind}`);
    expect(message).not.toContain(SECRET);
  });
});

describe('a server of another kind', () => {
  it('is named by the middleware of Hono', async () => {
    await expect(forHono.requireAuth(verifier)({ headers: {} } as never, vi.fn())).rejects.toThrow('this is undefined');
    await expect(guard.hono({ headers: {} } as never, vi.fn())).rejects.toThrow('this is undefined');
  });

  it('is named by the guard of MCP servers, which reads bodies of Requests alone', async () => {
    await expect(guard.fetch({ headers: {}, url: '/' } as never, vi.fn())).rejects.toThrow(
      'guard.fetch needs a Request;',
    );
  });
});
