import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { errorReply, offline, reply } from '#kit/transport/fake-reply.ts';
import { STATE_KEY, TestWorld, type OpenClient } from './world.ts';

const CYCLE_MS = 180_000;
const calls = (world: TestWorld) => world.transport.requestsTo(sessions.authenticate).length;

async function signedIn(tabs = 1): Promise<{ world: TestWorld; opened: OpenClient[] }> {
  const world = new TestWorld();
  const opened = Array.from({ length: tabs }, () => world.open());
  await world.signIn((opened[0] as OpenClient).client, 'ada@example.com', 60_000);
  await world.settle();
  return { world, opened };
}

describe('the background refresh', () => {
  it('asks every 180 s while there is a session, and not before', async () => {
    const { world } = await signedIn();
    await world.clock.advance(CYCLE_MS - 1);
    expect(calls(world)).toBe(0);
    await world.clock.advance(1);
    expect(calls(world)).toBe(1);
    await world.clock.advance(10 * CYCLE_MS);
    expect(calls(world)).toBe(11);
  });

  it('sends no request without a session, or after signing out', async () => {
    const idle = new TestWorld();
    idle.open();
    await idle.clock.advance(10 * CYCLE_MS);
    expect(calls(idle)).toBe(0);

    const { world, opened } = await signedIn();
    await opened[0]?.client.session.revoke();
    await world.clock.advance(10 * CYCLE_MS);
    expect(calls(world)).toBe(0);
  });

  it.each([2, 10])('is one request a cycle for %i tabs', async (tabs) => {
    const { world } = await signedIn(tabs);
    for (let cycle = 1; cycle <= 5; cycle += 1) {
      await world.clock.advance(CYCLE_MS);
      expect(calls(world)).toBe(cycle);
    }
  });

  it('goes on in another tab when the one that did it is closed', async () => {
    const { world, opened } = await signedIn(2);
    await world.clock.advance(CYCLE_MS);
    opened[0]?.client.destroy();
    await world.clock.advance(CYCLE_MS);
    expect(calls(world)).toBe(2);
  });

  it('is confirmed once at the start of a page', async () => {
    const { world } = await signedIn();
    world.open();
    await world.settle();
    expect(calls(world)).toBe(1);
  });

  it.each([
    ['429', () => errorReply(429, 'too_many_requests')],
    ['500', () => errorReply(500, 'internal_server_error')],
    ['a page of a proxy', () => reply(502, 'x')],
    ['no network', () => offline()],
    ['another refusal', () => errorReply(400, 'invalid_session_token')],
  ])('never signs out for %s, however long it lasts', async (_, answer) => {
    const { world, opened } = await signedIn();
    world.transport.answer(sessions.authenticate, answer);
    await world.clock.advance(3_600_000);
    expect(opened[0]?.client.session.getSync()).not.toBeNull();
    expect(opened[0]?.client.session.getTokens()).not.toBeNull();
  });

  it.each(['unauthorized_credentials', 'user_unauthenticated', 'invalid_secret_authentication', 'session_not_found'])(
    'signs out for %s, in every tab',
    async (type) => {
      const { world, opened } = await signedIn(3);
      world.transport.answer(sessions.authenticate, () => errorReply(401, type));
      await world.clock.advance(CYCLE_MS);
      expect(opened.map(({ client }) => client.session.getSync())).toEqual([null, null, null]);
      expect(opened[0]?.tab.cookies.get('stytch_session')).toBeNull();
    },
  );

  it('tries again after about 2, 4, 8 … 256 s while it fails, one tab for all', async () => {
    const { world } = await signedIn(3);
    const times: number[] = [];
    world.transport.answer(sessions.authenticate, () => {
      times.push(world.clock.now());
      return offline();
    });
    await world.clock.advance(CYCLE_MS + 2_000_000);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(9);
    gaps.forEach((gap, index) => {
      const base = 2_000 * 2 ** Math.min(index, 7);
      expect(gap).toBeGreaterThanOrEqual(base - 175);
      expect(gap).toBeLessThanOrEqual(base + 174);
    });
  });

  it('returns to the rhythm once it succeeds', async () => {
    const { world, opened } = await signedIn();
    const { client } = opened[0] as OpenClient;
    const [session, user] = [client.session.getSync(), client.user.getSync()];
    let down = true;
    world.transport.answer(sessions.authenticate, () =>
      down ? offline() : { session, user, session_token: 't', session_jwt: 'j' },
    );
    await world.clock.advance(CYCLE_MS + 1_000);
    down = false;
    await world.clock.advance(1_175);
    expect(calls(world)).toBe(2);
    await world.clock.advance(CYCLE_MS - 1_500);
    expect(calls(world)).toBe(2);
    await world.clock.advance(1_500);
    expect(calls(world)).toBe(3);
  });

  it('waits as long as the server asks', async () => {
    const { world } = await signedIn();
    world.transport.answer(sessions.authenticate, () =>
      reply(429, { status_code: 429, error_type: 'too_many_requests' }, { 'retry-after': '60' }),
    );
    await world.clock.advance(CYCLE_MS);
    expect(calls(world)).toBe(1);
    await world.clock.advance(59_000);
    expect(calls(world)).toBe(1);
    await world.clock.advance(1_000);
    expect(calls(world)).toBe(2);
  });
});

