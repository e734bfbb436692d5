import type { ClockPort } from './index.ts';

/** The answer, or null when it takes longer than `ms` or is a rejection. */
export async function atMost<T>(clock: ClockPort, ms: number, work: () => Promise<T>): Promise<T | null> {
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
