import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import type { SessionRow } from '../tables.ts';

/** How often uses are written. A crash loses the uses of at most this time. */
const EVERY_MS = 10_000;
/** Rows of one statement: well below the time limit of a statement. */
const PER_STATEMENT = 500;
/** The most sessions that wait: beyond that, uses are written immediately. */
const MOST = 10_000;

interface Use {
  readonly user_id: string;
  readonly at: Date;
}

/**
 * The last uses of sessions that this process has not written yet. One statement writes those of many sessions, so that session checks, the
 * most frequent requests, cost no write. Only `last_accessed_at` is written late; an end that a client has received is written immediately.
 */
export class SessionUses {
  private waiting = new Map<string, Use>();
  private timer: NodeJS.Timeout | null = null;
  /** Whether an early write is running because too many uses were waiting. Until it succeeds, no other early write begins. */
  private early = false;
  private last: Promise<void> = Promise.resolve();

  /** @param onError receives the error of a failed periodic write; its uses are written with the next one */
  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** Records the use of a session, to be written within ten seconds. */
  used({ session_id, user_id }: Pick<SessionRow, 'session_id' | 'user_id'>, at: Date): void {
    this.waiting.set(session_id, { user_id, at });
    if (this.waiting.size >= MOST && !this.early) {
      this.early = true;
      this.writeSoon(0);
    } else if (this.timer === null) this.writeSoon(this.everyMs);
  }

  /** Writes the uses of this user's sessions before the sessions are listed. */
  async writeOf(userId: string): Promise<void> {
    const of = [...this.waiting].filter(([, { user_id }]) => user_id === userId);
    if (of.length > 0) await this.next(of);
  }

  /** Writes all uses, including those whose write failed. */
  write(): Promise<void> {
    return this.next([...this.waiting]);
  }

  /** Writes the remaining uses before the database is closed. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.write();
  }

  private writeSoon(milliseconds: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.write().then(
        () => (this.early = false),
        (error: unknown) => {
          this.onError(error);
          if (this.timer === null) this.writeSoon(this.everyMs);
        },
      );
    }, milliseconds);
    this.timer.unref();
  }

  private next(uses: readonly (readonly [string, Use])[]): Promise<void> {
    const done = this.last.then(() => this.writeEach(uses));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async writeEach(uses: readonly (readonly [string, Use])[]): Promise<void> {
    for (let from = 0; from < uses.length; from += PER_STATEMENT) {
      const some = uses.slice(from, from + PER_STATEMENT);
      // oxlint-disable-next-line no-await-in-loop -- one connection at a time
      await writeUses(this.db, some);
      for (const [id, use] of some) if (this.waiting.get(id) === use) this.waiting.delete(id);
    }
  }
}

/**
 * Skips sessions that another statement is changing: that is another use, or the session's end. Waiting for them in another order could
 * deadlock.
 */
async function writeUses(db: Db, uses: readonly (readonly [string, Use])[]): Promise<void> {
  const ids = uses.map(([id]) => id);
  const times = uses.map(([, { at }]) => at.toISOString());
  await sql`with used as (
      select * from unnest(${ids}::text[], ${times}::timestamptz[]) as u (session_id, at)
    ), free as (
      select sessions.session_id, used.at from sessions join used on used.session_id = sessions.session_id
      where sessions.last_accessed_at < used.at order by sessions.session_id for no key update of sessions skip locked
    )
    update sessions set last_accessed_at = free.at from free where sessions.session_id = free.session_id`.execute(db);
}
