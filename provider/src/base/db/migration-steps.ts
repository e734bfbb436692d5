import { CompiledQuery, sql } from 'kysely';
import type { Db } from './database.ts';
import type { MigrationStep } from './migration.ts';

/** The progress of migrations with steps. The table exists only until they are complete. */
const PROGRESS = 'migration_steps';

/** The rows per batch. There are fewer if a batch takes long, so that no row is locked for longer than a request waits. */
const MOST_ROWS = 5_000;
const LONG_MS = 500;

interface Progress {
  readonly step: number;
  readonly cursor: string;
}

export class MigrationSteps {
  private rows = MOST_ROWS;

  constructor(
    /** The name of the migration, because a newer version may begin another one before this one is complete. */
    private readonly name: string,
    private readonly steps: readonly MigrationStep[],
  ) {}

  /**
   * Runs the next step or batch, and stores its progress in the same transaction.
   *
   * @returns whether the migration is complete
   */
  async next(tx: Db): Promise<boolean> {
    const table = sql.table(PROGRESS);
    await sql`create table if not exists ${table} (name text not null, step integer not null, cursor text not null)`.execute(
      tx,
    );
    const { name } = this;
    const { rows } = await sql<Progress>`select step, cursor from ${table} where name = ${name}`.execute(tx);
    const { step: place, cursor } = rows[0] ?? { step: 0, cursor: '' };
    const step = this.steps[place];
    const after = step === undefined ? null : await this.run(tx, step, cursor);
    const reached: Progress = after === null ? { step: place + 1, cursor: '' } : { step: place, cursor: after };
    await sql`delete from ${table} where name = ${name}`.execute(tx);
    if (reached.step >= this.steps.length) {
      const { rows: others } = await sql`select 1 from ${table} limit 1`.execute(tx);
      if (others.length === 0) await sql`drop table ${table}`.execute(tx);
      return true;
    }
    await sql`insert into ${table} (name, step, cursor) values (${name}, ${reached.step}, ${reached.cursor})`.execute(
      tx,
    );
    return false;
  }

  /** @returns the cursor after the batch; null if the step is complete */
  private async run(tx: Db, step: MigrationStep, cursor: string): Promise<string | null> {
    if (!('backFill' in step)) {
      for (const statement of step) await sql.raw(statement).execute(tx);
      return null;
    }
    const began = performance.now();
    const { rows } = await tx.executeQuery<{ readonly cursor: string | null }>(
      CompiledQuery.raw(step.backFill, [cursor, this.rows]),
    );
    const isLong = performance.now() - began > LONG_MS;
    this.rows = isLong ? Math.max(1, Math.floor(this.rows / 2)) : Math.min(MOST_ROWS, this.rows * 2);
    return rows[0]?.cursor ?? null;
  }
}
