import type { ClockPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface ClockHarness extends Disposable {
  readonly clock: ClockPort;
  /** Lets time pass; what falls due has run when it resolves. */
  readonly pass: (ms: number) => Promise<void>;
  /** True when a pending wait would keep a process from ending. */
  readonly keepsAlive: () => boolean;
}

const DAY_MS = 24 * 3600 * 1000;
const YEAR_2020 = Date.UTC(2020, 0, 1);
const YEAR_2200 = Date.UTC(2200, 0, 1);

/** The contract of ClockPort. */
export function clockContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => ClockHarness | Promise<ClockHarness>,
): void {
  const { expect } = runner;
  suite(runner, `ClockPort: ${name}`, makeHarness, (test) => {
    test('reports milliseconds since 1970', async ({ clock, pass }) => {
      const start = clock.now();
      expect(start > YEAR_2020 && start < YEAR_2200).toBe(true);
      await pass(1_000);
      expect(clock.now() - start >= 1_000).toBe(true);
    });

    test('runs a task once, when its time has come and not before', async ({ clock, pass }) => {
      const due = clock.now() + 500;
      const ran: number[] = [];
      clock.after(500, () => ran.push(clock.now()));
      await pass(400);
      expect(ran.length).toBe(0);
      await pass(100);
      expect(ran.map((at) => at >= due)).toEqual([true]);
      await pass(5_000);
      expect(ran.length).toBe(1);
    });

    test('runs no task synchronously, not even one that is due', async ({ clock, pass }) => {
      const ran: string[] = [];
      for (const ms of [0, -1, Number.NaN]) clock.after(ms, () => ran.push('ran'));
      expect(ran.length).toBe(0);
      await pass(10);
      expect(ran.length).toBe(3);
    });

    test('runs tasks in the order in which they fall due', async ({ clock, pass }) => {
      const ran: string[] = [];
      clock.after(300, () => ran.push('last'));
      clock.after(100, () => ran.push('first'));
      clock.after(200, () => clock.after(50, () => ran.push('chained')));
      await pass(1_000);
      expect(ran).toEqual(['first', 'chained', 'last']);
    });

    test('keeps a wait of any length', async ({ clock, pass }) => {
      let runs = 0;
      clock.after(60 * DAY_MS, () => (runs += 1));
      await pass(59 * DAY_MS);
      expect(runs).toBe(0);
      await pass(DAY_MS);
      expect(runs).toBe(1);
    });

    test('lets a wait be called off, and called off twice', async ({ clock, pass }) => {
      let runs = 0;
      const short = clock.after(100, () => (runs += 1));
      const long = clock.after(60 * DAY_MS, () => (runs += 1));
      short();
      short();
      await pass(30 * DAY_MS);
      long();
      long();
      await pass(60 * DAY_MS);
      expect(runs).toBe(0);
    });

    test('lets a wait be called off after it ran, to no effect on others', async ({ clock, pass }) => {
      let runs = 0;
      const stop = clock.after(100, () => (runs += 1));
      clock.after(300, () => (runs += 1));
      await pass(200);
      stop();
      await pass(200);
      expect(runs).toBe(2);
    });

    test('keeps no process alive', async ({ clock, pass, keepsAlive }) => {
      const stop = clock.after(60 * DAY_MS, () => undefined);
      expect(keepsAlive()).toBe(false);
      await pass(40 * DAY_MS);
      expect(keepsAlive()).toBe(false);
      stop();
    });
  });
}
