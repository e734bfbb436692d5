import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { reportToStderr, type Report } from '../../log/error-log.ts';
import { DatabaseUnavailable, isDatabaseUnavailable, sqlState } from '../database-errors.ts';
import { checkWrites, HostChoice, readHosts } from './hosts.ts';
import { NamedStatements } from './named-statements.ts';
import { directSender, pooledSender, type Send } from './senders.ts';
import { clientWithSettings } from './session-settings.ts';
import { StuckRows } from './stuck-rows.ts';

/** The limits of all waits, in milliseconds, and the number of connections. */
export interface DatabasePatience {
  readonly connections: number;
  /** To open a connection. */
  readonly connectMs: number;
  /** For a free connection. */
  readonly acquireMs: number;
  /** For a row that another transaction holds. */
  readonly lockMs: number;
  /** For one statement, measured by the server. */
  readonly statementMs: number;
  /** For the answer to one statement, measured by this process, because a dead connection never answers. */
  readonly replyMs: number;
  /** Between two statements of a transaction, measured by the server, which then releases the locks of a dead process. */
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
/** After waiting for a row's lock timed out, the row is not tried again for this long. */
const STUCK_ROW_REST_MS = 1_000;
const LOCK_TIMEOUT = '55P03';
/** The server ends the connection, or accepts only reads. A new connection may lead to another server. */
const FAREWELL = /^(?:08...|57P0.|25P03|25P04|25006)$/u;

const INT8 = pg.types.builtins.INT8;

/** The parsers of values: an eight-byte integer is read as a number. */
export const PARSERS: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

function connection(url: string): pg.PoolConfig {
  return {
    connectionString: url,
    types: PARSERS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** The limits that the role or the database may set. */
const WITHOUT_LIMITS = '-c statement_timeout=0 -c lock_timeout=0';

/**
 * Connections for migrations. Only connecting has a time-out, because an index on a large table takes long.
 *
 * @param pooled whether a pooler is in between, which refuses the parameter that removes the limits of the role
 */
export function patientPool(url: string, pooled: boolean): pg.Pool {
  const unlimited = new URL(url);
  if (!pooled) {
    // If there are several values, the last counts.
    const options = unlimited.searchParams.get('options') ?? '';
    unlimited.searchParams.set('options', `${WITHOUT_LIMITS} ${options}`.trim());
  }
  const pool = new pg.Pool({
    ...connection(unlimited.href),
    Client: clientWithSettings(pooled),
    max: 2,
    connectionTimeoutMillis: 2 * DATABASE_PATIENCE.acquireMs,
  });
  listen(pool, reportToStderr);
  return pool;
}

/** The number of connections, and of requests that are waiting for one. */
export interface PoolCounts {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  /** How often a request got no connection. */
  readonly refusals: RefusedConnections;
}

/** Requests that got no connection since the process started. */
interface RefusedConnections {
  /** All connections of the process stayed in use for too long. */
  readonly pool: number;
  /** The database did not accept a connection, or did not answer. */
  readonly database: number;
}

/** The driver's error if no connection became free in time. Connecting has a shorter limit, and other errors. */
const isNoneFree = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');

/**
 * Connections that end every wait within seconds. If the server restarts or does not answer, or a row is locked, statements are rejected
 * with `DatabaseUnavailable`. A failed connection is never used again.
 */
export class GuardedPool implements PostgresPool {
  readonly options: object = {};
  private readonly pool: pg.Pool;
  private readonly choice: HostChoice;
  private readonly clients = new WeakMap<pg.PoolClient, GuardedClient>();
  private readonly health: Health;
  private readonly refusals = { pool: 0, database: 0 };
  private readonly senderOf: (client: pg.PoolClient) => Send;

  /** @param pooled whether a pooler is between this process and the database */
  constructor(
    private readonly url: string,
    report: Report,
    private readonly patience = DATABASE_PATIENCE,
    private readonly pooled = false,
  ) {
    const { connectMs } = patience;
    const stuck = new StuckRows(patience.lockMs + STUCK_ROW_REST_MS);
    this.health = { failedAt: 0, stuck };
    const statements = new NamedStatements();
    this.senderOf = (client) => (pooled ? pooledSender(client, patience) : directSender(client, statements));
    const choice = (this.choice = new HostChoice(readHosts(url)));
    // The pool has one time-out for connecting and for waiting. Connecting also has a separate, shorter one.
    class Client extends clientWithSettings(pooled) {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: choice.url, connectionTimeoutMillis: connectMs });
      }
    }
    this.pool = new pg.Pool({
      ...connection(choice.url),
      Client,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise, which its types do not say
      ...(choice.hosts.writes ? { onConnect: checkWrites } : {}),
      max: patience.connections,
      connectionTimeoutMillis: patience.acquireMs,
      query_timeout: patience.replyMs,
      // A pooler refuses these settings, or would apply them to other clients.
      ...(pooled
        ? {}
        : {
            lock_timeout: patience.lockMs,
            statement_timeout: patience.statementMs,
            idle_in_transaction_session_timeout: patience.idleInTransactionMs,
          }),
    });
    listen(this.pool, report);
  }

  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await this.takeClient().catch((cause: unknown) => {
        this.refusals[isNoneFree(cause) ? 'pool' : 'database'] += 1;
        throw new DatabaseUnavailable('No connection to the database.', { cause });
      });
      const guarded = this.clients.get(client) ?? new GuardedClient(client, this.health, this.senderOf(client));
      this.clients.set(client, guarded);
      // Another connection failed after this one last answered, so it is probably dead, too. A check would take seconds.
      if (guarded.answeredAt >= this.health.failedAt) return guarded;
      client.release(true);
    }
  }

  /** A free connection, or a new one to the first server that can be used. */
  private async takeClient(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries += 1) {
      const { url } = this.choice;
      try {
        return await this.pool.connect();
      } catch (error) {
        if (isNoneFree(error) || !isDatabaseUnavailable(error) || tries >= this.choice.length) throw error;
        this.choice.passOver(url);
      }
    }
  }

  get counts(): PoolCounts {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, refusals: { ...this.refusals } };
  }

  /** Another pool with one connection and the same limits. */
  separate(report: Report): GuardedPool {
    return new GuardedPool(this.url, report, { ...this.patience, connections: 1 }, this.pooled);
  }

  /** Runs a statement on every present and future connection. Does nothing through a pooler, whose connections others use, too. */
  async onEvery(statement: string): Promise<void> {
    if (this.pooled) return;
    // A connection that fails here also fails at its next statement, which reports the error.
    this.pool.on('connect', (client) => void client.query(statement).catch(() => undefined));
    const idle = await Promise.all(Array.from({ length: this.pool.idleCount }, () => this.pool.connect()));
    await Promise.all(idle.map((client) => client.query(statement).finally(() => client.release())));
  }

  end(): Promise<void> {
    return this.pool.end();
  }
}

