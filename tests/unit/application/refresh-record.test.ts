import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../src/application/session/refresh-record.ts';

describe('backoff', () => {
  it.each([
    [0, 2_000],
    [1, 4_000],
    [3, 16_000],
    [7, 256_000],
    [8, 256_000],
    [1000, 256_000],
  ])('waits after attempt %i about %i ms, with jitter from -175 to +174', (attempt, base) => {
    expect(backoffMs(attempt, 0)).toBe(base - 175);
    expect(backoffMs(attempt, 0.999999)).toBe(base + 174);
    expect(backoffMs(attempt, 0.5)).toBe(base);
  });

  it('never waits less than the server asked', () => {
    expect(backoffMs(0, 0.5, 30_000)).toBe(30_000);
    expect(backoffMs(5, 0.5, 30_000)).toBe(64_000);
  });
});
