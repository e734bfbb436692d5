export const DAY_MS = 86_400_000;

/** The units of a time span, longest first, in milliseconds. Months and years are averages. */
const UNITS = [
  ['year', 31_556_952_000],
  ['month', 2_629_746_000],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The time from one moment to another in its largest whole unit, in the form of `Intl.RelativeTimeFormat`. The future counts as now. */
export function elapsed(from: number, now: number): readonly [value: number, unit: Intl.RelativeTimeFormatUnit] {
  const span = now - from;
  const [unit, length] = UNITS.find(([, least]) => span >= least) ?? ['second', Infinity];
  return [-Math.max(0, Math.floor(span / length)), unit];
}

/** The time from one moment to another in words: "now", "2 hours ago", "1 day ago". Not "yesterday": a day can span two dates. */
export function ago(from: number, now: number, language: string): string {
  const [value, unit] = elapsed(from, now);
  return new Intl.RelativeTimeFormat(language, { numeric: unit === 'second' ? 'auto' : 'always' }).format(value, unit);
}
