import { describe, expect, it } from 'vitest';
import { events, magicLinks, projects } from '#application/api/index.ts';
import { offline, reply } from '#kit/transport/fake-reply.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld } from './world.ts';

const asked = (world: TestWorld): number => world.transport.requestsTo(projects.bootstrap).length;

/** A client that has loaded everything. */
async function open(world = new TestWorld()) {
  const opened = world.open();
  await world.settle();
  await opened.client.webauthn.browserSupportsAutofill();
  await world.settle();
  return { world, ...opened };
}

/** A server that says nothing of the project until the returned function is called. */
function down(world: TestWorld, answer: () => unknown = offline): () => void {
  let isDown = true;
  const { project } = world.server;
  world.transport.answer(projects.bootstrap, () => (isDown ? answer() : project));
  return () => {
    isDown = false;
  };
}

describe('the project’s settings from the server', () => {
  it('that failed are requested once for a send, although captcha, telemetry and proof key need them', async () => {
    const world = new TestWorld();
    down(world);
    const { client } = world.open();
    await world.settle();
    await world.clock.advance(2_000);
    const before = asked(world);
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)).toHaveLength(1);
    expect(asked(world) - before).toBe(1);
    // So soon after, that is what is known.
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    expect(asked(world) - before).toBe(1);
    client.destroy();
  });

  it('are requested again 5 s after a failure, then after twice as long, until they arrive', async () => {
    const world = new TestWorld();
    const up = down(world);
    const { client } = await open(world);
    const times: number[] = [];
    for (let second = 1; second <= 80; second += 1) {
      const before = asked(world);
      await world.clock.advance(1_000);
      if (asked(world) > before) times.push(second);
    }
    expect(times).toEqual([5, 15, 35, 75]);
    up();
    await world.clock.advance(80_000);
    const known = asked(world);
    await world.clock.advance(3_600_000);
    expect(asked(world)).toBe(known);
    client.destroy();
  });

  it('are requested again after 10 s on a slow network, and not before Retry-After', async () => {
    for (const [answer, ms] of [
      [offline, 10_000],
      [() => reply(503, { error_type: 'unavailable' }, { 'retry-after': '60' }), 60_000],
    ] as const) {
      const world = new TestWorld();
      const tab = world.tab('http://localhost:3000/');
      tab.browser.isSlow = true;
      down(world, answer);
      const { client } = world.open({ adapters: tab });
      await world.settle();
      await client.webauthn.browserSupportsAutofill();
      const before = asked(world);
      await world.clock.advance(ms - 1_000);
      expect(asked(world)).toBe(before);
      await world.clock.advance(1_000);
      expect(asked(world)).toBe(before + 1);
      client.destroy();
    }
  });

  it('are requested anew when the person comes back, at most once in 5 s', async () => {
    const { world, client, tab } = await open();
    await world.clock.advance(2_000);
    expect(asked(world)).toBe(1);
    for (const [pass, times] of [
      [0, 2],
      [4_000, 2],
      [1_000, 3],
    ] as const) {
      await world.clock.advance(pass);
      tab.browser.wake();
      tab.browser.wake();
      await world.settle();
      expect(asked(world)).toBe(times);
    }
    client.destroy();
    await world.clock.advance(60_000);
    tab.browser.wake();
    await world.settle();
    expect(asked(world)).toBe(3);
  });

  it('is taken over by a widget that shows, and logged as one that was shown once', async () => {
    const world = new TestWorld();
    const up = down(world);
    const { store, widget } = openLogin({ products: ['emailMagicLinks'] }, { world });
    await world.settle();
    expect(store.getState().bootstrap.projectName).toBe('');
    world.server.project['project_name'] = 'Planner';
    up();
    await world.clock.advance(5_000);
    expect(store.getState().bootstrap.projectName).toBe('Planner');
    await world.clock.advance(5_000);
    const logged = world.transport.requestsTo(events.log).flatMap(({ body }) => body as { event: object }[]);
    expect(logged.map(({ event }) => event)).toMatchObject([{ event_name: 'render_login_screen' }]);
    widget.destroy();
  });
});
