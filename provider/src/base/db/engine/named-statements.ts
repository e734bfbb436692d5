import { createHash } from 'node:crypto';
import { sqlState } from '../database-errors.ts';

/** The text of a statement and, if it has one, the name under which a connection keeps it prepared. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** Texts differ with the length of a list. The number is limited, because each connection keeps all of them. */
const MAX_NAMED = 400;
/** A statement gets its name at its second use, so that statements that run once do not use up the names. */
const SEEN_BEFORE = 1;
/** `start transaction`, `commit` and the like are neither planned nor parameterized. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/iu;

const UNKNOWN_STATEMENT = '26000';
const DUPLICATE_STATEMENT = '42P05';
const FEATURE_NOT_SUPPORTED = '0A000';

/**
 * Names for prepared statements. PostgreSQL plans a named statement once per connection; planning takes several times as long as executing.
 *
 * A pooler that gives each transaction another connection, and does not support prepared statements (PgBouncer before 1.21, or with
 * `max_prepared_statements=0`), answers that a name is unknown or exists already. After that, statements have no names. The names contain a
 * hash of the text, so a name can never refer to another statement.
 */
export class NamedStatements {
  private readonly uses = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private enabled: boolean;
  private epoch = 0;

  constructor(enabled = true) {
    this.enabled = enabled;
  }

  statement(text: string): Statement {
    if (!this.enabled) return { text };
    const currentName = this.names.get(text);
    if (currentName !== undefined) return { text, name: currentName };
    if (this.names.size >= MAX_NAMED || !PLANNED.test(text)) return { text };
    const uses = this.uses.get(text) ?? 0;
    if (uses < SEEN_BEFORE) {
      if (this.uses.size >= MAX_NAMED) this.uses.clear();
      this.uses.set(text, uses + 1);
      return { text };
    }
    this.uses.delete(text);
    const name = `${this.prefix}${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`;
    this.names.set(text, name);
    return { text, name };
  }

  private get prefix(): string {
    return `p${this.epoch}_`;
  }

  /**
   * Learns from the error of a named statement. True if the name caused it: then nothing was executed, and the same statement succeeds if
   * it is tried again, in a new transaction if it was in one.
   */
  failed({ name }: Statement, error: unknown): boolean {
    if (name === undefined || !isAboutName(error)) return false;
    // After a change of the schema, a prepared `select *` must be prepared again under another name.
    const isCurrent = this.enabled && name.startsWith(this.prefix);
    if (sqlState(error) !== FEATURE_NOT_SUPPORTED) this.enabled = false;
    else if (isCurrent) this.epoch += 1;
    if (isCurrent) this.names.clear();
    return true;
  }
}

/** Whether the error is about the name of a prepared statement, not about the statement itself. */
export function isAboutName(error: unknown): boolean {
  const state = sqlState(error);
  if (state === UNKNOWN_STATEMENT || state === DUPLICATE_STATEMENT) return true;
  return state === FEATURE_NOT_SUPPORTED && /cached plan/iu.test(error instanceof Error ? error.message : '');
}
