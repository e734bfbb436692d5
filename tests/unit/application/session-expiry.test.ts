import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import type { Session } from '#domain/sessions/session.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { sha256url, STATE_KEY, TestWorld } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A browser in which somebody signed in for an hour, and closed the page. */
async function signedInBefore() {
  const world = new TestWorld();
  const { client, tab } = world.open();
  await world.signIn(client);
  client.destroy();
  return { world, stored: tab.storage.get(STATE_KEY) ?? '' };
}

/** A browser whose clock is ahead of the server's. */
function ahead(hours: number): TestWorld {
  const world = new TestWorld();
  const clock = { now: () => world.clock.now() - hours * HOUR_MS };
  return Object.assign(world, { server: new FakeServer(world.transport, clock, sha256url) });
}

const isSignedIn = ({ session, user }: ReturnType<TestWorld['open']>['client']): readonly boolean[] => [
  session.getSync() !== null,
  user.getSync() !== null,
];

describe('a stored session that is over', () => {
  it('is not reported as alive, and gone once the server has said so', async () => {
    const { world } = await signedInBefore();
    world.clock.jump(HOUR_MS);
    const gate = world.transport.hold(sessions.authenticate);
    const { client, tab } = world.open();
    const heard: unknown[] = [];
    client.session.session$.subscribe((session) => heard.push(session));
    client.user.user$.subscribe((user) => heard.push(user));
    expect(isSignedIn(client)).toEqual([false, false]);
    expect([client.session.getInfo(), client.user.getInfo()]).toEqual([
      { session: null, fromCache: false },
      { user: null, fromCache: false },
    ]);
    await world.settle();
    expect(tab.storage.get(STATE_KEY)).not.toBeNull();
    gate.release();
    await world.settle();
    expect(world.transport.requestsTo(sessions.authenticate)).toHaveLength(1);
    expect([isSignedIn(client), tab.storage.get(STATE_KEY)]).toEqual([[false, false], null]);
    expect(heard).toEqual([null, null]);
    await world.clock.advance(HOUR_MS);
    expect(world.transport.requestsTo(sessions.authenticate)).toHaveLength(1);
  });

  it('is not reported while the server cannot be reached, and is checked repeatedly', async () => {
    const { world, stored } = await signedInBefore();
    world.clock.jump(HOUR_MS);
    for (const failure of [
      () => offline(),
      () => errorReply(503, 'unavailable'),
      () => errorReply(429, 'too_many_requests'),
    ]) {
      world.transport.answer(sessions.authenticate, failure);
      const before = world.transport.requestsTo(sessions.authenticate).length;
      const { client, tab } = world.open();
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await world.clock.advance(10 * MINUTE_MS);
      expect(world.transport.requestsTo(sessions.authenticate).length - before).toBeGreaterThanOrEqual(3);
      expect([isSignedIn(client), tab.storage.get(STATE_KEY)]).toEqual([[false, false], stored]);
      tab.browser.wake();
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await world.settle();
      expect(isSignedIn(client)).toEqual([false, false]);
      client.destroy();
    }
  });

  it('is over to the millisecond, and not before', async () => {
    const { world } = await signedInBefore();
    world.transport.answer(sessions.authenticate, () => offline());
    world.clock.jump(HOUR_MS - 1);
    expect(isSignedIn(world.open().client)).toEqual([true, true]);
    world.clock.jump(1);
    expect(isSignedIn(world.open().client)).toEqual([false, false]);
  });

  it('gives way to a new login, in this tab and in another', async () => {
    const { world } = await signedInBefore();
    world.clock.jump(2 * HOUR_MS);
    world.transport.answer(sessions.authenticate, () => offline());
    const { client } = world.open();
    const { client: other } = world.open();
    await world.settle();
    const { session } = await world.signIn(other);
    await world.settle();
    expect([client.session.getSync(), other.session.getSync()]).toEqual([session, session]);
    await other.session.revoke();
    await world.settle();
    expect([isSignedIn(client), isSignedIn(other)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('can be signed out of', async () => {
    const { world } = await signedInBefore();
    world.clock.jump(2 * HOUR_MS);
    world.transport.answer(sessions.authenticate, () => offline());
    const { client, tab } = world.open();
    await client.session.revoke({ forceClear: true }).catch(() => undefined);
    expect(tab.storage.get(STATE_KEY)).toBeNull();
    expect(client.session.getTokens()).toBeNull();
  });
});

describe('a clock that is wrong', () => {
  it('by hours does not sign out while the server can be reached', async () => {
    for (const hours of [-5, 5]) {
      const world = ahead(hours);
      const first = world.open();
      // oxlint-disable-next-line no-await-in-loop -- a browser for each clock
      const { session } = await world.signIn(first.client);
      expect(first.client.session.getSync()).toEqual(session);
      // oxlint-disable-next-line no-await-in-loop -- a browser for each clock
      await world.clock.advance(10 * MINUTE_MS);
      expect(isSignedIn(first.client)).toEqual([true, true]);
      first.client.destroy();
      const again = world.open();
      const heard: (Session | null)[] = [];
      again.client.session.onChange((each) => heard.push(each));
      expect(isSignedIn(again.client)).toEqual(hours > 0 ? [false, false] : [true, true]);
      // oxlint-disable-next-line no-await-in-loop -- a browser for each clock
      await world.settle();
      expect(again.client.session.getSync()?.session_id).toBe(session.session_id);
      expect(heard.map((each) => each?.session_id)).toEqual([session.session_id]);
      again.client.destroy();
    }
  });

  it('brings the session back when the server can be reached again', async () => {
    const world = ahead(5);
    const first = world.open();
    const { session } = await world.signIn(first.client);
    first.client.destroy();
    let isDown = true;
    const send = world.transport.send.bind(world.transport);
    world.transport.send = (request) => (isDown ? Promise.reject(new TypeError('offline')) : send(request));
    const { client, tab } = world.open();
    await world.clock.advance(MINUTE_MS);
    expect(isSignedIn(client)).toEqual([false, false]);
    isDown = false;
    tab.browser.wake();
    await world.settle();
    expect(client.session.getSync()?.session_id).toBe(session.session_id);
    expect(client.user.getSync()?.user_id).toBe(session.user_id);
  });

  it('ends the cookies when the server ends the session', async () => {
    for (const hours of [-5, 5]) {
      const world = ahead(hours);
      // oxlint-disable-next-line no-await-in-loop -- a browser for each clock
      await world.signIn(world.open().client);
      const ends = world.jar.cookies.map(({ expiresAt }) => (expiresAt ?? 0) - world.clock.now());
      expect(ends).toEqual([HOUR_MS, HOUR_MS]);
    }
  });
});