/** The state shared by the connections of a pool. */
interface Health {
  /** When a connection last broke, by `performance.now()`. */
  failedAt: number;
  readonly stuck: StuckRows;
}

class GuardedClient implements PostgresPoolClient {
  answeredAt = performance.now();
  private readonly client: pg.PoolClient;
  private readonly health: Health;
  private readonly send: Send;
  private broken = false;

  constructor(client: pg.PoolClient, health: Health, send: Send) {
    this.client = client;
    this.health = health;
    this.send = send;
    client.on('error', () => this.break());
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(): never;
  async query<R>(sql = '', parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    if (this.broken) throw new DatabaseUnavailable('The connection broke.');
    const { stuck } = this.health;
    stuck.check(sql, parameters);
    try {
      const result = await this.send(sql, parameters);
      this.answeredAt = performance.now();
      stuck.remove(sql, parameters);
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (sqlState(error) === LOCK_TIMEOUT) stuck.add(parameters);
      if (!isDatabaseUnavailable(error)) throw error;
      // After the server reported an error, the connection can still be used, unless the server is closing it.
      if (error instanceof pg.DatabaseError && !FAREWELL.test(sqlState(error))) throw error;
      this.break();
      throw new DatabaseUnavailable('The database did not answer.', { cause: error });
    }
  }

  release(destroy = false): void {
    this.client.release(destroy || this.broken);
  }

  private break(): void {
    if (this.broken) return;
    this.broken = true;
    this.health.failedAt = performance.now();
  }
}

/**
 * A broken connection emits an error event, which would end the process without a listener. The connection's user gets the error from its
 * statement. After `end`, the connections are still being closed, and their errors do not matter.
 */
function listen(pool: pg.Pool, report: Report): void {
  pool.on('error', (error) => {
    if (!pool.ending) report(error, { where: 'idle database connection' });
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
}
