import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '#application/ports/index.ts';
import { WebLocks } from '#infrastructure/browser/web-locks.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { SOAK } from '../../../soak.ts';
import { soakIt } from '../../../soak-tests.ts';
import { TestWorld, TOKEN, type OpenClient } from '../world.ts';
import { MortalBrowser, type MortalTab } from './mortal-tabs.ts';
import { Random } from './random.ts';
import { RotatingServer, transportOf } from './rotating-server.ts';

const SEEDS = SOAK ? 300 : 25;

/** By chance no wait is much longer than it must be, and no two tabs have the same chance. */
class ShortestWaits extends FakeCrypto {
  override words(count: number): Uint32Array {
    return super.words(count).map((word) => word >>> 6);
  }
}

/** The request with the newest token: every token of the provider stays good. */
const withToken = ({ headers, ...rest }: HttpRequest, token: string): HttpRequest => ({
  ...rest,
  headers: { ...headers, authorization: `Basic ${Buffer.from(`${TOKEN}:${token}`).toString('base64')}` },
});

interface Open {
  readonly tab: MortalTab;
  readonly opened: OpenClient;
}

interface Setting {
  readonly seed: number;
  readonly tickMs: number;
  readonly tabs?: number;
}

/** Tabs with one session; the server holds every refresh until it is told to answer. */
async function open({ seed, tickMs, tabs = 4 }: Setting) {
  const world = new TestWorld();
  const { clock } = world;
  const random = new Random(seed);
  const browser = new MortalBrowser(clock, random);
  const server = new RotatingServer(clock);
  const asked: { readonly tab: MortalTab; readonly at: number; answer: () => void; isOpen: boolean }[] = [];
  let [answersMs, overlaps] = [0, 0] as [number | null, number];
  const all: Open[] = [];
  const openTab = (): Open => {
    const tab = browser.open(tickMs);
    const transport = transportOf(
      async (request: HttpRequest) =>
        new Promise<HttpResponse>((resolve) => {
          const isOpen = (one: (typeof asked)[number]): boolean => one.isOpen && !one.tab.isKilled();
          if (asked.some(isOpen)) overlaps += 1;
          const own = {
            tab,
            at: clock.now(),
            isOpen: true,
            answer: () => {
              if (!own.isOpen) return;
              own.isOpen = false;
              const response = server.authenticate(withToken(request, server.token));
              clock.after(1, () => tab.run(() => resolve(response)));
            },
          };
          asked.push(own);
          if (answersMs !== null) clock.after(answersMs, own.answer);
        }),
    );
    const crypto = new ShortestWaits(seed * 100 + browser.tabs.length);
    const adapters = { transport, storage: tab, clock: tab, lock: new WebLocks(tab, tab), crypto };
    const one = { tab, opened: world.open({ telemetry: false, adapters: adapters as never }) };
    all.push(one);
    return one;
  };
  const first = openTab();
  first.opened.client.session.updateSession({ session_token: server.token });
  const known = first.opened.client.session.authenticate();
  await clock.advance(2_000);
  await known;
  while (all.length < tabs) openTab();
  await clock.advance(30_000);
  return {
    clock,
    asked,
    all,
    openTab,
    overlaps: () => overlaps,
    /** Answers what is held, and from now on each refresh after so many milliseconds. */
    answer(ms: number) {
      answersMs = ms;
      for (const one of asked) one.answer();
    },
    /** The tab whose refresh is held. */
    async elect(): Promise<MortalTab> {
      answersMs = null;
      asked.length = 0;
      while (asked.length === 0) await clock.advance(500);
      const [{ tab } = {}] = asked;
      if (tab === undefined) throw new Error('no tab asked');
      return tab;
    },
    random,
    server,
    tokens: () => new Set(all.map(({ opened }) => opened.client.session.getTokens()?.session_token)),
    signedOut: () =>
      all.filter(({ tab, opened }) => !tab.isKilled() && opened.client.session.getSync() === null).length,
  };
}

