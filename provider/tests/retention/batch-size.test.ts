import { describe, expect, it } from 'vitest';
import { BatchSize } from '#provider/operation/retention/batch-size.ts';

const SLOW_MS = 60_000;

describe('the size of a batch', () => {
  it('stays at fifty rows where every statement is slow, so that a sweep on a busy machine ends', () => {
    const size = new BatchSize();
    const sizes = Array.from({ length: 6 }, () => {
      size.took(SLOW_MS);
      return size.rows;
    });
    expect(sizes).toEqual([250, 125, 62, 50, 50, 50]);
  });

  it('goes down to a row only where the database cuts statements off', () => {
    const size = new BatchSize(60);
    expect([size.shrink(), size.rows]).toEqual([true, 15]);
    size.took(SLOW_MS);
    expect(size.rows).toBe(15);
    expect([size.shrink(), size.shrink(), size.rows, size.shrink()]).toEqual([true, true, 1, false]);
    size.took(0);
    expect(size.rows).toBe(2);
  });
});
