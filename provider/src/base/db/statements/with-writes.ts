import type { Expression, OperationNodeSource, QueryCreator } from 'kysely';
import type { Database } from '../database.ts';

/** An insert, update or delete whose result does not matter. */
export type WriteStatement = OperationNodeSource;

/**
 * Begins a statement that also makes these writes, so that they cost no round trips. All parts see the database as it was before the
 * statement, and run in no particular order. So none may read or change a row that another one writes.
 */
export function withWrites(db: QueryCreator<Database>, writes: readonly WriteStatement[]): QueryCreator<Database> {
  let beginning = db;
  for (const [place, write] of writes.entries()) {
    // Hides the new parts from the type, because the rest of the statement must not read them as tables.
    const more: unknown = beginning.with(`write_${place}`, () => write as Expression<object>);
    beginning = more as QueryCreator<Database>;
  }
  return beginning;
}
