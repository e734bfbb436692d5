import { describe, expect, it } from 'vitest';
import { backoffMs, RefreshRecord } from '#application/session/refresh-record.ts';
import { ClientKeys } from '#application/wire/client-keys.ts';
import { StorageBus } from '#kit/ports/memory-storage.ts';

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

describe('the claim of the tab that refreshes', () => {
  const keys = new ClientKeys('token');
  const open = () => {
    const bus = new StorageBus();
    const tabs = [bus.tab(), bus.tab()] as const;
    const claim = (): string | null => tabs[0].get(keys.storage('refresh_claim'));
    return { claim, records: [new RefreshRecord(tabs[0], keys), new RefreshRecord(tabs[1], keys)] as const };
  };

  it('ends with its attempt', () => {
    const { claim, records } = open();
    records[0].begin(1_000, 8_000, 0.5);
    expect(records[1].beingAskedMs(2_000, 8_000)).toBeCloseTo(7_032);
    records[0].succeeded(2_000);
    expect(claim()).toBeNull();
  });

  it('of another tab outlasts the attempt and the withdrawal of the tab before', () => {
    const { claim, records } = open();
    records[0].begin(1_000, 8_000, 0.5);
    records[1].begin(9_100, 8_000, 0.25);
    const second = claim();
    records[0].succeeded(9_200);
    records[0].withdraw(9_200);
    expect(claim()).toBe(second);
    expect([records[0].isReplaced(), records[1].isReplaced()]).toEqual([true, false]);
  });

  it('stays when it has run out, because another tab that cannot be read yet may have replaced it', () => {
    const { claim, records } = open();
    records[0].begin(1_000, 8_000, 0);
    records[0].succeeded(8_900);
    expect(claim()).toBe('9000');
    expect(records[0].isReplaced()).toBe(false);
  });

  it('is replaced as well when the other tab has ended its attempt, but not when the data of the site was deleted', () => {
    const { records } = open();
    records[0].begin(1_000, 8_000, 0.5);
    records[1].begin(9_100, 8_000, 0.25);
    records[1].failed(9_500, 1, 0.5, null);
    expect([records[0].isReplaced(), records[0].hasSucceeded()]).toEqual([true, false]);
    records[1].succeeded(9_800);
    expect([records[0].isReplaced(), records[0].hasSucceeded()]).toEqual([true, true]);
    const alone = new RefreshRecord(new StorageBus().tab(), keys);
    expect([alone.isReplaced(), alone.hasSucceeded()]).toEqual([false, false]);
  });
});
