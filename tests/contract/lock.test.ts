import { describe, expect, it } from 'vitest';
import { PageLock } from '#infrastructure/browser/page-lock.ts';
import { WebLocks } from '#infrastructure/browser/web-locks.ts';
import { FakeLock } from '#kit/ports/fake-lock.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { StandInLockManager } from '../unit/infrastructure/support/lock-manager.ts';
import { lockContract, type LockHarness } from './lock.contract.ts';

const runner = { describe, it, expect };

function harness(make: (clock: VirtualClock) => LockHarness['tabs']): LockHarness {
  const clock = new VirtualClock();
  return { tabs: make(clock), pass: async (ms) => clock.advance(ms) };
}

lockContract(runner, 'FakeLock', () =>
  harness((clock) => {
    const lock = new FakeLock(clock);
    return [lock, lock];
  }),
);

lockContract(runner, 'PageLock', () =>
  harness((clock) => {
    const lock = new PageLock(clock);
    return [lock, lock];
  }),
);

lockContract(runner, 'WebLocks on a stand-in of navigator.locks', () =>
  harness((clock) => {
    const locks = new StandInLockManager();
    return [new WebLocks(locks, clock), new WebLocks(locks, clock)];
  }),
);
