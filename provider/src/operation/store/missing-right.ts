import { sqlState } from '#provider/base/db/database-errors.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** SQLSTATE: the role may not do this. */
const NOT_PERMITTED = '42501';

/** The rights that the servers' role needs, by the kind of object that the database names. */
const RIGHTS: ReadonlyMap<string, string> = new Map([
  ['table', 'select, insert, update, delete'],
  ['sequence', 'usage'],
  ['schema', 'usage'],
  ['function', 'execute'],
]);

const SECTION = 'See docs/several-machines.md of the package portico, "A separate role for the schema".';

/** Describes the right that a role lacks, and where its grants are documented; null for any other error. */
export function missingRight(error: unknown): UsageError | null {
  if (sqlState(error) !== NOT_PERMITTED || !(error instanceof Error)) return null;
  // The message has only names of the schema. It is in the database's language, so the rest must not depend on it.
  const { message } = error;
  const [, kind = '', name = ''] = /^permission denied for (\w+) (\w+)/u.exec(message) ?? [];
  const rights = RIGHTS.get(kind);
  const needed = rights === undefined ? '' : `A server's role needs ${rights} on ${kind} ${name}. `;
  const changes = 'Only the owner of the tables changes the schema, by portico-provider migrate. ';
  return new UsageError(`The database's role may not do this: ${message}. ${needed}${changes}${SECTION}`);
}
