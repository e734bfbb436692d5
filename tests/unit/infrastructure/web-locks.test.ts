import { describe, expect, it } from 'vitest';
import { WebLocks, type LockRequests } from '#infrastructure/browser/web-locks.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

const PATIENCE_MS = 5_000;
/** The time that a task waits for the turn of another whose patience has ended too. */
const TURN_MS = 1_000;

const BROKEN: Readonly<Record<string, LockRequests['request']>> = {
  'throws a SecurityError': () => {
    throw new DOMException('opaque origin', 'SecurityError');
  },
  'rejects with an InvalidStateError': async () => {
    throw new DOMException('not fully active', 'InvalidStateError');
  },
  'never grants, and heeds the abort': async (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  'never grants, and ignores the abort': async () => new Promise(() => undefined),
  'resolves and grants nothing': async () => undefined,
  'grants twice': async (_name, _options, task) => Promise.all([task(), task()]),
  'grants, then says that it did not': async (_name, _options, task) => {
    await task();
    throw new DOMException('stolen', 'AbortError');
  },
  'grants only after patience has run out': async (_name, { signal }, task) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(task()))),
};

describe('WebLocks', () => {
  for (const [behaviour, request] of Object.entries(BROKEN)) {
    it(`runs the task exactly once when the platform ${behaviour}`, async () => {
      const clock = new VirtualClock();
      const locks = new WebLocks({ request }, clock);
      let runs = 0;
      const result = locks.run('n', PATIENCE_MS, async () => (runs += 1));
      await clock.advance(PATIENCE_MS + TURN_MS);
      expect(await result).toBe(1);
      await clock.advance(10 * PATIENCE_MS);
      expect([runs, clock.pending]).toEqual([1, 0]);
    });

    it(`rejects with the task's error, once, when the platform ${behaviour}`, async () => {
      const clock = new VirtualClock();
      const locks = new WebLocks({ request }, clock);
      let runs = 0;
      const outcome = expect(
        locks.run('n', PATIENCE_MS, async () => {
          runs += 1;
          throw new Error('its own');
        }),
      ).rejects.toThrow('its own');
      await clock.advance(PATIENCE_MS + TURN_MS);
      await outcome;
      expect(runs).toBe(1);
    });
  }

  it('takes a task that throws before its first await for one that rejects', async () => {
    const locks = new WebLocks({ request: async (_name, _options, task) => task() }, new VirtualClock());
    const throws = (): Promise<void> => {
      throw new Error('at once');
    };
    await expect(locks.run('n', PATIENCE_MS, throws)).rejects.toThrow('at once');
  });

  it('asks under the name it is given, with a signal not yet aborted', async () => {
    const asked: unknown[] = [];
    const request: LockRequests['request'] = async (name, { signal }, task) => {
      asked.push([name, signal.aborted]);
      return task();
    };
    await new WebLocks({ request }, new VirtualClock()).run('portico refresh', PATIENCE_MS, async () => undefined);
    expect(asked).toEqual([['portico refresh', false]]);
  });

  it('lets tabs that lose patience at once with a frozen one begin one after the other', async () => {
    const clock = new VirtualClock();
    const tails = new Map<string, Promise<unknown>>();
    const request: LockRequests['request'] = async (name, { signal }, task) => {
      const before = tails.get(name);
      const granted = (async () => {
        await before;
        return signal.aborted ? undefined : task();
      })();
      tails.set(name, granted);
      return granted;
    };
    const tab = (): WebLocks => new WebLocks({ request }, clock);
    void tab().run('n', PATIENCE_MS, async () => new Promise(() => undefined));
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const waiting = [1, 2].map(async (number) =>
      tab().run('n', PATIENCE_MS, async () => {
        begun.push(number);
        await new Promise<void>((resolve) => void ends.push(resolve));
      }),
    );
    await clock.advance(PATIENCE_MS + TURN_MS / 2);
    expect(begun).toHaveLength(1);
    ends[0]?.();
    await clock.advance(0);
    expect(begun).toHaveLength(2);
    ends[1]?.();
    await Promise.all(waiting);
    expect(clock.pending).toBe(0);
  });
});
