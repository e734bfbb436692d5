import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** How often counts are written. A crash loses the counts of at most this time. */
const EVERY_MS = 10_000;

interface DayCount extends BrowserFamily {
  readonly day: string;
  readonly step: PasskeyStep;
  hits: number;
}

/** The step counts of one browser family in a period. */
export interface FunnelRow extends BrowserFamily, Readonly<Record<PasskeyStep, number>> {}

/**
 * The passkey steps that this process has counted but not written yet. One statement writes all of them, so that logins need no additional
 * one. At most forty rows per day are waiting: ten families times four steps.
 */
export class FunnelCounts {
  private waiting = new Map<string, DayCount>();
  private timer: NodeJS.Timeout | null = null;
  private last: Promise<void> = Promise.resolve();

  /** @param onError receives the error of a failed periodic write; its counts are written with the next one */
  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** Counts a step on the day of this time in milliseconds, to be written within ten seconds. */
  count(step: PasskeyStep, by: BrowserFamily, at: number): void {
    this.add({ ...by, day: dayOf(at).toISOString(), step, hits: 1 });
    if (this.timer === null) this.writeLater();
  }

  /** Writes all counts so far, after the writes before. */
  write(): Promise<void> {
    const done = this.last.then(() => this.writeAll());
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Writes the remaining counts before the database is closed. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.write();
  }

  private add({ hits, ...counted }: DayCount): void {
    const key = `${counted.day} ${counted.browser} ${counted.mobile} ${counted.step}`;
    const before = this.waiting.get(key)?.hits ?? 0;
    this.waiting.set(key, { ...counted, hits: before + hits });
  }

  private writeLater(): void {
    this.timer = setTimeout(() => {
      this.timer = null;
      this.write().catch((error: unknown) => {
        this.onError(error);
        if (this.timer === null) this.writeLater();
      });
    }, this.everyMs);
    this.timer.unref();
  }

  /** Counts that arrive during the statement are written by the next one, together with the counts of a failed statement. */
  private async writeAll(): Promise<void> {
    const counts = [...this.waiting.values()];
    if (counts.length === 0) return;
    this.waiting = new Map();
    try {
      await addCounts(this.db, counts);
    } catch (error) {
      for (const each of counts) this.add(each);
      throw error;
    }
  }
}

/** All processes change the rows in the same order, because waiting for each other's rows would deadlock. */
async function addCounts(db: Db, counts: readonly DayCount[]): Promise<void> {
  await sql`insert into passkey_funnel (day, browser, mobile, step, hits)
    select * from unnest(${counts.map(({ day }) => day)}::timestamptz[], ${counts.map(({ browser }) => browser)}::text[],
      ${counts.map(({ mobile }) => mobile)}::boolean[], ${counts.map(({ step }) => step)}::text[],
      ${counts.map(({ hits }) => hits)}::bigint[]) as counted (day, browser, mobile, step, hits)
    order by day, browser, mobile, step
    on conflict (day, browser, mobile, step) do update set hits = passkey_funnel.hits + excluded.hits`.execute(db);
}

/**
 * The step counts of the last days, starting with the family with the most logins.
 *
 * @param days whole days in UTC; the last is the day of `now`
 * @param now in milliseconds since 1970
 */
export async function readFunnel(db: Db, days: number, now: number): Promise<readonly FunnelRow[]> {
  const since = new Date(dayOf(now).getTime() - (days - 1) * DAY_MS);
  const of = (step: PasskeyStep) => sql`coalesce(sum(hits) filter (where step = ${sql.lit(step)}), 0)::float8`;
  const { rows } = await sql<FunnelRow>`select browser, mobile, ${of('offered')} as offered, ${of('made')} as made,
      ${of('used')} as used, ${of('failed')} as failed
    from passkey_funnel where day >= ${since}
    group by browser, mobile order by used desc, offered desc, browser, mobile`.execute(db);
  return rows;
}

/** The beginning of the day in UTC. */
function dayOf(at: number): Date {
  return new Date(Math.floor(at / DAY_MS) * DAY_MS);
}
