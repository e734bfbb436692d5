import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { changesMore, dropsKeysTable } from './emptying.ts';

export interface LeasedPool extends PostgresPool {
  /** Whether a statement may have changed the schema or a session, so that nobody else can use the database. */
  readonly altered: () => boolean;
  /** Whether a connection is in use. */
  readonly busy: () => boolean;
  /** Resolves as soon as no connection is in use. */
  readonly unused: () => Promise<void>;
}

/**
 * One test's use of a pool that later tests take over: connections that know the tables, and keep their statements prepared, save most of
 * a short test's time. After `end` no statement of this test reaches the database.
 */
export function leased(pool: PostgresPool): LeasedPool {
  const inUse = new Set<PostgresPoolClient>();
  let waiting: (() => void)[] = [];
  let over = false;
  let altered = false;
  const refuse = (): never => {
    throw new Error('Cannot use a pool after calling end on the pool');
  };
  const released = (client: PostgresPoolClient): void => {
    inUse.delete(client);
    if (inUse.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    options: pool.options,
    async connect() {
      if (over) refuse();
      const client = await pool.connect();
      if (over) client.release();
      if (over) refuse();
      inUse.add(client);
      const release: PostgresPoolClient['release'] = (...how) => {
        released(client);
        return client.release(...how);
      };
      const query = ((statement: string, values: readonly unknown[]) => {
        if (dropsKeysTable(statement)) return client.query('select', []);
        altered ||= changesMore(statement);
        return client.query(statement, values);
      }) as PostgresPoolClient['query'];
      return { query, release };
    },
    end() {
      over = true;
      return Promise.resolve();
    },
    altered: () => altered,
    busy: () => inUse.size > 0,
    unused: () => (inUse.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
