import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse, LockPort } from '#application/ports/index.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { MemoryStorage, StorageBus } from '#kit/ports/memory-storage.ts';
import type { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { STATE_KEY, TestWorld, type OpenClient } from '../world.ts';
import { Random } from './random.ts';
import { RotatingServer, transportOf } from './rotating-server.ts';
import { oneOf, SOAK } from '../../../soak.ts';

const TABS = 50;
const CYCLE_MS = 180_000;

type Delivery = 'at once' | 'late' | 'late, out of order' | 'late, out of order, some twice';

/** A bus that tells the tabs of each other's writes in the manner given. */
class SlowBus extends StorageBus {
  private last = 0;

  constructor(
    private readonly clock: VirtualClock,
    private readonly random: Random,
    private readonly delivery: Delivery,
  ) {
    super();
  }

  override tell(news: Parameters<StorageBus['tell']>[0]): void {
    const { clock, random, delivery } = this;
    if (delivery === 'at once') return super.tell(news);
    const later = (): void => {
      const wait = random.between(0, 250);
      // In order: none before the one that was told last.
      const due = delivery === 'late' ? Math.max(this.last, clock.now() + wait) : clock.now() + wait;
      this.last = due;
      clock.after(due - clock.now(), () => super.tell(news));
    };
    later();
    if (delivery.endsWith('twice') && random.chance(0.3)) later();
  }
}

/** By chance every wait takes as long as it may. */
class LongestWaits extends FakeCrypto {
  override words(count: number): Uint32Array {
    return count === 1 ? Uint32Array.of(0xffff_ffff) : super.words(count);
  }
}

interface Setting {
  readonly seed: number;
  readonly delivery: Delivery;
  readonly locks: boolean;
  readonly latencyMs: number;
  readonly lastTokenStaysGood?: boolean;
  readonly crypto?: FakeCrypto;
}

async function open({ seed, delivery, locks, latencyMs, lastTokenStaysGood = false, crypto }: Setting, tabs = TABS) {
  const world = new TestWorld();
  const { clock } = world;
  const random = new Random(seed);
  const bus = new SlowBus(clock, random, delivery);
  const server = new RotatingServer(clock, { lastTokenStaysGood });
  const seen = { calls: 0, refused: 0, inFlight: 0, overlaps: 0 };
  let [freezing, frozenAt, lastAt] = [false, 0, 0];
  const transport = transportOf(async (request: HttpRequest): Promise<HttpResponse> => {
    seen.calls += 1;
    lastAt = clock.now();
    if (freezing) {
      freezing = false;
      frozenAt = lastAt;
      return new Promise<never>(() => undefined);
    }
    seen.inFlight += 1;
    if (seen.inFlight > 1) seen.overlaps += 1;
    const up = random.between(0, latencyMs);
    if (up > 0) await new Promise<void>((resolve) => void clock.after(up, resolve));
    const response = server.authenticate(request);
    if (response.status !== 200) seen.refused += 1;
    const down = random.between(0, latencyMs - up);
    if (down > 0) await new Promise<void>((resolve) => void clock.after(down, resolve));
    seen.inFlight -= 1;
    return response;
  });
  const atOnce: LockPort = { run: (_name, _patience, task) => task() };
  const another = (): OpenClient =>
    world.open({
      telemetry: false,
      adapters: {
        transport: transport as never,
        storage: new MemoryStorage(bus),
        ...(locks ? {} : { lock: atOnce as never }),
        ...(crypto && { crypto }),
      },
    });
  const first = another();
  first.client.session.updateSession({ session_token: server.token });
  const known = first.client.session.authenticate();
  await clock.advance(latencyMs);
  await known;
  const opened = [first];
  while (opened.length < tabs) opened.push(another());
  await clock.advance(60_000);
  return {
    clock,
    random,
    bus,
    server,
    seen,
    opened,
    another,
    freezeNext: () => void (freezing = true),
    frozenAt: () => frozenAt,
    lastAt: () => lastAt,
  };
}

/** What the tabs hold, each different thing once. When a session was last used is no difference. */
const views = (opened: readonly OpenClient[]) =>
  new Set(
    opened.map(({ client: { session, user } }) =>
      JSON.stringify([{ ...session.getSync(), last_accessed_at: '' }, user.getSync(), session.getTokens()]),
    ),
  );

const DELIVERIES: readonly Delivery[] = ['at once', 'late', 'late, out of order', 'late, out of order, some twice'];
// A cycle begins where the one before it began, so that more of them only meet other waits.
const LOCKED_CYCLES = SOAK ? 300 : 50;
const LOCKLESS_CYCLES = SOAK ? 150 : 30;

describe('50 tabs, and tokens that change with every refresh', () => {
  for (const locks of [true, false]) {
    const cycles = locks ? LOCKED_CYCLES : LOCKLESS_CYCLES;
    it.each(oneOf(3, DELIVERIES, locks ? 0 : 1))(
      `${locks ? 'with' : 'without'} locks, hearing of each other %s: one request a cycle for ${cycles} cycles, nobody is signed out`,
      async (delivery) => {
        const { clock, server, seen, opened } = await open({ seed: 1, delivery, locks, latencyMs: 5_000 });
        const before = seen.calls;
        const start = clock.now();
        for (let tenth = 0; tenth < 10; tenth += 1) {
          await clock.advance((CYCLE_MS * cycles) / 10);
          expect(opened.filter(({ client }) => client.session.getSync() === null)).toEqual([]);
        }
        const most = (clock.now() - start) / CYCLE_MS;
        expect(seen.calls - before).toBeLessThanOrEqual(most);
        expect(seen.calls - before).toBeGreaterThan(most * 0.96);
        expect(seen).toMatchObject({ refused: 0, overlaps: 0 });

        await clock.advance(10_000);
        expect(views(opened).size).toBe(1);
        expect(opened[0]?.client.session.getTokens()?.session_token).toBe(server.token);
      },
    );
  }

  it('wake up together: one request', async () => {
    for (const locks of [true, false]) {
      const { clock, seen, opened } = await open({ seed: 2, delivery: 'late', locks, latencyMs: 2_000 });
      clock.jump(8 * 3_600_000);
      const before = seen.calls;
      for (const { tab } of opened) for (let event = 0; event < 3; event += 1) tab.browser.wake();
      await clock.wake();
      await clock.advance(60_000);
      expect(seen.calls - before).toBe(1);
      expect(opened.every(({ client }) => client.session.getSync() !== null)).toBe(true);
    }
  });

  it.each(oneOf(2, [true, false], 1))(
    'wait at most 10 s for one that froze while it asked (locks: %s)',
    async (locks) => {
      for (let seed = 1; seed <= (SOAK ? 20 : 1); seed += 1) {
        const world = await open({ seed, delivery: 'at once', locks, latencyMs: 1_000 }, 5);
        const { clock, opened, seen } = world;
        // The first to ask from now on never hears back, and holds its lock for ever.
        world.freezeNext();
        const before = seen.calls;
        while (seen.calls === before) await clock.advance(1_000);
        const frozenAt = world.frozenAt();
        await clock.advance(12_000);
        expect(seen.calls - before).toBe(2);
        expect(world.lastAt() - frozenAt).toBeLessThanOrEqual(10_000);
        expect(opened.filter(({ client }) => client.session.getSync() === null)).toEqual([]);
      }
    },
  );

  it('wait at most 9.5 s where chance makes every wait the longest', async () => {
    const world = await open(
      { seed: 1, delivery: 'at once', locks: true, latencyMs: 1_000, crypto: new LongestWaits() },
      2,
    );
    const { clock, seen } = world;
    world.freezeNext();
    const before = seen.calls;
    while (seen.calls === before) await clock.advance(1_000);
    await clock.advance(12_000);
    expect(seen.calls - before).toBe(2);
    expect(world.lastAt() - world.frozenAt()).toBeLessThanOrEqual(9_500);
  });

  it.each(oneOf(2, [true, false]))('come and go at random, and wake at random (locks: %s)', async (locks) => {
    for (let seed = 1; seed <= (SOAK ? 10 : 2); seed += 1) {
      const delivery = DELIVERIES[seed % 4] ?? 'late';
      // A tab may close between the server's new tokens and the writing down of them: so the last ones stay good.
      const { clock, random, seen, opened, another } = await open(
        { seed, delivery, locks, latencyMs: 5_000, lastTokenStaysGood: true },
        10,
      );
      const start = clock.now();
      const before = seen.calls;
      let disturbed = 0;
      while (clock.now() - start < 100 * CYCLE_MS) {
        await clock.advance(random.between(0, CYCLE_MS));
        const at = random.between(0, opened.length - 1);
        disturbed += 1;
        if (random.chance(0.4) && opened.length > 1) opened.splice(at, 1)[0]?.client.destroy();
        else if (random.chance(0.6)) opened.push(another());
        else opened[at]?.tab.browser.wake();
      }
      await clock.advance(20_000);
      expect(seen.calls - before).toBeLessThanOrEqual(100 + disturbed);
      expect(seen.calls - before).toBeGreaterThan(90);
      expect(opened.filter(({ client }) => client.session.getSync() === null)).toEqual([]);
      expect(views(opened).size).toBe(1);
      for (const { client } of opened) client.destroy();
      await clock.advance(60_000);
      expect(clock.pending).toBe(0);
    }
  });

  it.each(oneOf(2, [true, false], 1))(
    'all follow a sign-out, and none restores the session (locks: %s)',
    async (locks) => {
      for (const delivery of DELIVERIES) {
        const { clock, opened, bus } = await open({ seed: 3, delivery, locks, latencyMs: 3_000 });
        await clock.advance(CYCLE_MS - 61_000);
        const refreshing = opened.slice(0, 5).map(({ client }) => client.session.authenticate().catch(() => null));
        await opened[7]?.client.session.revoke();
        await clock.advance(CYCLE_MS);
        await Promise.all(refreshing);
        expect(opened.filter(({ client }) => client.session.getSync() !== null)).toEqual([]);
        expect(opened[0]?.client.session.getTokens()).toBeNull();
        expect(bus.values.has(STATE_KEY)).toBe(false);
      }
    },
  );
});
