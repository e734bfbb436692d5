import { afterEach, describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { FakeLock } from '#kit/ports/fake-lock.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { StorageBus } from '#kit/ports/memory-storage.ts';
import { TestWorld, TOKEN } from './world.ts';

const CYCLE_MS = 180_000;
const clients: PorticoClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

/** The pages of two hosts, whose sessions are in the same cookies. Storage and locks belong to a host. */
function openSite({ httpOnly = true } = {}) {
  const world = new TestWorld();
  world.server.settings.httpOnlySessions = httpOnly;
  const openHost = (origin: string) => {
    const [storage, lock] = [new StorageBus(), new FakeLock(world.clock)];
    return () => {
      const tab = { ...world.tab(origin), storage: storage.tab(), lock };
      const client = new PorticoClient(TOKEN, { adapters: tab, telemetry: false });
      clients.push(client);
      return { client, wake: () => tab.browser.wake() };
    };
  };
  const asked = (): number => world.transport.requestsTo(sessions.authenticate).length;
  return { world, asked, app: openHost('https://app.example.com/'), www: openHost('https://www.example.com/') };
}

describe('two hosts of one site', () => {
  it('each refresh the session once a cycle, by one tab, also at the same moment', async () => {
    const { world, asked, app, www } = openSite();
    const first = app();
    await world.signIn(first.client);
    const tabs = [first, app(), www(), www()];
    await world.settle();
    const before = asked();
    for (let cycle = 1; cycle <= 3; cycle += 1) {
      await world.clock.advance(CYCLE_MS);
      expect(asked() - before).toBe(2 * cycle);
    }
    const ids = tabs.map(({ client }) => client.session.getSync()?.session_id);
    expect(new Set(ids)).toEqual(new Set([first.client.session.getSync()?.session_id]));
    expect(ids[0]).toBeDefined();
  });

  it.each([true, false])(
    'see a login and a sign-out at the other when they are looked at; HttpOnly: %s',
    async (httpOnly) => {
      const { world, asked, app, www } = openSite({ httpOnly });
      const [here, there] = [app(), www()];
      await world.settle();
      await world.signIn(here.client);
      expect(there.client.session.getSync()).toBeNull();
      there.wake();
      there.wake();
      await world.settle();
      expect(there.client.session.getSync()?.session_id).toBe(here.client.session.getSync()?.session_id);
      expect(asked()).toBe(1);
      // Whoever only looks again asks nothing.
      await world.clock.advance(10_000);
      there.wake();
      await world.settle();
      expect(asked()).toBe(1);

      await here.client.session.revoke();
      expect(there.client.session.getSync()).not.toBeNull();
      there.wake();
      await world.settle();
      expect([there.client.session.getSync(), there.client.user.getSync()]).toEqual([null, null]);
      there.wake();
      await world.settle();
      expect(asked()).toBe(2);
    },
  );

  it('go on showing the person while the server cannot be asked', async () => {
    const { world, app, www } = openSite();
    const here = app();
    await world.signIn(here.client);
    const there = www();
    await world.clock.advance(10_000);
    await here.client.session.revoke();
    world.transport.answer(sessions.authenticate, () => offline());
    there.wake();
    await world.settle();
    expect(there.client.session.getSync()).not.toBeNull();
  });
});
