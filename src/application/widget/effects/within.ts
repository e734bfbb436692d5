import type { ClockPort } from '../../ports/index.ts';

/** What the work brings; null when it has not after `ms`, or cannot. */
export async function within<T>(clock: ClockPort, ms: number, work: () => Promise<T>): Promise<T | null> {
  let stop = (): void => undefined;
  const late = new Promise<null>((resolve) => {
    stop = clock.after(ms, () => resolve(null));
  });
  try {
    return await Promise.race([work(), late]);
  } catch {
    return null;
  } finally {
    stop();
  }
}
