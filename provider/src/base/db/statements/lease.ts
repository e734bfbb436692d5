import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A job that only one process at a time does. */
interface LeasesTable {
  name: string;
  /** A random id of the process that holds the lease. */
  holder: string;
  /** Measured by the clock of the database. */
  held_until: Date;
}

interface LeaseTables {
  leases: LeasesTable;
}

declare module '../database.ts' {
  interface Database extends LeaseTables {}
}

/** After a crash, another process takes over after this time. */
const LASTS_SECONDS = 60;
const RENEWED_AFTER_MS = 10_000;

/** The right to a job that only one process at a time does. */
export class Lease {
  private readonly holder = randomUUID();
  private renewedAt = Number.NEGATIVE_INFINITY;
  /** Statements run one after another, so that none extends the lease after its release. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param renewedAfterMs how long `hold` relies on the last answer of the database */
  constructor(
    private readonly db: Db,
    private readonly name: string,
    private readonly renewedAfterMs = RENEWED_AFTER_MS,
  ) {}

  /** Takes the lease, or extends it. False while another process holds it. */
  hold(): Promise<boolean> {
    return this.next(() => this.take());
  }

  /** Lets another process take it immediately. */
  release(): Promise<void> {
    return this.next(async () => {
      this.renewedAt = Number.NEGATIVE_INFINITY;
      await this.db.deleteFrom('leases').where('name', '=', this.name).where('holder', '=', this.holder).execute();
    });
  }

  private next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private async take(): Promise<boolean> {
    const now = performance.now();
    if (now - this.renewedAt < this.renewedAfterMs) return true;
    const { rows } = await sql`insert into leases (name, holder, held_until)
      values (${this.name}, ${this.holder}, clock_timestamp() + make_interval(secs => ${sql.lit(LASTS_SECONDS)}))
      on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
        where leases.holder = excluded.holder or leases.held_until < clock_timestamp()
      returning name`.execute(this.db);
    if (rows.length === 0) return false;
    this.renewedAt = now;
    return true;
  }
}
