const FIRST_MS = 2_000;
export const LONGEST_DELAY_MS = 6 * 60 * 60_000;

/** After as many attempts a message is given up: more than three days later, the time that webhooks have. */
export const MOST_ATTEMPTS = 40;

/**
 * The wait after the attempt: twice as long each time, and by chance up to half of it less, so that messages that failed
 * together are not tried together again. `asked` is the wait that the receiver requested.
 */
export function delayAfter(attempt: number, afterMs = 0): number {
  const whole = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return Math.max(whole * (1 - Math.random() / 2), Math.min(afterMs, LONGEST_DELAY_MS));
}
