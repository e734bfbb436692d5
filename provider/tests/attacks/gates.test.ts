import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hono } from 'hono';
import { api, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import { CALLER_KINDS, isOpen, type CallerKind, type CallGate, type Gate } from '#domain/rules/gates.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { backendApi } from '#provider/base/backend-api/backend-api.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { CALLBACK, challenge } from '../kit/idp-harness.ts';
import { addressByLink, APP, makeTarget, phone, secondAddress, wallet, type WayIn } from './attacker.ts';
import {
  GATE_SETTINGS,
  isWithoutPolicy,
  CALLER_MAKERS,
  providerAt,
  withoutPolicy,
  type Person,
  type Credentials,
} from './gate-callers.ts';

/** A call of either API with its row. */
interface Call {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly gate: CallGate;
  readonly isBackend: boolean;
}

function callsOf(
  table: Readonly<Record<string, object>>,
  rows: Readonly<Record<string, Readonly<Record<string, CallGate>>>>,
  isBackend: boolean,
): readonly Call[] {
  return Object.entries(table).flatMap(([area, calls]) =>
    Object.entries(calls as Readonly<Record<string, Endpoint>>).map(([name, endpoint]) => {
      const gate = rows[area]?.[name];
      if (gate === undefined) throw new Error(`${area}.${name} has no row`);
      return { name: `${area}.${name}`, endpoint, gate, isBackend };
    }),
  );
}

/** A session that such a call ends is used by no later one. */
const isLast = ({ name }: Call): boolean =>
  ['sessions.revoke', 'users.delete', 'users.revokeConnectedApp'].includes(name);

const CALLS = [...callsOf(api, gates, false), ...callsOf(backendApi, backendGates, true)].sort(
  (a, b) => Number(isLast(a)) - Number(isLast(b)),
);

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 60,
  boolean: true,
  object: {},
  'string[]': [],
};

/** The fields that a row needs to come to its gate. */
const NEEDED: Readonly<Record<string, Fields>> = {
  'idp.authorizeSubmit': {
    client_id: APP,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scopes: ['openid'],
    code_challenge: challenge,
    consent_granted: true,
  },
  'otps.smsSendSecondary': { phone_number: '+14155550100' },
  'otps.whatsappSendSecondary': { phone_number: '+14155550100' },
};

/** The app whose access the call ends: an app can end its own. */
const ID_OF: Readonly<Record<string, string>> = { 'users.revokeConnectedApp': APP };

/** What the call asks for with these fields, after its own gate. */
const THEN: Readonly<Record<string, keyof CallGate>> = {
  'idp.authorizeSubmit': 'asked',
  'otps.smsSendSecondary': 'adds',
  'otps.whatsappSendSecondary': 'adds',
};

function bodyOf({ name, endpoint }: Call): unknown {
  if (endpoint.method === 'GET') return undefined;
  const entries = Object.entries(endpoint.body).flatMap(([field, shape]) =>
    typeof shape === 'string' && !shape.endsWith('?') ? [[field, SAMPLES[shape]]] : [],
  );
  const body = { ...(Object.fromEntries(entries) as Fields), ...NEEDED[name] };
  return endpoint.list ? [body] : body;
}

/** Calls of the backend API that take no session are the same for every caller. */
const takesNone = ({ isBackend, endpoint }: Call): boolean => isBackend && !('session_token' in endpoint.body);

const callsFor = (kind: CallerKind): readonly Call[] => CALLS.filter((call) => kind === 'none' || !takesNone(call));

/** The types of refusals by which a gate turns a caller away. */
const REFUSED: ReadonlySet<unknown> = new Set(
  CALLS.flatMap(({ gate }) => [gate, ...Object.values(gate).filter((each) => typeof each === 'object')])
    .flatMap((gate) => CALLER_KINDS.map((kind) => (gate as Gate)[kind]))
    .filter((answer) => answer !== 'passes'),
);

