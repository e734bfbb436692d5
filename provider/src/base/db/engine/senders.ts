import type pg from 'pg';
import type { NamedStatements } from './named-statements.ts';
import { SET_TRANSACTION } from './session-settings.ts';
import { canWait } from './stuck-rows.ts';

const BEGIN = /^(?:begin|start transaction)\b/iu;
const END = /^(?:commit|rollback)\b(?! to)/iu;

/** Sends a statement on one connection. */
export type Send = (sql: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>;

/** Sends statements by their names. Within a transaction, an error about a name makes `transaction` repeat all of it. */
export function directSender(client: pg.ClientBase, statements: NamedStatements): Send {
  let inTransaction = false;
  return async (sql, parameters) => {
    if (BEGIN.test(sql)) inTransaction = true;
    if (END.test(sql)) inTransaction = false;
    const statement = statements.statement(sql);
    try {
      return await client.query({ ...statement, values: [...parameters] });
    } catch (error) {
      if (!statements.failed(statement, error) || inTransaction) throw error;
      return client.query(sql, [...parameters]);
    }
  };
}

/** The limits of a transaction, in milliseconds. */
export interface TransactionLimits {
  readonly lockMs: number;
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/**
 * Sends statements through a pooler. A direct connection gets the settings and limits once. Here each transaction sets them, so that they
 * do not affect other clients of the pooler. A single statement that can wait for a lock gets a transaction for that.
 */
export function pooledSender(client: pg.ClientBase, limits: TransactionLimits): Send {
  const setLimits = `set local lock_timeout = ${limits.lockMs}; set local statement_timeout = ${limits.statementMs};
    set local idle_in_transaction_session_timeout = ${limits.idleInTransactionMs}; ${SET_TRANSACTION}`;
  let inTransaction = false;
  const begin = async (sql: string): Promise<pg.QueryResult> => {
    // Several statements in one message. The driver returns one result for each.
    const start = sql === 'begin' ? 'begin isolation level read committed' : sql;
    const results = (await client.query(`${start}; ${setLimits}`)) as unknown as readonly [pg.QueryResult];
    inTransaction = true;
    return results[0];
  };
  const send: Send = async (sql, parameters) => {
    if (BEGIN.test(sql)) return begin(sql);
    if (!inTransaction && canWait(sql)) return alone(sql, parameters);
    const result = await client.query(sql, [...parameters]);
    if (END.test(sql)) inTransaction = false;
    return result;
  };
  const alone: Send = async (sql, parameters) => {
    await begin('begin');
    try {
      const result = await client.query(sql, [...parameters]);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      inTransaction = false;
    }
  };
  return send;
}
