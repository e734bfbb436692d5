/** Replies that a server could send, damaged at random. */
import { offline, rawReply } from '#kit/transport/fake-reply.ts';
import type { Random } from './random.ts';

const CREATION = JSON.stringify({
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'n' },
  user: { id: 'AAAA', name: 'n', displayName: 'd' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
});

const REQUEST = JSON.stringify({ challenge: 'AAAA', rpId: 'localhost', allowCredentials: [] });

/** Every field that some reply has. */
export const ALL: Readonly<Record<string, unknown>> = {
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

export function without(value: Readonly<Record<string, unknown>>, random: Random): Readonly<Record<string, unknown>> {
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

export function reply(random: Random): unknown {
  if (random.chance(0.03)) return offline();
  const headers: Record<string, string> = { 'content-type': random.pick(TYPES) };
  if (random.chance(0.2)) headers['retry-after'] = random.pick(RETRY_AFTER);
  if (random.chance(0.02)) headers['location'] = 'https://elsewhere.example/';
  return rawReply(random.pick(STATUSES), textFor(random), headers);
}