describe.each(EITHER_DATABASE)('the table of calls and callers, on %s', (_, url) => {
  let provider: Provider;
  let off: Hono<AppEnv>;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, GATE_SETTINGS);
    off = withoutPolicy(provider);
  });
  afterAll(() => provider.close());

  /** The type of the refusal by the gate; `passes` for any other answer. */
  async function answerTo(call: Call, kind: CallerKind, presented: Credentials): Promise<string> {
    const { endpoint, isBackend } = call;
    const { session } = presented;
    const path = endpoint.path.replaceAll(/:\w+/gu, ID_OF[call.name] ?? 'x');
    const step = isBackend ? presented.stepOfServer : presented.step;
    const field = session?.includes('.') === true ? 'session_jwt' : 'session_token';
    const inBody = isBackend && session !== undefined && field in endpoint.body ? { [field]: session } : {};
    const sample = bodyOf(call);
    const body = Array.isArray(sample) || sample === undefined ? sample : { ...sample, ...inBody, ...step };
    const { project_id } = provider.services.project;
    const authorization = isBackend ? basic(project_id, DEV_SECRET) : basic(PUBLIC_TOKEN, session ?? PUBLIC_TOKEN);
    const app = isWithoutPolicy(kind) ? off : provider.app;
    const reply = await app.request(`${isBackend ? '/v1' : '/sdk/v1'}${path}`, {
      method: endpoint.method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { error_type } = (await reply.json()) as Fields;
    return REFUSED.has(error_type) ? String(error_type) : 'passes';
  }

  function expected({ name, gate }: Call, kind: CallerKind): string {
    const after = THEN[name];
    if (gate[kind] !== 'passes' || after === undefined) return gate[kind];
    return (gate[after] as Gate)[kind];
  }

  async function make(kind: CallerKind): Promise<{ person: Person; present: () => Promise<Credentials> }> {
    const made = await CALLER_MAKERS[kind](provider, off);
    if (kind === 'stale_proof') provider.clock.time += 11 * 60_000;
    return made;
  }

  it('has an open gate for each call of the backend API that takes no session', () => {
    expect(CALLS.filter((call) => takesNone(call) && !isOpen(call.gate)).map(({ name }) => name)).toEqual([]);
  });

  it.each(CALLER_KINDS)('answers each call of %s as it says', async (kind) => {
    const { present } = await make(kind);
    const presented = await present();
    const wrong: string[] = [];
    for (const call of callsFor(kind)) {
      const own = isLast(call) && kind !== 'none' ? await (await make(kind)).present() : presented;
      const answer = await answerTo(call, kind, own);
      const should = expected(call, kind);
      if (answer !== should) wrong.push(`${call.isBackend ? 'backend ' : ''}${call.name}: ${answer}, not ${should}`);
    }
    expect(wrong).toEqual([]);
  });

  /** What is begun in a session of the user, and the call that finishes it. */
  const ENDS: readonly (readonly [call: string, gate: CallGate, way: (provider: Provider) => WayIn])[] = [
    ['otps.authenticate', gates.otps.authenticate, secondAddress],
    ['otps.authenticate', gates.otps.authenticate, phone],
    ['magicLinks.authenticate', gates.magicLinks.authenticate, addressByLink],
    ['cryptoWallets.authenticate', gates.cryptoWallets.authenticate, wallet],
  ];

  const SESSION_KINDS = CALLER_KINDS.filter((kind) => !['none', 'ended', 'intermediate'].includes(kind));

  it.each(SESSION_KINDS)('lets %s finish an addition as it says', async (kind) => {
    const { person, present } = await make(kind);
    const begun = [];
    const at = isWithoutPolicy(kind) ? providerAt(provider, off) : provider;
    for (const [name, gate, way] of ENDS) begun.push({ name, gate, way, finish: await way(at).begin(person.owner) });
    const { project } = provider.services;
    const { mfa } = project;
    // A policy of the user would end the additions: the one of the project is raised.
    if (kind === 'lacking') Object.assign(project, { mfa: { ...mfa, policy: 'required' } });
    let session = kind === 'lacking' ? person.owner : ((await present()).session ?? '');
    const wrong: string[] = [];
    for (const { name, gate, way, finish } of begun) {
      const should = gate.adds?.[kind];
      // An addition before it has ended what was begun.
      const reply = await (should === 'passes' ? await way(at).begin(session) : finish)(session);
      const answer = reply.status === 200 ? 'passes' : reply.body['error_type'];
      // The session has another token now.
      session = String(reply.data['session_token'] || session);
      if (answer !== should) wrong.push(`${name}: ${answer}, not ${should}`);
    }
    Object.assign(project, { mfa });
    expect(wrong).toEqual([]);
  });
});
