import { describe, expect, it } from 'vitest';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { soakIt } from '../../soak-tests.ts';

describe('VirtualClock', () => {
  it('lets promises settle before the next task runs', async () => {
    const clock = new VirtualClock(0);
    const order: string[] = [];
    clock.after(10, () => {
      void (async () => {
        for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
        order.push(`settled at ${clock.now()}`);
        clock.after(5, () => order.push(`chained at ${clock.now()}`));
      })();
    });
    clock.after(20, () => order.push(`second at ${clock.now()}`));
    await clock.advance(100);
    expect(order).toEqual(['settled at 10', 'chained at 15', 'second at 20']);
    expect([clock.now(), clock.pending]).toEqual([100, 0]);
  });

  it('runs no task during a jump, and all due tasks on waking', async () => {
    const clock = new VirtualClock(0);
    const ran: number[] = [];
    for (const ms of [30, 10, 20, 1_000]) clock.after(ms, () => ran.push(ms));
    clock.jump(500);
    expect([clock.now(), ran]).toEqual([500, []]);
    await clock.wake();
    expect([ran, clock.pending]).toEqual([[10, 20, 30], 1]);
  });

  it('keeps the length of waits when the clock is set back', async () => {
    const clock = new VirtualClock(1_000_000);
    let ranAt = 0;
    clock.after(100, () => (ranAt = clock.now()));
    clock.jump(-500_000);
    await clock.advance(99);
    expect(ranAt).toBe(0);
    await clock.advance(1);
    expect(ranAt).toBe(500_100);
  });

  it('runs tasks of one time in the order in which they began, also those without a wait', async () => {
    const clock = new VirtualClock(1_000);
    const order: string[] = [];
    clock.after(10, () => order.push('first'));
    clock.after(10, () => order.push('second'));
    clock.after(0, () => order.push('at once'));
    clock.after(-5, () => order.push('just as soon'));
    await clock.advance(10);
    expect(order).toEqual(['at once', 'just as soon', 'first', 'second']);
  });

  it('never goes back while it advances', async () => {
    const clock = new VirtualClock(0);
    const times: number[] = [];
    clock.after(10, () => times.push(clock.now()));
    clock.jump(500);
    await clock.wake();
    expect([times, clock.now()]).toEqual([[500], 500]);
    clock.after(5, () => clock.jump(1_000));
    await clock.advance(50);
    expect(clock.now()).toBe(1_505);
  });

  soakIt('passes a day of short waits', async () => {
    const clock = new VirtualClock(0);
    let runs = 0;
    const again = (): void => {
      runs += 1;
      clock.after(1_000, again);
    };
    again();
    await clock.advance(24 * 3600 * 1000);
    expect(runs).toBe(86_401);
  });
});
