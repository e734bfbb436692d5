/** When the background refresh runs (specification, sections 4 and 9). All times are milliseconds. */

export const REFRESH_INTERVAL_MS = 180_000;

const BACKOFF_BASE_MS = 2_000;
const MAX_EXPONENT = 7;
const JITTER_WIDTH_MS = 350;

/**
 * How long to wait after failed attempt number `attempt` (the first is 0), in milliseconds: 2000 * 2 ** min(attempt, 7), with
 * jitter from -175 to +174.
 *
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 * @param retryAfterMs the server's `Retry-After`: a lower bound
 */
export function backoffMs(attempt: number, random: number, retryAfterMs: number | null = null): number {
  const jitter = Math.floor(random * JITTER_WIDTH_MS) - JITTER_WIDTH_MS / 2;
  const wait = BACKOFF_BASE_MS * 2 ** Math.min(attempt, MAX_EXPONENT) + jitter;
  return Math.max(wait, retryAfterMs ?? 0);
}
