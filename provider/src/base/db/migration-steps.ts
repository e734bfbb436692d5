import { CompiledQuery, sql } from 'kysely';
import type { Db } from './database.ts';
import type { MigrationStep } from './migration.ts';

/** How far a migration came that is made of steps. The table is there only until that migration is complete. */
const PROGRESS = 'migration_steps';

/** The rows of a batch: fewer when one takes long, so that a row is locked for less than a request waits. */
const MOST_ROWS = 5_000;
const LONG_MS = 500;

interface Progress {
  readonly step: number;
  readonly cursor: string;
}

export class MigrationSteps {
  private rows = MOST_ROWS;

  constructor(private readonly steps: readonly MigrationStep[]) {}

  /**
   * Runs the next step or batch, and stores in the same transaction how far it came.
   *
   * @returns whether the migration is complete
   */
  async next(tx: Db): Promise<boolean> {
    await sql`create table if not exists ${sql.table(PROGRESS)} (step integer not null, cursor text not null)`.execute(
      tx,
    );
    const { rows } = await sql<Progress>`select step, cursor from ${sql.table(PROGRESS)}`.execute(tx);
    const { step: place, cursor } = rows[0] ?? { step: 0, cursor: '' };
    const step = this.steps[place];
    const after = step === undefined ? null : await this.run(tx, step, cursor);
    const reached: Progress = after === null ? { step: place + 1, cursor: '' } : { step: place, cursor: after };
    if (reached.step >= this.steps.length) {
      await sql`drop table ${sql.table(PROGRESS)}`.execute(tx);
      return true;
    }
    await sql`delete from ${sql.table(PROGRESS)}`.execute(tx);
    await sql`insert into ${sql.table(PROGRESS)} (step, cursor) values (${reached.step}, ${reached.cursor})`.execute(
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
