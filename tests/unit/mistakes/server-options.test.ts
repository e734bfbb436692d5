import { describe, expect, it, vi } from 'vitest';
import type { McpGuardOptions } from '#application/server/mcp/mcp-options.ts';
import type { VerifierOptions } from '#application/server/options.ts';
import { checkRequirements } from '#application/server/requirements.ts';
import { authenticate, requireAuth } from '#composition/server/express.ts';
import * as hono from '#composition/server/hono.ts';
import { createMcpGuard } from '#composition/server/mcp.ts';
import { createVerifier, type Requirements } from '#composition/server.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { allMistakesHaveMessages, eachMistakeHasAMessage, mistakesOf, type Rows, type Surface } from './option-rows.ts';

const GOOD = { projectId: 'project-test-x', apiUrl: 'https://api.example.com' };

const check = (surface: string, rows: Parameters<typeof eachMistakeHasAMessage>[1], how: Surface): void => {
  eachMistakeHasAMessage(surface, rows, how);
  allMistakesHaveMessages(surface, rows, how);
};

const VERIFIER: Rows<VerifierOptions> = {
  projectId: { wrongType: [7, '', null, 'a b'], isRequired: true },
  apiUrl: { wrongType: [7, '', 'a b', 'http://api.example.com'], isRequired: true },
  allowHttp: { wrongType: ['true', 1, null] },
  publicToken: { wrongType: [7, '', undefined, 'a b'] },
  secret: { wrongType: [7, '', undefined, 'a b'] },
  cookies: {
    wrongType: [true, 'cookies', null, { jwtCookieName: 7 }, { jwt: 'a' }, { jwtCookieName: 'stytch_session' }],
  },
  origins: { wrongType: ['https://a.example', [7], null, ['a.example']] },
  csrfProtection: { wrongType: ['false', 0, null] },
  boundSessions: { wrongType: ['yes', true, undefined] },
  serverUrls: { wrongType: ['https://a.example', [7], null] },
  jwksUrl: { wrongType: [7, '', undefined, 'keys.json?x'] },
  clockToleranceSeconds: { wrongType: ['5', null, Number.NaN], wrongUnit: [5_000] },
  timeoutMs: { wrongType: ['5000', null, Number.NaN], wrongUnit: [5] },
  fetch: { wrongType: ['fetch', {}, null] },
  adapters: { wrongType: ['log', [], null, { logger: {} }, { log: 'console' }] },
};
check('createVerifier', VERIFIER, {
  good: GOOD,
  messagesOf: (options) => mistakesOf(() => createVerifier(options as never)),
});

const MCP: Rows<McpGuardOptions> = {
  issuer: { wrongType: [7, '', 'http://login.example'], isRequired: true },
  resource: { wrongType: [7, '', 'http://api.example'], isRequired: true },
  allowHttp: { wrongType: ['true', 1, null] },
  scopes: { wrongType: ['read', [7], null] },
  tools: { wrongType: ['read', [], { read: 'a' }, null] },
  resourceName: { wrongType: [7] },
  resourceDocumentation: { wrongType: [7] },
  jwksUrl: { wrongType: [7, '', undefined] },
  clockToleranceSeconds: { wrongType: ['5', null], wrongUnit: [5_000] },
  timeoutMs: { wrongType: ['5000', null], wrongUnit: [5] },
  fetch: { wrongType: ['fetch', null] },
  adapters: { wrongType: ['keys', null, { key: {} }, { keys: 'x' }] },
};
check('createMcpGuard', MCP, {
  good: { issuer: 'https://login.example', resource: 'https://api.example/mcp' },
  messagesOf: (options) => mistakesOf(() => createMcpGuard(options as never)),
});

