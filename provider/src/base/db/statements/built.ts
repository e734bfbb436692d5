import type { CompiledQuery } from 'kysely';
import type { Db } from '../database.ts';

/** Takes the place of an argument while the statement is built. */
class Argument {
  constructor(readonly place: number) {}
}

interface Buildable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * A statement whose text is built only at its first use: building takes longer than sending, and the most frequent requests always send the
 * same text. `build` must put each argument into the statement as a value, and must not make decisions by it.
 */
export function builtOnce<Args extends readonly unknown[], Row>(
  count: Args['length'],
  build: (db: Db, ...args: Args) => Buildable<Row>,
): (db: Db, ...args: Args) => Promise<readonly Row[]> {
  let built: CompiledQuery<Row> | null = null;
  return async (db, ...args) => {
    built ??= build(
      db,
      ...(Array.from({ length: count }, (_, place) => new Argument(place)) as unknown as Args),
    ).compile();
    const parameters = built.parameters.map((value) => (value instanceof Argument ? args[value.place] : value));
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}
