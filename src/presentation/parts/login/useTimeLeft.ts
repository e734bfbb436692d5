import { useEffect, useReducer } from 'react';
import { timeLeft } from '../../../domain/otp.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** The time until `expiresAt` as `m:ss`; null when it has passed or is 0 (none). Uses absolute time, so it is right after sleep. */
export function useTimeLeft(expiresAt: number): string | null {
  const { clock } = useWidget().model;
  const [, showAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel = (): void => {};
    const wait = (): void => {
      const left = expiresAt - clock.now();
      if (!(left > 0)) return;
      cancel = clock.after(left % 1000 || 1000, () => {
        showAgain();
        wait();
      });
    };
    wait();
    return () => cancel();
  }, [clock, expiresAt]);
  return timeLeft(expiresAt, clock.now());
}
