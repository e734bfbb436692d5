import { describe, expect, it } from 'vitest';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { UsedProofsInMemory } from '#infrastructure/server/used-proofs-in-memory.ts';
import { usedProofsContract } from './used-proofs.contract.ts';

const MINUTE = 60_000;

usedProofsContract({ describe, it, expect }, 'UsedProofsInMemory', () => {
  const clock = new VirtualClock();
  const memory = new UsedProofsInMemory(clock);
  return { here: memory, elsewhere: memory, now: () => clock.now() };
});

describe('UsedProofsInMemory', () => {
  it('T227: forgets what is over alone: when it is full it takes no other proof, and a copied one stays used', async () => {
    const clock = new VirtualClock();
    const memory = new UsedProofsInMemory(clock, 3);
    const add = (id: string) => memory.add(id, clock.now() + 6 * MINUTE);
    expect(['a', 'b', 'c', 'a'].map(add)).toEqual([true, true, true, false]);
    for (const id of ['d', 'e', 'f']) expect(() => add(id)).toThrow('More than 3 proofs');
    expect(['a', 'b', 'c'].map(add)).toEqual([false, false, false]);
    await clock.advance(6 * MINUTE);
    expect(['a', 'b', 'd'].map(add)).toEqual([true, true, true]);
  });
});
