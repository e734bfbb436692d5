import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { STATE_KEY, TestWorld } from './world.ts';

const CYCLE_MS = 180_000;

describe('the lock of the tab that refreshes', () => {
  it('is free at once after a failure, because a timer of a hidden tab can take a minute', async () => {
    const world = new TestWorld();
    await world.signIn(world.open().client, 'ada@example.com', 60);
    world.transport.answer(sessions.authenticate, () => offline());
    await world.clock.advance(CYCLE_MS);
    expect(world.transport.requestsTo(sessions.authenticate)).toHaveLength(1);
    let isFree = false;
    void world.lock.run(`${STATE_KEY}::refresh`, CYCLE_MS, async () => {
      isFree = true;
    });
    await world.settle();
    expect(isFree).toBe(true);
  });
});