type World = Awaited<ReturnType<typeof open>>;

/** The timers of tabs that are shown, and of hidden ones. */
const TICKS = [1, 1_000];

/** Plays one course with many orders of events. */
async function play(course: (world: World) => Promise<void>): Promise<void> {
  for (const tickMs of TICKS) {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const world = await open({ seed, tickMs });
      await course(world);
      expect({ seed, tickMs, overlaps: world.overlaps(), signedOut: world.signedOut() }).toEqual({
        seed,
        tickMs,
        overlaps: 0,
        signedOut: 0,
      });
      for (const { opened } of world.all) opened.client.destroy();
    }
  }
}

/** Waits until so many refreshes were asked for since the election. */
async function untilAsked({ clock, asked }: World, count: number): Promise<MortalTab> {
  while (asked.length < count) await clock.advance(10);
  return asked[count - 1]?.tab as MortalTab;
}

const lastAt = ({ asked }: World): number => asked.at(-1)?.at ?? 0;

describe('never two refreshes at once, where tabs read late what others write', () => {
  it('another tab takes over within ten seconds when the one that refreshes is killed', async () => {
    await play(async (world) => {
      (await world.elect()).kill();
      const at = world.clock.now();
      world.answer(1_500);
      await world.clock.advance(25_000);
      expect(world.asked).toHaveLength(2);
      expect(lastAt(world) - at).toBeLessThanOrEqual(10_000);
    });
  });

  it('so it does when one tab after the other is killed while it refreshes', async () => {
    await play(async (world) => {
      (await world.elect()).kill();
      (await untilAsked(world, 2)).kill();
      const at = world.clock.now();
      world.answer(1_500);
      await world.clock.advance(25_000);
      expect(world.asked).toHaveLength(3);
      expect(lastAt(world) - at).toBeLessThanOrEqual(10_000);
    });
  });

  soakIt('so it does when one tab after the other freezes, and they wake up again', async () => {
    await play(async (world) => {
      const frozen = [await world.elect()];
      for (const tab of frozen) {
        tab.freeze();
        world.asked.at(-1)?.answer();
        if (frozen.length < 3) frozen.push(await untilAsked(world, frozen.length + 1));
      }
      const at = world.clock.now();
      world.answer(1_500);
      await world.clock.advance(25_000);
      expect(world.asked).toHaveLength(4);
      expect(lastAt(world) - at).toBeLessThanOrEqual(10_000);
      for (const tab of frozen) tab.thaw();
      await world.clock.advance(25_000);
      expect(world.asked).toHaveLength(4);
    });
  });

  soakIt(
    'a frozen tab that wakes up at any moment leaves the newer tokens, and the refresh of the other goes on',
    async () => {
      await play(async (world) => {
        const { clock, random } = world;
        const elected = await world.elect();
        elected.freeze();
        world.answer(3_000);
        await clock.advance(random.between(7_000, 13_000));
        elected.thaw();
        await clock.advance(random.between(0, 300));
        // A page that opens now checks its session.
        if (random.chance(0.5)) world.openTab();
        await clock.advance(25_000);
        expect(world.asked.length).toBeLessThanOrEqual(3);
        expect(world.tokens()).toEqual(new Set([world.server.token]));
      });
    },
  );

  soakIt('the clock may be put back while a tab refreshes, and while another takes over', async () => {
    await play(async (world) => {
      const { clock, random } = world;
      const elected = await world.elect();
      const leaps = [-86_400_000, -60_000, -5_000, -1_000];
      clock.jump(random.pick(leaps));
      if (random.chance(0.5)) elected.kill();
      await clock.advance(random.between(0, 7_000));
      clock.jump(random.pick(leaps));
      world.answer(1_000);
      await clock.advance(30_000);
      expect(world.asked.length).toBeLessThanOrEqual(2);
    });
  });
});
