import type { LockPort } from '#application/ports/index.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface LockHarness extends Disposable {
  /** The locks as two tabs have them; the same port twice where they cannot be shared. */
  readonly tabs: readonly [LockPort, LockPort];
  /** Lets patience run; what can settle has settled when it resolves. */
  readonly pass: (ms: number) => Promise<void>;
}

const PATIENCE_MS = 5_000;

interface Task<T> {
  readonly run: () => Promise<T>;
  readonly runs: () => number;
  readonly finish: (value: T) => void;
  readonly fail: (error: Error) => void;
}

/** A task that is done when it is told to be. */
function task<T>(): Task<T> {
  let runs = 0;
  let finish: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const done = new Promise<T>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const run = async (): Promise<T> => {
    runs += 1;
    return done;
  };
  return { run, runs: () => runs, finish, fail };
}

let names = 0;

/** A name of the test's own: what an earlier one left locked must not matter. */
function freshName(): string {
  names += 1;
  return `contract ${names}`;
}

/** The contract of LockPort. */
export function lockContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => LockHarness | Promise<LockHarness>,
): void {
  const { expect } = runner;
  suite(runner, `LockPort: ${name}`, makeHarness, (test) => {
    test('runs a task alone under its name: the next one begins when it is done', async ({
      tabs: [one, two],
      pass,
    }) => {
      const name = freshName();
      const [first, second] = [task<string>(), task<string>()];
      const results = [one.run(name, PATIENCE_MS, first.run), two.run(name, PATIENCE_MS, second.run)];
      await pass(PATIENCE_MS - 1_000);
      expect([first.runs(), second.runs()]).toEqual([1, 0]);
      first.finish('first');
      await pass(100);
      expect(second.runs()).toBe(1);
      second.finish('second');
      expect(await Promise.all(results)).toEqual(['first', 'second']);
    });

    test('runs a queue of many tasks one at a time', async ({ tabs, pass }) => {
      const name = freshName();
      const seen = { inside: 0, most: 0, done: 0 };
      const work = async (): Promise<void> => {
        seen.inside += 1;
        seen.most = Math.max(seen.most, seen.inside);
        await Promise.resolve();
        await Promise.resolve();
        seen.inside -= 1;
        seen.done += 1;
      };
      const all = Promise.all(
        Array.from({ length: 20 }, (_, at) => tabs[at % 2 === 0 ? 0 : 1].run(name, PATIENCE_MS, work)),
      );
      for (let turn = 0; turn < 100 && seen.done < 20; turn += 1) await pass(1);
      await all;
      expect([seen.most, seen.done]).toEqual([1, 20]);
    });

    test('keeps names apart', async ({ tabs: [one, two], pass }) => {
      const [first, second] = [task<string>(), task<string>()];
      const results = [one.run('a', PATIENCE_MS, first.run), two.run('b', PATIENCE_MS, second.run)];
      await pass(100);
      expect([first.runs(), second.runs()]).toEqual([1, 1]);
      first.finish('a');
      second.finish('b');
      await Promise.all(results);
    });

    test('waits no longer than its patience, then runs without the lock', async ({ tabs: [one, two], pass }) => {
      const name = freshName();
      const [frozen, waiting] = [task<string>(), task<string>()];
      const held = one.run(name, PATIENCE_MS, frozen.run);
      const result = two.run(name, PATIENCE_MS, waiting.run);
      await pass(PATIENCE_MS - 500);
      expect(waiting.runs()).toBe(0);
      await pass(1_000);
      expect(waiting.runs()).toBe(1);
      waiting.finish('went on');
      expect(await result).toBe('went on');
      frozen.finish('woke');
      expect(await held).toBe('woke');
      await pass(PATIENCE_MS);
      expect([frozen.runs(), waiting.runs()]).toEqual([1, 1]);
    });

    test('still serves those behind one who gave up', async ({ tabs: [one, two], pass }) => {
      const name = freshName();
      const [frozen, hasty, patient] = [task<string>(), task<string>(), task<string>()];
      const held = one.run(name, PATIENCE_MS, frozen.run);
      const gaveUp = two.run(name, 1_000, hasty.run);
      const stayed = two.run(name, PATIENCE_MS, patient.run);
      await pass(2_000);
      expect([hasty.runs(), patient.runs()]).toEqual([1, 0]);
      hasty.finish('hasty');
      frozen.finish('woke');
      await pass(100);
      expect(patient.runs()).toBe(1);
      patient.finish('patient');
      expect(await Promise.all([held, gaveUp, stayed])).toEqual(['woke', 'hasty', 'patient']);
    });

    test('is free again when the task has rejected', async ({ tabs: [one, two], pass }) => {
      const name = freshName();
      const failing = task<string>();
      const result = rejectionOf(one.run(name, PATIENCE_MS, failing.run));
      await pass(10);
      failing.fail(new Error('no'));
      await result;
      const next = task<string>();
      const after = two.run(name, PATIENCE_MS, next.run);
      await pass(10);
      expect(next.runs()).toBe(1);
      next.finish('free');
      expect(await after).toBe('free');
    });

    test('answers what the task answers, and rejects with its very error', async ({ tabs: [one], pass }) => {
      const name = freshName();
      const value = { its: 'own' };
      const good = one.run(name, PATIENCE_MS, async () => value);
      await pass(10);
      expect((await good) === value).toBe(true);
      const error = new Error('its own');
      const bad = rejectionOf(one.run(name, PATIENCE_MS, async () => Promise.reject(error)));
      await pass(10);
      expect((await bad) === error).toBe(true);
    });
  });
}
