import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/infrastructure/fake/virtual-clock.ts';
import { UsedProofsInMemory } from '../../src/infrastructure/server/used-proofs-in-memory.ts';
import { usedProofsContract } from './used-proofs.contract.ts';

const MINUTE = 60_000;

usedProofsContract({ describe, it, expect }, 'UsedProofsInMemory', () => {
  const clock = new VirtualClock();
  const memory = new UsedProofsInMemory(clock);
  return { here: memory, elsewhere: memory, now: () => clock.now() };
});

describe('UsedProofsInMemory', () => {
  it('forgets what is over, and beyond its limit the oldest', async () => {
    const clock = new VirtualClock();
    const memory = new UsedProofsInMemory(clock, 3);
    const add = (id: string) => memory.add(id, clock.now() + 6 * MINUTE);
    expect(['a', 'b', 'c', 'a'].map(add)).toEqual([true, true, true, false]);
    expect(['d', 'b', 'c', 'd'].map(add)).toEqual([true, false, false, false]);
    expect(add('a')).toBe(true);
    await clock.advance(6 * MINUTE);
    expect(['a', 'b', 'c', 'd'].map(add)).toEqual([true, true, true, true]);
  });
});
