/** A change of many rows in batches, each in its own transaction, so that no row is locked for long. */
export interface BackFill {
  /**
   * Changes at most `$2` rows after the cursor `$1`, in the order of a unique key, and selects the last key as `cursor`, a string; null if
   * no row is left. The first cursor is an empty string.
   */
  readonly backFill: string;
}

/** The statements of one transaction, or a change of many rows. */
export type MigrationStep = readonly string[] | BackFill;

/** Steps that are committed one by one. After an interruption the next process continues with the next step, or the next row. */
export interface StepwiseMigration {
  readonly steps: readonly MigrationStep[];
}

/** The statements of one transaction, or those that build indexes without blocking writes, or steps. */
export type Migration = readonly string[] | StepwiseMigration;

export type Migrations = Readonly<Record<string, Migration>>;

export function isStepwise(migration: Migration): migration is StepwiseMigration {
  return 'steps' in migration;
}

/** All statements of a migration, in order. */
export function statementsOf(migration: Migration): readonly string[] {
  if (!isStepwise(migration)) return migration;
  return migration.steps.flatMap((step) => ('backFill' in step ? [step.backFill] : step));
}
