import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '../../../../src/application/api/index.ts';
import { isAuthError } from '../../../../src/domain/errors.ts';
import { isSession, parseState } from '../../../../src/domain/sessions/session.ts';
import { isUser } from '../../../../src/domain/users/user.ts';
import { offline, rawReply } from '../../../../src/infrastructure/fake/fake-reply.ts';
import { STATE_KEY, TestWorld, type OpenClient } from '../world.ts';
import { Random } from './random.ts';
import { CALLS, type PublicCall } from './surface.ts';
import { Traps } from './traps.ts';
import { SOAK } from '../../../soak.ts';

const MUTATIONS = SOAK ? 10_000 : 1_000;
const D = { session_duration_minutes: 60 };

const CREATION = JSON.stringify({
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'n' },
  user: { id: 'AAAA', name: 'n', displayName: 'd' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
});
const REQUEST = JSON.stringify({ challenge: 'AAAA', rpId: 'localhost', allowCredentials: [] });

/** Every field that some reply has. */
const ALL: Readonly<Record<string, unknown>> = {
  status_code: 200,
  request_id: 'r',
  user_id: 'user-test-1',
  user: { user_id: 'user-test-1', roles: ['reader'], emails: [{ email_id: 'e', email: 'a@b.co', verified: true }] },
  session: { session_id: 'session-test-1', user_id: 'user-test-1', expires_at: '2026-02-01T00:00:00Z', roles: [] },
  session_token: 'token',
  session_jwt: 'a.b.c',
  method_id: 'm',
  __user: { user_id: 'user-test-1', roles: [] },
  emails: [],
  connected_apps: [{ connected_app_id: 'c', name: 'n' }],
  userType: 'new',
  challenge: 'sign this',
  totp_id: 't',
  secret: 's',
  qr_code: 'data:',
  recovery_codes: ['1'],
  totps: [{ totp_id: 't', recovery_codes: ['1'] }],
  webauthn_registration_id: 'w',
  webauthn_registration: { name: 'n' },
  public_key_credential_creation_options: CREATION,
  public_key_credential_request_options: REQUEST,
  client: { client_id: 'c' },
  consent_required: true,
  scope_results: [{ scope: 'openid', is_grantable: true }],
  redirect_uri: 'https://a.example/',
  redirect_url: 'https://a.example/',
  google_client_id: 'g',
  oauth_callback_id: 'cb',
  valid_password: true,
  score: 4,
  feedback: { suggestions: [], warning: '', luds_requirements: null },
  rbac_policy: {
    roles: [{ role_id: 'reader', permissions: [{ resource_id: 'r', actions: ['a'] }] }],
    resources: [{ resource_id: 'r', actions: ['a'] }],
  },
  captcha_settings: { enabled: true, siteKey: 'k' },
};

const ERROR: Readonly<Record<string, unknown>> = {
  status_code: 400,
  request_id: 'r',
  error_type: 'invalid_email',
  error_message: 'm',
  error_url: 'https://example.com/',
  error_details: { a: 1 },
};
const SCHEMA: Readonly<Record<string, unknown>> = {
  body: [{ dataPath: ['a', 'b'], message: 'm' }],
  params: [],
  query: [{ dataPath: [], message: 'm' }],
};