describe('waking up', () => {
  it('after a sleep asks once, however many events tell of it', async () => {
    const { world, opened } = await signedIn(2);
    world.clock.jump(8 * 3_600_000);
    for (const { tab } of opened) for (let event = 0; event < 3; event += 1) tab.browser.wake();
    await world.clock.wake();
    await world.clock.advance(60_000);
    expect(calls(world)).toBe(1);
  });

  it('sends no request when the next refresh is not due', async () => {
    const { world, opened } = await signedIn();
    await world.clock.advance(60_000);
    opened[0]?.tab.browser.wake();
    await world.settle();
    expect(calls(world)).toBe(0);
  });

  it('repeats a failed attempt at once, unless the server sent Retry-After', async () => {
    const { world, opened } = await signedIn();
    world.transport.answer(sessions.authenticate, () => offline());
    await world.clock.advance(CYCLE_MS + 600_000);
    const failed = calls(world);
    opened[0]?.tab.browser.wake();
    await world.settle();
    expect(calls(world)).toBe(failed + 1);
  });

  it('copes with a clock that was set back', async () => {
    const { world, opened } = await signedIn();
    world.clock.jump(-24 * 3_600_000);
    opened[0]?.tab.browser.wake();
    await world.clock.advance(CYCLE_MS);
    expect(calls(world)).toBeGreaterThanOrEqual(1);
    expect(calls(world)).toBeLessThanOrEqual(2);
    expect(opened[0]?.client.session.getSync()).not.toBeNull();
  });
});

