import { describe, expect, it } from 'vitest';
import { API_PREFIX, api, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import { CALLER_KINDS, type CallerKind, type CallGate } from '#domain/rules/gates.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const HOUR = { session_duration_minutes: 60 };
const RULES = {
  policy: 'when_enrolled',
  factors: ['totp', 'recovery_code'],
  trusted_devices: null,
  show_recovery_codes_again: true,
  recovery_hours: null,
} as const;

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 60,
  boolean: true,
  object: {},
  'string[]': [],
};

const REFUSED: ReadonlySet<unknown> = new Set(
  Object.values(gates)
    .flatMap((calls: Readonly<Record<string, CallGate>>) => Object.values(calls))
    .flatMap((gate) => CALLER_KINDS.map((kind) => gate[kind]))
    .filter((answer) => answer !== 'passes'),
);

/** The secret of a new user's session of that kind. */
const SECRETS: Partial<Readonly<Record<CallerKind, (world: TestWorld, email: string) => Promise<string>>>> = {
  none: () => Promise.resolve(TOKEN),
  complete: async (world, email) => (await world.signIn(world.open().client, email)).session_token ?? '',
  jwt_alone: async (world, email) => (await world.signIn(world.open().client, email)).session_jwt ?? '',
  ended: async (world, email) => {
    const { client } = world.open();
    const { session_token = '' } = await world.signIn(client, email);
    await client.session.revoke();
    return session_token;
  },
  impersonated: async (world, email) => {
    const { client } = world.open();
    await world.signIn(client, email);
    const reply = await client.impersonation.authenticate({
      impersonation_token: world.server.impersonationToken(email),
    });
    return reply.session_token ?? '';
  },
  one_factor: async (world, email) => {
    const { client } = world.open();
    await world.signIn(client, email);
    const { secret } = await client.totps.create({ expiration_minutes: 5 });
    await client.totps.authenticate({ totp_code: world.server.totpCode(secret), ...HOUR });
    await client.session.revoke();
    return (await world.signIn(client, email)).session_token ?? '';
  },
  lacking: async (world, email) => {
    const { session_token = '' } = await world.signIn(world.open().client, email);
    world.server.settings.mfa = { ...RULES, policy: 'required' };
    return session_token;
  },
};

const CALLS = Object.entries(api).flatMap(([area, calls]) => {
  const rows: Readonly<Record<string, CallGate>> = gates[area as keyof typeof api];
  return Object.entries(calls as Readonly<Record<string, Endpoint>>).flatMap(([name, endpoint]) => {
    const gate = rows[name];
    return gate === undefined ? [] : [{ name: `${area}.${name}`, endpoint, gate }];
  });
});

/** The type of the refusal by the gate; `passes` for any other answer, also that nobody plays such a call. */
async function answerTo(world: TestWorld, { endpoint }: (typeof CALLS)[number], secret: string): Promise<unknown> {
  const fields = Object.entries(endpoint.body).flatMap(([field, shape]) =>
    typeof shape === 'string' && !shape.endsWith('?') ? [[field, SAMPLES[shape]]] : [],
  );
  const sample: object = Object.fromEntries(fields);
  const body = endpoint.list ? [sample] : sample;
  const reply = await world.transport
    .send({
      method: endpoint.method,
      url: `http://localhost:3000${API_PREFIX}${endpoint.path.replaceAll(/:\w+/gu, 'x')}`,
      headers: { authorization: `Basic ${btoa(`${TOKEN}:${secret}`)}`, 'content-type': 'application/json' },
      body: endpoint.method === 'GET' ? null : JSON.stringify(body),
    })
    .catch(() => null);
  const { error_type } = JSON.parse(reply?.text ?? '{}') as { readonly error_type?: unknown };
  return REFUSED.has(error_type) ? error_type : 'passes';
}

/** Calls that a text, a later step or the app answers after their own gate: the provider's table test plays those. */
const ASKS_MORE: ReadonlySet<string> = new Set([
  'otps.smsSendSecondary',
  'otps.whatsappSendSecondary',
  'idp.authorizeSubmit',
]);

/** Calls after which the session is gone. */
const ENDS: ReadonlySet<string> = new Set(['sessions.revoke', 'users.delete', 'ownSessions.revokeOthers']);

describe('the server in memory', () => {
  it.each(Object.keys(SECRETS) as CallerKind[])('lets %s in as the table says', async (kind) => {
    const wrong: string[] = [];
    const open = async () => {
      const world = new TestWorld();
      return { world, secret: (await SECRETS[kind]?.(world, 'ada@example.com')) ?? '' };
    };
    const shared = await open();
    for (const call of CALLS.filter(({ name }) => !ASKS_MORE.has(name))) {
      const { world, secret } = ENDS.has(call.name) ? await open() : shared;
      const answer = await answerTo(world, call, secret);
      if (answer !== call.gate[kind]) wrong.push(`${call.name}: ${String(answer)}, not ${call.gate[kind]}`);
    }
    expect(wrong).toEqual([]);
  });
});
