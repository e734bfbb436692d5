import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { batchingMessages } from './batched-messages.ts';
import type { Database, Db, QueryObserver } from '../database.ts';
import { NamedStatements } from './named-statements.ts';
import { PARSERS } from './postgres.ts';
import { directSender, type Send } from './senders.ts';

/** @param busy whether an open transaction is left, which can never commit */
type Close = (busy: boolean) => Promise<void>;
/** Throws to refuse a statement. */
type StatementCheck = (sql: string) => void;

interface EmbeddedOptions {
  readonly close?: Close;
  readonly admit?: StatementCheck;
  /** Called after every statement. */
  readonly log?: QueryObserver | undefined;
}

/**
 * The embedded database, used through the driver for PostgreSQL. Unlike Kysely's dialect for PGlite, this keeps statements prepared, and
 * both databases read values in the same way.
 */
export function embedded(pglite: PGlite, { close, admit, log }: EmbeddedOptions = {}): Db {
  const pool = new EmbeddedPool(pglite, close, admit);
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log });
}

/** The only connection. Statements outside of a transaction wait while one is open. */
export class EmbeddedPool implements PostgresPool {
  readonly options: object = {};
  private readonly pool: pg.Pool;
  private readonly names = new NamedStatements();

  constructor(
    pglite: PGlite,
    private readonly close: Close = () => pglite.close(),
    private readonly admit: StatementCheck = () => undefined,
  ) {
    const settings = { types: PARSERS, max: 1, idleTimeoutMillis: 0 };
    this.pool = new pg.Pool(Object.assign(createPgConfig(batchingMessages(pglite)), settings));
    // Without a listener the event would end the process. The current statement gets the error.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.pool.connect();
    return new EmbeddedClient(client, this.names, this.admit);
  }

  /** Does not wait for an open transaction. */
  async end(): Promise<void> {
    const busy = this.pool.totalCount > this.pool.idleCount;
    const completion = this.pool.end();
    if (!busy) await completion;
    await this.close(busy);
  }
}

class EmbeddedClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient;
  private readonly send: Send;

  constructor(
    client: pg.PoolClient,
    names: NamedStatements,
    private readonly admit: StatementCheck,
  ) {
    this.client = client;
    this.send = directSender(client, names);
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(): never;
  async query<R>(sql = '', parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    this.admit(sql);
    return (await this.send(sql, parameters)) as unknown as PostgresQueryResult<R>;
  }

  release(destroy = false): void {
    this.client.release(destroy);
  }
}