describe('a refresh that meets a change', () => {
  it('is repeated when the session changes during it', async () => {
    const { world, opened } = await signedIn();
    const client = (opened[0] as OpenClient).client;
    const gate = world.transport.hold(sessions.authenticate);
    const first = client.session.authenticate();
    await world.settle();
    const { session } = await world.signIn(client, 'eve@example.com');
    gate.release();
    expect((await first).session.session_id).toBe(session.session_id);
    expect(calls(world)).toBe(2);
    expect(client.session.getSync()?.session_id).toBe(session.session_id);
  });

  it('is repeated at most three times, and then leaves the newer state alone', async () => {
    const { world, opened } = await signedIn();
    const client = (opened[0] as OpenClient).client;
    const original = client.session.getSync();
    let turn = 0;
    world.transport.answer(sessions.authenticate, async () => {
      turn += 1;
      await world.signIn(client, `n${turn}@example.com`);
      return { user: { user_id: 'old' }, session: original, session_token: 'old', session_jwt: 'old' };
    });
    await client.session.authenticate();
    expect(turn).toBe(4);
    expect(client.session.getTokens()?.session_token).not.toBe('old');
    expect(client.user.getSync()?.emails[0]?.email).toBe('n4@example.com');
  });

  it('does not bring back a session that was ended meanwhile', async () => {
    const { world, opened } = await signedIn(2);
    const [one, two] = opened as [OpenClient, OpenClient];
    const gate = world.transport.hold(sessions.authenticate);
    const refreshing = one.client.session.authenticate();
    await world.settle();
    await two.client.session.revoke();
    gate.release();
    await refreshing.catch(() => undefined);
    expect(one.client.session.getSync()).toBeNull();
    expect(one.client.session.getTokens()).toBeNull();
    expect(two.client.session.getSync()).toBeNull();
  });

  it('is not even asked for when the person signed out while it waited for its turn', async () => {
    const { world, opened } = await signedIn(2);
    const [one] = opened as [OpenClient, OpenClient];
    const release = world.lock.hold(`${STATE_KEY}::refresh`);
    await world.clock.advance(CYCLE_MS);
    await one.client.session.revoke();
    release();
    await world.clock.advance(20_000);
    expect(calls(world)).toBe(0);
  });

  it('is not signed out by the refusal of a token that has been replaced', async () => {
    const { world, opened } = await signedIn();
    const client = (opened[0] as OpenClient).client;
    const gate = world.transport.hold(sessions.authenticate);
    world.transport.answer(sessions.authenticate, () => errorReply(401, 'unauthorized_credentials'));
    const refused = client.session.authenticate().catch(() => undefined);
    await world.settle();
    client.session.updateSession({ session_token: 'newer', session_jwt: 'newer' });
    world.transport.answer(sessions.authenticate, () => errorReply(503, 'x'));
    gate.release();
    await refused;
    expect(client.session.getSync()).not.toBeNull();
  });

  it('does not stand still behind a tab that froze while holding the lock', async () => {
    const { world, opened } = await signedIn(2);
    world.lock.hold(`${STATE_KEY}::refresh`);
    await world.clock.advance(CYCLE_MS + 10_000);
    expect(calls(world)).toBeGreaterThanOrEqual(1);
    expect(calls(world)).toBeLessThanOrEqual(2);
    await (opened[1] as OpenClient).client.session.authenticate();
  });
});

describe('destroying a client', () => {
  it('stops everything and keeps the session', async () => {
    const { world, opened } = await signedIn();
    const { client, tab } = opened[0] as OpenClient;
    client.destroy();
    await world.clock.advance(10 * CYCLE_MS);
    tab.browser.wake();
    expect(calls(world)).toBe(0);
    expect(world.clock.pending).toBe(0);
    expect(tab.cookies.get('stytch_session')).not.toBeNull();
  });
});

describe('revoking', () => {
  it.each([
    ['ok', () => ({}), true, false],
    ['unauthorized_credentials', () => errorReply(401, 'unauthorized_credentials'), true, true],
    ['session_not_found', () => errorReply(404, 'session_not_found'), true, true],
    ['500', () => errorReply(500, 'internal_server_error'), false, true],
    ['429', () => errorReply(429, 'too_many_requests'), false, true],
    ['no network', () => offline(), false, true],
  ])('answered with %s', async (_, answer, ends, rejects) => {
    const { world, opened } = await signedIn();
    const { client } = opened[0] as OpenClient;
    world.transport.answer(sessions.revoke, answer);
    const revoked = client.session.revoke();
    if (rejects) await expect(revoked).rejects.toBeDefined();
    else await revoked;
    expect(client.session.getSync() === null).toBe(ends);
  });

  it('with forceClear forgets the session in every case, and still reports what went wrong', async () => {
    const { world, opened } = await signedIn();
    const { client } = opened[0] as OpenClient;
    world.transport.answer(sessions.revoke, () => offline());
    await expect(client.session.revoke({ forceClear: true })).rejects.toMatchObject({ kind: 'unreachable' });
    expect(client.session.getSync()).toBeNull();
    expect(client.session.getTokens()).toBeNull();
  });
});