const REQUIREMENTS: Rows<Requirements> = {
  roles: { wrongType: ['editor', [7], null, undefined] },
  permission: { wrongType: ['read', { action: 'b' }, null, undefined, { resource_id: 'a', action: 'b', role: 'c' }] },
  factors: { wrongType: ['2', 3, null, undefined] },
  maxAgeMinutes: { wrongType: ['5', null, undefined, -1], wrongUnit: [900_000] },
  fresh: { wrongType: ['yes', 1] },
  bound: { wrongType: ['yes', null, undefined] },
};
const verifier = createVerifier(GOOD);
for (const [name, guard] of [
  ['a check', (given: never) => checkRequirements('check', given)],
  ['requireAuth of Express', (given: never) => requireAuth(verifier, given)],
  ['requireAuth of Hono', (given: never) => hono.requireAuth(verifier, given)],
] as const) {
  check(name, REQUIREMENTS, {
    good: {},
    messagesOf: (given) => mistakesOf(() => guard(given as never)),
  });
}

describe('a guard', () => {
  it('tells the mistakes of the verifier and of the requirements at once', () => {
    for (const make of [requireAuth, hono.requireAuth] as const) {
      expect(mistakesOf(() => make(GOOD as never, { role: 'editor', factors: 3 } as never))).toEqual([
        expect.stringContaining('verifier must be the result of createVerifier'),
        'role is no requirement. Did you mean roles?',
        'factors must be 1 or 2',
      ]);
    }
  });

  it.each([undefined, null, {}, GOOD])('without a verifier is refused before the first request: %j', (given) => {
    for (const make of [authenticate, requireAuth, hono.authenticate, hono.requireAuth] as const) {
      expect(() => make(given as never)).toThrow(
        'verifier must be the result of createVerifier({ projectId, apiUrl })',
      );
    }
  });
});

it('a mistake that follows from another one is not told', () => {
  const options = { projectID: 'project-test-x', apiUrl: 'http://portico:4100', allowHttp: 'true' };
  expect(mistakesOf(() => createVerifier(options as never))).toEqual([
    'projectID is no option. Did you mean projectId?',
    'allowHttp must be a boolean',
  ]);
  const mcp = { issuer: 'http://portico:4100', resource: 'https://api.example/mcp', allowHttp: 'true' };
  expect(mistakesOf(() => createMcpGuard(mcp as never))).toEqual(['allowHttp must be a boolean']);
});

it('an address that must have https everywhere is not told of allowHttp', () => {
  const remedy =
    /or an http address of this machine, .* such as https:\/\/auth\.example\.com or http:\/\/localhost:4100$/u;
  const bound = { ...GOOD, boundSessions: 'check', serverUrls: ['http://app.example.com'] };
  expect(mistakesOf(() => createVerifier(bound as never))).toEqual([expect.stringMatching(remedy)]);
  const mcp = { issuer: 'https://login.example', resource: 'http://api.example/mcp' };
  expect(mistakesOf(() => createMcpGuard(mcp))).toEqual([expect.stringMatching(remedy)]);
});

it('the least and the most of a number are right', () => {
  for (const numbers of [
    { clockToleranceSeconds: 0, timeoutMs: 100 },
    { clockToleranceSeconds: 60, timeoutMs: 600_000 },
  ])
    expect(mistakesOf(() => createVerifier({ ...GOOD, ...numbers }))).toEqual([]);
  for (const maxAgeMinutes of [0, 527_040])
    expect(mistakesOf(() => checkRequirements('check', { maxAgeMinutes }))).toEqual([]);
});

it('each wrong member is told', () => {
  const options = {
    ...GOOD,
    cookies: { jwtCookieName: 7, opaqueTokenCookieName: '' },
    serverUrls: ['ftp://a.example', 'https://a.example', 'https://a.example?x'],
    boundSessions: 'check',
    adapters: { logger: {}, clock: 'x', keys: 'x' },
  };
  expect(mistakesOf(() => createVerifier(options as never))).toEqual([
    expect.stringContaining('adapters.logger is no option. Did you mean log?'),
    'adapters.clock must be an object',
    'adapters.keys must be an object',
    'cookies.jwtCookieName must be the name of a cookie',
    'cookies.opaqueTokenCookieName must be the name of a cookie',
    expect.stringMatching(/^serverUrls\[0\] must be/u),
    expect.stringMatching(/^serverUrls\[2\] must be/u),
  ]);
});

