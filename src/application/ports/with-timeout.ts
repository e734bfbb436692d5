import type { ClockPort } from './clock.port.ts';

/** Resolves with the result of the work, or null when it rejects or takes longer than `ms`. */
export async function withTimeout<T>(clock: ClockPort, ms: number, work: () => Promise<T>): Promise<T | null> {
  let stop = (): void => undefined;
  const expired = new Promise<null>((resolve) => {
    stop = clock.after(ms, () => resolve(null));
  });
  try {
    return await Promise.race([work(), expired]);
  } catch {
    return null;
  } finally {
    stop();
  }
}
