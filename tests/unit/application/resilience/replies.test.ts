import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { isAuthError } from '#domain/errors.ts';
import { isSession, parseState } from '#domain/sessions/session.ts';
import { isUser } from '#domain/users/user.ts';
import { rawReply } from '#kit/transport/fake-reply.ts';
import { STATE_KEY, TestWorld, type OpenClient } from '../world.ts';
import { Random } from './random.ts';
import type { PublicCall } from './public-call.ts';
import { CALLS } from './surface.ts';
import { Traps } from './traps.ts';
import { SOAK } from '../../../soak.ts';
import { ALL, reply } from './damaged-replies.ts';

const MUTATIONS = SOAK ? 10_000 : 300;

const COOKIE_RECORD = /^(?:-?\d+)? \S*(?: [^;\s]+;[^;\s]+;[^;\s]+;\/[^;\s]*;[^;\s]*)*$/u;

const D = { session_duration_minutes: 60 };

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
    if (key.endsWith('::cookies')) {
      // A line of its own form (`CookieRecord`): a mark, a project, and places.
      if (!COOKIE_RECORD.test(text)) return `a damaged record of the cookies: ${text}`;
      continue;
    }
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
    expect(tally.values).toBeGreaterThan(MUTATIONS / 12);
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
