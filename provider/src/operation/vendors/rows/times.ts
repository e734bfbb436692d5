/** `2024-01-31T12:00:00.123Z`, or as PostgreSQL and MySQL write it: `2024-01-31 12:00:00.123456+00`. */
const STAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?(?::\d\d)?))?)?$/iu;
const NUMBER = /^-?\d{1,17}(?:\.\d+)?$/u;
/** Smaller numbers are seconds since 1970, larger ones milliseconds or microseconds: the borders are in 1973 and in the year 5138. */
const LEAST_MILLISECONDS = 100_000_000_000;
const LEAST_MICROSECONDS = 100_000_000_000_000;
/** The year 1 of Go, which stands for no time. */
const NO_TIME = '0001-01-01';

function ofNumber(count: number): number {
  const size = Math.abs(count);
  if (size < LEAST_MILLISECONDS) return count * 1000;
  return size < LEAST_MICROSECONDS ? count : Math.floor(count / 1000);
}

/** `+05`, `+0530` or `+05:30` as ISO 8601 has it. A time without a zone is in UTC. */
function isoZone(zone: string | undefined): string {
  if (zone === undefined || /^(?:Z|UTC)$/iu.test(zone)) return 'Z';
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d)(?::?(\d\d))?/u.exec(zone) ?? [];
  return `${sign}${hours}:${minutes}`;
}

/**
 * The time of a text or number in milliseconds; null for the texts that stand for none, and undefined for what is no time. `infinity` of
 * PostgreSQL is later than every time.
 */
export function timeOf(time: string | number): number | null | undefined {
  if (typeof time === 'number') return Number.isFinite(time) ? ofNumber(time) : undefined;
  const value = time.trim();
  if (/^-?infinity$/iu.test(value)) return value.startsWith('-') ? null : Number.POSITIVE_INFINITY;
  if (NUMBER.test(value)) return ofNumber(Number(value));
  const [, day, clock = '00:00:00', fraction = '0', zone] = STAMP.exec(value) ?? [];
  if (day === undefined) return undefined;
  if (day === NO_TIME || day === '0000-00-00') return null;
  // A day that its month lacks would be one of the next month.
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, day.length) !== day) return undefined;
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const milliseconds = Date.parse(`${day}T${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${isoZone(zone)}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
