import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { reportToStderr, type Report } from '../error-log.ts';
import { DatabaseUnavailable, isDatabaseUnavailable, sqlState } from './database-errors.ts';
import { StuckRows } from './stuck-rows.ts';

/** For how long anything is waited for, in milliseconds, and over how many connections. */
export interface DatabasePatience {
  readonly connections: number;
  /** To open a connection. */
  readonly connectMs: number;
  /** For a free connection. */
  readonly acquireMs: number;
  /** For a row that another transaction holds. */
  readonly lockMs: number;
  /** For one statement, by the server's watch. */
  readonly statementMs: number;
  /** For the answer to one statement, by this process's watch: a dead connection answers nothing. */
  readonly replyMs: number;
  /** Between two statements of a transaction, by the server's watch: then it releases what a dead process held. */
  readonly idleInTransactionMs: number;
}

export const DATABASE_PATIENCE: DatabasePatience = {
  connections: 20,
  connectMs: 3_000,
  acquireMs: 5_000,
  lockMs: 2_000,
  statementMs: 4_000,
  replyMs: 5_000,
  idleInTransactionMs: 10_000,
};

const KEEP_ALIVE_MS = 5_000;
/** Not at once again after a wait for a lock in vain. */
const STUCK_ROW_REST_MS = 1_000;
const LOCK_TIMEOUT = '55P03';
/** The server ends the connection, or serves reads alone: the next one may lead to another server. */
const FAREWELL = /^(?:08...|57P0.|25P03|25P04|25006)$/u;

/** PostgreSQL's eight-byte integer: a number here, as in the embedded database. */
const INT8 = pg.types.builtins.INT8;

function connection(url: string): pg.PoolConfig {
  return {
    connectionString: url,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** Connections without time-outs but that of connecting, for migrations: an index on a large table takes its time. */
export function patientPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...connection(url),
    max: 2,
    connectionTimeoutMillis: 2 * DATABASE_PATIENCE.acquireMs,
  });
  listen(pool, reportToStderr);
  return pool;
}

/**
 * Connections that end every wait within seconds. Requests of a server that was restarted, of one that swallows what it
 * is sent, and of a row that somebody holds, are refused as `DatabaseUnavailable`; a connection that failed is never
 * used again.
 */
export class GuardedPool implements PostgresPool {
  readonly options: object = {};
  readonly #pool: pg.Pool;
  readonly #clients = new WeakMap<pg.PoolClient, GuardedClient>();
  readonly #health: Health;

  constructor(url: string, report: Report, patience = DATABASE_PATIENCE) {
    const { connectMs } = patience;
    this.#health = { failedAt: 0, stuck: new StuckRows(patience.lockMs + STUCK_ROW_REST_MS) };
    // The pool knows one time-out for connecting and for waiting; connecting has a shorter one of its own.
    class Client extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionTimeoutMillis: connectMs });
      }
    }
    this.#pool = new pg.Pool({
      ...connection(url),
      Client,
      max: patience.connections,
      connectionTimeoutMillis: patience.acquireMs,
      lock_timeout: patience.lockMs,
      statement_timeout: patience.statementMs,
      query_timeout: patience.replyMs,
      idle_in_transaction_session_timeout: patience.idleInTransactionMs,
    });
    listen(this.#pool, report);
  }

  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause: unknown) => {
        throw new DatabaseUnavailable('No connection to the database.', { cause });
      });
      const guarded = this.#clients.get(client) ?? new GuardedClient(client, this.#health);
      this.#clients.set(client, guarded);
      // Older than the last failure of another one: probably dead as well, and finding out takes seconds.
      if (guarded.answeredAt >= this.#health.failedAt) return guarded;
      client.release(true);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** What all connections of a pool learn from each other. */
interface Health {
  /** When a connection last broke, by `performance.now()`. */
  failedAt: number;
  readonly stuck: StuckRows;
}

class GuardedClient implements PostgresPoolClient {
  answeredAt = performance.now();
  readonly #client: pg.PoolClient;
  readonly #health: Health;
  #broken = false;

  constructor(client: pg.PoolClient, health: Health) {
    this.#client = client;
    this.#health = health;
    client.on('error', () => this.#break());
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(): never;
  async query<R>(sql = '', parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    if (this.#broken) throw new DatabaseUnavailable('The connection broke.');
    const { stuck } = this.#health;
    stuck.check(sql, parameters);
    try {
      const result = await this.#client.query(sql, [...parameters]);
      this.answeredAt = performance.now();
      stuck.remove(sql, parameters);
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (sqlState(error) === LOCK_TIMEOUT) stuck.add(parameters);
      if (!isDatabaseUnavailable(error)) throw error;
      // What the server refused in words leaves the connection whole, unless it was a farewell.
      if (error instanceof pg.DatabaseError && !FAREWELL.test(sqlState(error))) throw error;
      this.#break();
      throw new DatabaseUnavailable('The database did not answer.', { cause: error });
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#broken);
  }

  #break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#health.failedAt = performance.now();
  }
}

/**
 * A connection that breaks says so with an event, idle or in use; without a listener that would end the process. Who
 * uses it learns of it from its statement.
 */
function listen(pool: pg.Pool, report: Report): void {
  pool.on('error', (error) => report(error, { where: 'idle database connection' }));
  pool.on('connect', (client) => client.on('error', () => undefined));
}
