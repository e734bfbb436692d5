import { describe, expect, it } from 'vitest';
import { ShiftedClock } from '#application/inspector/shifted-clock.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

function moved(ms: number) {
  const clock = new VirtualClock(0);
  const shifted = new ShiftedClock(clock);
  shifted.move(ms);
  return { clock, shifted };
}

describe('a clock that the inspector moves', () => {
  it('ends a wait that has come due, and shortens the others', async () => {
    const { clock, shifted } = moved(1_000);
    const ended: string[] = [];
    clock.after(60_000, () => ended.push('a minute'));
    clock.after(600_000, () => ended.push('ten minutes'));
    const cancel = clock.after(60_000, () => ended.push('cancelled'));
    shifted.move(120_000);
    cancel();
    await clock.wake();
    expect(ended).toEqual(['a minute']);
    await clock.advance(480_000);
    expect(ended).toEqual(['a minute', 'ten minutes']);
    expect(clock.pending).toBe(0);
  });

  it('lets waits keep their length when it is set back', async () => {
    const { clock, shifted } = moved(0);
    let isOver = false;
    clock.after(1_000, () => (isOver = true));
    shifted.move(-60_000);
    expect(clock.now()).toBe(-60_000);
    await clock.advance(1_000);
    expect(isOver).toBe(true);
  });

  it('refuses a frozen clock, and leaves it alone', () => {
    const clock = Object.freeze({ now: () => 1, after: () => () => undefined });
    expect(() => new ShiftedClock(clock).move(1)).toThrow(TypeError);
    expect(clock.now()).toBe(1);
  });
});