it('each wrong member of a permission is told', () => {
  expect(mistakesOf(() => checkRequirements('check', { permission: { resource: 'a' } } as never))).toEqual([
    'permission.resource is no option. Did you mean resource_id?',
    'permission.resource_id must be a string',
    'permission.action must be a string',
  ]);
});

describe('a verifier with an id of another kind', () => {
  const IDS = {
    'public-token-test-1': 'a public token',
    'project-live-1': 'a project id',
    'project-secret-1': 'the id of a secret',
    'secret-live-1': 'a secret of the project',
  };
  const OWN = { publicToken: 'public-token-test-1', projectId: 'project-live-1', secret: 'secret-live-1' };

  it.each(Object.entries(OWN))('is told which kind %s needs, and the value is not repeated', (option, own) => {
    const others = Object.entries(IDS).filter(([id]) => id !== own);
    for (const [id, kind] of others) {
      const [message = ''] = mistakesOf(() => createVerifier({ ...GOOD, [option]: id }));
      expect(message).toContain(`${option} is ${kind}: give it `);
      expect(message).not.toContain(id);
    }
    expect(mistakesOf(() => createVerifier({ ...GOOD, [option]: own }))).toEqual([]);
  });

  it('has ids of a server that names them in its own way', () => {
    for (const id of ['mine', 'secret-garden', 'project-x'])
      expect(mistakesOf(() => createVerifier({ ...GOOD, projectId: id, publicToken: id, secret: id }))).toEqual([]);
  });
});

describe('a server that a verifier does not reach', () => {
  it('is named once, with the question that helps', async () => {
    const log = new MemoryLog();
    const fetch = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
    const apiUrl = 'http://portico:4100';
    const silent = createVerifier({ ...GOOD, apiUrl, allowHttp: true, publicToken: 'public-token-test-1', fetch, adapters: { log } }); // prettier-ignore
    const request = new Request('https://app.example.com', { headers: { cookie: 'stytch_session=a' } });
    for (let times = 0; times < 2; times += 1) expect(await silent.authenticateRequest(request)).toMatchObject({ status: 'unavailable' }); // prettier-ignore
    expect(log.entries.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${apiUrl} gives no usable answer: is it the address of the API, and does it run`),
    ]);
  });
});

describe('bound sessions and the addresses of the server', () => {
  const serverUrls = ['https://app.example.com'];

  it('are not missed where the other one is there, but wrong', () => {
    const ofOne = (options: object) => mistakesOf(() => createVerifier({ ...GOOD, ...options }));
    expect(ofOne({ boundSessions: 1, serverUrls })).toEqual(['boundSessions must be a string']);
    expect(ofOne({ boundSessions: 'check', serverUrls: 'https://app.example.com' })).toEqual([
      'serverUrls must be an array of strings',
    ]);
  });
});

describe('the requirements of a check', () => {
  it('may be fresh by a condition, and need two factors at most', () => {
    const of = (requirements: unknown) => mistakesOf(() => checkRequirements('check', requirements as never));
    for (const fresh of [undefined, null, true, false]) expect(of({ fresh })).toEqual([]);
    for (const factors of [1, 2]) expect(of({ factors })).toEqual([]);
    expect(of({ factors: 0 })).toEqual(['factors must be 1 or 2']);
    expect(of({ toString: 1 })).toEqual([expect.stringMatching(/^toString is no requirement; there are roles, /u)]);
  });

  it.each(['editor', ['editor'], null, 1])('are an object, and not %j', (requirements) => {
    expect(mistakesOf(() => checkRequirements('check', requirements as never))).toEqual([
      'requirements must be an object, such as { roles: ["editor"] }',
    ]);
  });
});

it('a cookie whose name is undefined has its usual one, and an app that checks pages itself lists none', () => {
  const options = { ...GOOD, cookies: { jwtCookieName: undefined }, csrfProtection: false };
  expect(mistakesOf(() => createVerifier(options as never))).toEqual([]);
  expect(mistakesOf(() => createVerifier({ ...GOOD, origins: ['ftp://a.example'] }))).toEqual([
    expect.stringMatching(/^origins must list origins .* and not ftp:\/\/a\.example$/u),
  ]);
});
