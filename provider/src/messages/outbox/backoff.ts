const FIRST_MS = 2_000;
export const LONGEST_DELAY_MS = 6 * 60 * 60_000;

/** A message is given up after this many attempts, which take more than three days, like those of webhooks. */
export const MOST_ATTEMPTS = 40;

/**
 * The wait after an attempt: twice as long each time, and randomly up to half of it less, so that messages that failed together are not
 * retried together. `asked` is the wait that the receiver requested.
 */
export function delayAfter(attempt: number, afterMs = 0): number {
  const whole = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return Math.max(whole * (1 - Math.random() / 2), Math.min(afterMs, LONGEST_DELAY_MS));
}
