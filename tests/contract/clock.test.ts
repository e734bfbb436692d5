import { describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { clockContract } from './clock.contract.ts';

const runner = { describe, it, expect };

clockContract(runner, 'VirtualClock', () => {
  const clock = new VirtualClock();
  return { clock, pass: async (ms) => clock.advance(ms), keepsAlive: () => false };
});

clockContract(runner, 'SystemClock on Node’s timers, sped up', () => {
  vi.useFakeTimers();
  const timers: NodeJS.Timeout[] = [];
  const clock = new SystemClock({
    Date,
    clearTimeout,
    setTimeout: (task, ms) => {
      const timer = setTimeout(task, ms);
      timers.push(timer);
      return timer;
    },
  });
  return {
    clock,
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    keepsAlive: () => timers.some((timer) => timer.hasRef()),
    dispose: () => void vi.useRealTimers(),
  };
});
