/** At most `max` in any `windowMs`. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** The fixed window that contains a time, and how much of the previous one still counts. */
export interface RateWindow {
  readonly start: number;
  readonly before: number;
  readonly inView: number;
  /** When the window is over. */
  readonly waitMs: number;
}

export function windowAt(now: number, { windowMs }: Limit): RateWindow {
  const start = Math.floor(now / windowMs) * windowMs;
  return { start, before: start - windowMs, inView: 1 - (now - start) / windowMs, waitMs: start + windowMs - now };
}
