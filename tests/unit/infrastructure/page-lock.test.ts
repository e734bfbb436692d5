import { describe, expect, it } from 'vitest';
import { PageLock } from '#infrastructure/browser/page-lock.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

describe('PageLock', () => {
  it('serves in the order of asking', async () => {
    const lock = new PageLock(new VirtualClock());
    const order: number[] = [];
    await Promise.all([1, 2, 3].map(async (turn) => lock.run('n', 1_000, async () => void order.push(turn))));
    expect(order).toEqual([1, 2, 3]);
  });

  it('leaves no wait behind', async () => {
    const clock = new VirtualClock();
    const lock = new PageLock(clock);
    await Promise.all([1, 2, 3].map(async () => lock.run('n', 1_000, async () => undefined)));
    expect(clock.pending).toBe(0);
  });

  it('lets a rejection through and the next one in', async () => {
    const lock = new PageLock(new VirtualClock());
    const first = lock.run('n', 1_000, async () => Promise.reject(new Error('no')));
    const second = lock.run('n', 1_000, async () => 'in');
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('in');
  });

  it('limits each wait by its own time-out behind a task that never ends', async () => {
    const clock = new VirtualClock();
    const lock = new PageLock(clock);
    void lock.run('n', 1_000, async () => new Promise(() => undefined));
    const ran: number[] = [];
    for (const patience of [3_000, 1_000, 2_000]) void lock.run('n', patience, async () => void ran.push(patience));
    await clock.advance(999);
    expect(ran).toEqual([]);
    await clock.advance(2_001);
    expect(ran).toEqual([1_000, 2_000, 3_000]);
  });
});
