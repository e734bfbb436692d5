import pg from 'pg';
import { canWait } from './stuck-rows.ts';

/** A parameter that no program but this one knows. */
const MARK = 'portico.direct';
const CONNECT_MS = 10_000;

/**
 * Whether a pooler such as PgBouncer is between this process and the database. Then statements of one process use different
 * connections: a prepared statement, a session lock or a `set` of one statement is missing in the next, and stays for others.
 * A pooler refuses or drops the parameter that this sends when it connects; the database itself keeps it.
 */
export async function isPooled(url: string): Promise<boolean> {
  const marked = new URL(url);
  const options = marked.searchParams.get('options') ?? '';
  marked.searchParams.set('options', `${options} -c ${MARK}=1`.trim());
  const client = new pg.Client({ connectionString: marked.href, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ mark: string | null }>(`select current_setting('${MARK}', true) as mark`);
    return rows[0]?.mark !== '1';
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/iu.test(error.message)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const BEGIN = /^(?:begin|start transaction)\b/iu;
const END = /^(?:commit|rollback)$/iu;

export type Send = (sql: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>;

/** The limits of a transaction, in milliseconds. */
export interface TransactionLimits {
  readonly lockMs: number;
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/**
 * Sends statements through a pooler. The limits, which a direct connection gets once, are set within each transaction, where
 * they cannot reach other clients of the pooler. A single statement that can wait for a lock gets a transaction for that.
 */
export function pooledSender(client: pg.ClientBase, limits: TransactionLimits): Send {
  const setLimits = `set local lock_timeout = ${limits.lockMs}; set local statement_timeout = ${limits.statementMs};
    set local idle_in_transaction_session_timeout = ${limits.idleInTransactionMs}`;
  let inTransaction = false;
  const begin = async (sql: string): Promise<pg.QueryResult> => {
    // Several statements in one message; the driver answers with one result for each.
    const results = (await client.query(`${sql}; ${setLimits}`)) as unknown as readonly [pg.QueryResult];
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
