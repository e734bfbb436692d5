import { Refusal } from '#domain/rules/refusal.ts';
import { readFunnel, type FunnelRow } from '#provider/accounts/passkeys/funnel-counts.ts';
import type { Services } from '#provider/api/services.ts';

const MOST_DAYS = 365;
const DAYS = 7;

/** The passkey steps in a period. */
export interface Funnel {
  /** Whole days in UTC; the last is today. */
  readonly days: number;
  readonly rows: readonly FunnelRow[];
}

/**
 * Reads the passkey steps, including those that this process has not written yet.
 *
 * @param since a number of days, such as `30d`; absent: a week
 */
export async function listFunnel(
  { db, clock, passkeyCounts }: Pick<Services, 'db' | 'clock' | 'passkeyCounts'>,
  since: string | undefined,
): Promise<Funnel> {
  const days = daysFrom(since);
  await passkeyCounts?.write();
  return { days, rows: await readFunnel(db, days, clock.now()) };
}

function daysFrom(text: string | undefined): number {
  const days = text === undefined ? DAYS : Number(/^(\d{1,3})d$/u.exec(text)?.[1] ?? 0);
  if (days < 1 || days > MOST_DAYS) {
    throw new Refusal('bad_request', `since must be a number of days from 1d to ${MOST_DAYS}d, such as 7d.`);
  }
  return days;
}
