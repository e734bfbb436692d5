import { describe, expect, it } from 'vitest';
import { outsideLine, WorkLine } from '#provider/base/security/work-line.ts';

/** A promise, and what fulfils it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a queue for work of this machine', () => {
  it('lends the slot of a task that waits for another server, which then comes before new ones', async () => {
    const line = new WorkLine(1, 9);
    const begun: string[] = [];
    const [answer, inside] = [gate(), gate()];
    const first = line.run(async () => {
      await outsideLine(() => answer.opened);
      begun.push('first');
    });
    const second = line.run(async () => {
      begun.push('second');
      await inside.opened;
    });
    const third = line.run(async () => void begun.push('third'));
    await tick();
    expect(begun).toEqual(['second']);
    answer.open();
    await tick();
    expect([begun, line.running, line.queued]).toEqual([['second'], 1, 2]);
    inside.open();
    await Promise.all([first, second, third]);
    expect([begun, line.running, line.queued]).toEqual([['second', 'first', 'third'], 0, 0]);
  });

  it('never refuses a task that comes back, however long the queue is', async () => {
    const line = new WorkLine(1, 1);
    const [answer, inside] = [gate(), gate()];
    const outside: Promise<void>[] = [];
    for (let index = 0; index < 5; index += 1) {
      outside.push(line.run(() => outsideLine(() => answer.opened)));
      await tick();
    }
    const running = line.run(() => inside.opened);
    const waiting = line.run(() => Promise.resolve('waited'));
    answer.open();
    await tick();
    await expect(line.run(() => Promise.resolve())).rejects.toMatchObject({ type: 'service_unavailable' });
    inside.open();
    await Promise.all([...outside, running]);
    expect([await waiting, line.running, line.queued]).toEqual(['waited', 0, 0]);
  });

  it('gives a network no more slots for tasks that come back', async () => {
    const line = new WorkLine(4, 9, undefined, 2);
    const [answer, end] = [gate(), gate()];
    let most = 0;
    const peer = { wide: 'a', narrow: 'a' };
    const tasks = Array.from({ length: 6 }, () =>
      line.run(async () => {
        await outsideLine(() => answer.opened);
        most = Math.max(most, line.running);
        await end.opened;
      }, peer),
    );
    await tick();
    answer.open();
    await tick();
    end.open();
    await Promise.all(tasks);
    expect([most, line.running]).toEqual([2, 0]);
  });

  it('loses no slot to a task with several waits, a failed one, or one that it does not wait for', async () => {
    const line = new WorkLine(1, 9);
    const [one, other, late] = [gate(), gate(), gate()];
    let left: Promise<void> | undefined;
    const task = line.run(async () => {
      await Promise.all([outsideLine(() => one.opened), outsideLine(() => outsideLine(() => other.opened))]);
      await expect(outsideLine(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
      left = outsideLine(() => late.opened);
    });
    await tick();
    expect(line.running).toBe(0);
    one.open();
    await tick();
    expect(line.running).toBe(0);
    other.open();
    await task;
    expect(line.running).toBe(0);
    late.open();
    await left;
    expect(line.running).toBe(0);
    expect(await line.run(() => Promise.resolve('free'))).toBe('free');
  });
});
