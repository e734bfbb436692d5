import type { ClockPort } from './clock.port.ts';

/** What the work brings; null when it takes longer than `ms`, or rejects. */
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