const HUGE = 'x'.repeat(300_000);
const ODD: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '-1e999',
  '1e-999',
  '""',
  '"text"',
  '"2026-13-45T99:99:99Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"-271821-04-20"',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '[]',
  '[null]',
  '[[[[]]]]',
  '[{"toString":null,"valueOf":null}]',
  '{}',
  '{"toString":null,"valueOf":null}',
  '{"length":3}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"then":"x"}',
  '"unauthorized_credentials"',
  '"session_not_found"',
];
const WHOLE: readonly string[] = [
  ...ODD,
  '',
  ' ',
  '\ufeff{}',
  '{"data":{}}x',
  '{"data":',
  "{'data':{}}",
  '<!doctype html><h1>Hello</h1>',
  'Captcha required',
  '{"data":{"__proto__":{"session":{}}}}',
  `{"data":"${HUGE}"}`,
  `{"error_type":"${HUGE}"}`,
  '['.repeat(20_000),
  '{"data":'.repeat(5_000),
];
const STATUSES = [200, 200, 200, 201, 204, 299, 300, 304, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504, 599];
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/problem+json',
  'text/html',
  'text/plain',
  'application/octet-stream',
  '',
];
const RETRY_AFTER = ['1', '0', '-5', '1e9', '99999999999999999999', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', ''];

/** The value as JSON, with one place of it replaced, removed or doubled. */
function bent(value: unknown, random: Random): string {
  const text = JSON.stringify(value);
  // A place is where a value begins: behind a colon, a comma or a bracket.
  const places = [...text.matchAll(/(?<=[:,[])(?=["{[\dtfn-])/gu)].map(({ index }) => index);
  const at = random.pick(places.length > 0 ? places : [0]);
  const end = endOfValue(text, at);
  return text.slice(0, at) + random.pick(ODD) + text.slice(end);
}

function endOfValue(text: string, at: number): number {
  for (let end = at + 1; end <= text.length; end += 1) {
    try {
      JSON.parse(text.slice(at, end));
      if (!/[\d.eE+-]/u.test(text[end] ?? '') || /["}\]el]/u.test(text[end - 1] ?? '')) return end;
    } catch {
      // Not yet.
    }
  }
  return text.length;
}

function without(value: Readonly<Record<string, unknown>>, random: Random): Readonly<Record<string, unknown>> {
  const gone = new Set(Array.from({ length: random.between(1, 4) }, () => random.pick(Object.keys(value))));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !gone.has(name)));
}

function flipped(text: string, random: Random): string {
  let changed = text;
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    const at = random.between(0, changed.length);
    const char = random.pick([
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '\0',
      '0',
      'e',
      '\u2028',
      String.fromCharCode(random.between(0, 0xffff)),
    ]);
    changed = changed.slice(0, at) + (random.chance(0.5) ? char : '') + changed.slice(at + random.between(0, 2));
  }
  return changed;
}

function textFor(random: Random): string {
  const good = random.pick([{ data: ALL }, { data: ALL }, { data: without(ALL, random) }, ERROR, SCHEMA, ALL]);
  switch (random.between(0, 7)) {
    case 0:
      return JSON.stringify(good);
    case 1:
    case 2:
    case 3:
      return bent(good, random);
    case 4:
      return flipped(JSON.stringify(good), random);
    case 5:
      return JSON.stringify(good).slice(0, random.between(0, JSON.stringify(good).length));
    case 6:
      return random.pick(WHOLE);
    default:
      return `{"data":${bent(ALL, random)},"__proto__":{"data":{}},"constructor":1}`;
  }
}

function reply(random: Random): unknown {
  if (random.chance(0.03)) return offline();
  const headers: Record<string, string> = { 'content-type': random.pick(TYPES) };
  if (random.chance(0.2)) headers['retry-after'] = random.pick(RETRY_AFTER);
  if (random.chance(0.02)) headers['location'] = 'https://elsewhere.example/';
  return rawReply(random.pick(STATUSES), textFor(random), headers);
}

/** What is wrong with what came of a call, or null. */
function wrongOutcome({ method }: PublicCall, outcome: { readonly value?: unknown; readonly error?: unknown }) {
  if ('error' in outcome) {
    if (isAuthError(outcome.error)) return typeof outcome.error.message === 'string' ? null : 'an error without text';
    // Ceremonies reject as the browser does; options that are no options with a TypeError.
    const ceremony = outcome.error instanceof DOMException || outcome.error instanceof TypeError;
    return method.startsWith('webauthn.') && ceremony ? null : `${method} rejected with ${String(outcome.error)}`;
  }
  const { value } = outcome;
  if (method === 'rbac.isAuthorized') return typeof value === 'boolean' ? null : 'not a boolean';
  if (method === 'user.get' && value === null) return null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : `${method} gave ${typeof value}`;
}

function wrongState({ client, tab }: OpenClient, world: TestWorld): string | null {
  const session = client.session.getSync();
  const user = client.user.getSync();
  if ((session === null) !== (user === null)) return 'half a state';
  if (session !== null && (!isSession(session) || !isUser(user))) return 'an invalid state';
  const tokens = client.session.getTokens();
  if (tokens !== null && Object.values(tokens).some((token) => typeof token !== 'string'))
    return 'tokens that are no text';
  if (session === null && tokens !== null) return 'tokens without a session';
  if (parseState(tab.storage.get(STATE_KEY)) === null) return 'damaged storage';
  for (const [key, text] of world.storage.values) {
    if (key.includes('_id')) continue;
    try {
      JSON.parse(text);
    } catch {
      return `storage that does not parse at ${key}`;
    }
  }
  return null;
}

const ENDPOINTS: readonly Endpoint[] = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);

describe('damaged replies', () => {
  it(`of ${MUTATIONS} kinds, over all calls, give documented errors or valid values and never more`, async () => {
    const traps = new Traps();
    const world = new TestWorld();
    const opened = world.open({ telemetry: false });
    const { client } = opened;
    await world.signIn(client);
    const random = new Random(20_260_101);
    let current: unknown = rawReply(200, '{"data":{}}');
    for (const endpoint of ENDPOINTS) world.transport.answer(endpoint, () => current);

    const wrong: string[] = [];
    const tally = { values: 0, errors: 0 };
    const reached = new Set<string>();
    for (let turn = 0; turn < MUTATIONS; turn += 1) {
      if (client.session.getSync() === null && random.chance(0.7)) {
        current = rawReply(200, JSON.stringify({ data: ALL }), { 'content-type': 'application/json' });
        await client.otps.authenticate('1', 'm', D);
      }
      const call = CALLS[turn % CALLS.length] as PublicCall;
      current = reply(random);
      const damaged = current;
      // Ceremonies make two calls: half of the time the first of them is well.
      if (call.to.length > 1 && call.method.startsWith('webauthn.') && random.chance(0.5)) {
        const first = new Set(call.to.slice(0, -1).map(({ name }) => name));
        const good = rawReply(200, JSON.stringify({ data: ALL }), { 'content-type': 'application/json' });
        for (const endpoint of call.to) {
          world.transport.answer(endpoint, () => (first.has(endpoint.name) ? good : damaged));
        }
      }
      const outcome = await call.call(client, call.good as never).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('error' in outcome) tally.errors += 1;
      else tally.values += 1;
      reached.add(`${call.method} ${'error' in outcome ? 'fails' : 'succeeds'}`);
      const problem = wrongOutcome(call, outcome) ?? wrongState(opened, world);
      if (problem !== null) {
        wrong.push(`turn ${turn}, ${call.method}: ${problem}; ${JSON.stringify(damaged).slice(0, 300)}`);
        if (wrong.length > 10) break;
      }
    }
    client.destroy();
    expect(wrong).toEqual([]);
    expect(await traps.close()).toEqual([]);
    expect(tally.values).toBeGreaterThan(MUTATIONS / 10);
    expect(tally.errors).toBeGreaterThan(MUTATIONS / 4);
    for (const { method } of CALLS) expect([...reached].join()).toContain(`${method} `);
    expect('polluted' in {}).toBe(false);
  });

  it('whose parts hide their own conversion to text are schema errors still', async () => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    const hidden = { toString: null, valueOf: null };
    const body = { body: [{ dataPath: ['a', 0, hidden, [hidden]], message: hidden }] };
    world.transport.answer(api.users.search, () => rawReply(400, JSON.stringify(body)));
    await expect(client.user.search('a@b.co')).rejects.toMatchObject({
      kind: 'schema',
      issues: [{ dataPath: ['a', '0', '', ''], message: '' }],
    });
    client.destroy();
  });
});

describe('a login whose tokens are no text', () => {
  it.each([5, true, [null], { a: 1 }])('is an invalid response: %j', async (token) => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    const reply = (session_token: unknown) => ({ ...ALL, session_token });
    world.transport.answer(api.otps.authenticate, () => reply(token));
    await expect(client.otps.authenticate('1', 'm', D)).rejects.toMatchObject({ kind: 'unreachable' });
    expect([client.session.getSync(), client.session.getTokens()]).toEqual([null, null]);
    // The server may keep them to itself.
    world.transport.answer(api.otps.authenticate, () => reply(null));
    await client.otps.authenticate('1', 'm', D);
    expect(client.session.getSync()).not.toBeNull();
    client.destroy();
  });
});

/** RFC 8259: what must be read, what must be refused, and what readers may choose about. */
const JSON_KINDS: readonly (readonly [string, string, 'read' | 'refused' | 'either'])[] = [
  ['an empty text', '', 'refused'],
  ['white space alone', ' \t\r\n', 'refused'],
  ['white space around', ' \t\r\n{}\n ', 'read'],
  ['a lone literal', 'true', 'read'],
  ['a literal in capitals', 'TRUE', 'refused'],
  ['NaN', '[NaN]', 'refused'],
  ['a trailing comma in a list', '[1,]', 'refused'],
  ['a trailing comma in an object', '{"a":1,}', 'refused'],
  ['two commas', '[1,,2]', 'refused'],
  ['a comment', '[1]/* no */', 'refused'],
  ['a second value', '{} {}', 'refused'],
  ['an unclosed list', '[1', 'refused'],
  ['an unclosed string', '["a', 'refused'],
  ['single quotes', "{'a':1}", 'refused'],
  ['a name without quotes', '{a:1}', 'refused'],
  ['a name twice', '{"a":1,"a":2}', 'read'],
  ['an empty name', '{"":0}', 'read'],
  ['a leading zero', '[01]', 'refused'],
  ['a leading plus', '[+1]', 'refused'],
  ['a point without digits', '[1.]', 'refused'],
  ['hexadecimal', '[0x1]', 'refused'],
  ['a number too large for a double', '[1e400]', 'either'],
  ['a number too small for a double', '[1e-400]', 'either'],
  ['more digits than a double holds', '[123456789012345678901234567890]', 'either'],
  ['minus zero', '[-0]', 'read'],
  ['a control character in a string', '["\u0001"]', 'refused'],
  ['a line break in a string', '["\n"]', 'refused'],
  ['DEL in a string', '["\u007f"]', 'read'],
  ['U+2028 in a string', '["\u2028"]', 'read'],
  ['an unknown escape', String.raw`["\x00"]`, 'refused'],
  ['a short escape', String.raw`["\u00"]`, 'refused'],
  ['half a surrogate pair', String.raw`["\ud800"]`, 'either'],
  ['a byte order mark', '\ufeff{}', 'either'],
  ['a replacement character', '["\ufffd"]', 'read'],
  ['100,000 open lists', '['.repeat(100_000), 'refused'],
  ['5,000 lists in each other', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'either'],
];

describe('every kind of JSON', () => {
  it.each(JSON_KINDS)('%s', async (_, text, verdict) => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    for (const status of [200, 400]) {
      world.transport.answer(api.users.search, () => rawReply(status, text, { 'content-type': 'application/json' }));
      const error: unknown = await client.user.search('a@b.co').catch((thrown: unknown) => thrown);
      expect(isAuthError(error)).toBe(true);
      const said = (error as Error).message;
      const read = status === 200 ? 'Invalid response from our servers.' : '[400] unknown_error';
      const refused = 'Invalid JSON response from our servers.';
      if (verdict === 'read') expect(said).toContain(read);
      else if (verdict === 'refused') expect(said).toBe(refused);
      else expect(said.startsWith(read) || said === refused).toBe(true);
    }
    client.destroy();
  });
});
