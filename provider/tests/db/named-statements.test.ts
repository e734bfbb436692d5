import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NamedStatements } from '#provider/base/db/engine/named-statements.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE } from '#provider/base/db/engine/postgres.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Db } from '#provider/base/db/database.ts';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { oneOf } from '#tests/soak.ts';

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('the names of prepared statements', () => {
  const SELECT = 'select 1 where $1';

  it('are given at the second use, one for each text', () => {
    const names = new NamedStatements();
    expect(names.statement(SELECT)).toEqual({ text: SELECT });
    const { name } = names.statement(SELECT);
    expect(name).toMatch(/^p0_[\w-]{32}$/u);
    expect(names.statement(SELECT)).toEqual({ text: SELECT, name });
    names.statement('select 2');
    expect(names.statement('select 2').name).not.toBe(name);
    for (const text of ['commit', 'start transaction isolation level read committed']) {
      for (let use = 0; use < 3; use += 1) expect(names.statement(text)).toEqual({ text });
    }
  });

  it('are bounded in number', () => {
    const names = new NamedStatements();
    const named = Array.from({ length: 2000 }, (_, index) => {
      names.statement(`select ${index}`);
      return names.statement(`select ${index}`).name;
    });
    expect(named.filter((name) => name !== undefined)).toHaveLength(400);
  });

  it.each(['26000', '42P05'])(
    'are given up after SQLSTATE %s, which a pooler without prepared statements causes',
    (code) => {
      const names = new NamedStatements();
      names.statement(SELECT);
      const statement = names.statement(SELECT);
      expect(names.failed(statement, failure('23505'))).toBe(false);
      expect(names.failed({ text: SELECT }, failure(code))).toBe(false);
      expect(names.failed(statement, failure(code))).toBe(true);
      for (let use = 0; use < 3; use += 1) expect(names.statement(SELECT)).toEqual({ text: SELECT });
      // Another statement with a name was under way at the same time.
      expect(names.failed(statement, failure(code))).toBe(true);
    },
  );

  it('are replaced once when the schema has changed', () => {
    const names = new NamedStatements();
    names.statement(SELECT);
    const statement = names.statement(SELECT);
    const changed = failure('0A000', 'cached plan must not change result type');
    expect(names.failed(statement, failure('0A000', 'something else'))).toBe(false);
    expect(names.failed(statement, changed)).toBe(true);
    names.statement(SELECT);
    const { name } = names.statement(SELECT);
    expect(name).toMatch(/^p1_/u);
    expect(names.failed(statement, changed)).toBe(true);
    expect(names.statement(SELECT).name).toBe(name);
  });
});

describe.each(DATABASES.filter(([name]) => name === 'postgres'))('prepared statements on %s', (_, url) => {
  let db: Db;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshStore(url);
    ({ drop } = fresh);
    db = await openDatabase(fresh.store, undefined, { ...DATABASE_PATIENCE, connections: 1 });
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  const limits = (on: Db = db) => on.selectFrom('limit_windows').selectAll().where('bucket', '=', 'x').execute();
  const prepared = async () => {
    const counted = await sql<{
      count: number;
    }>`select count(*) from pg_prepared_statements where statement like 'select * from %limit_w%'`.execute(db);
    return counted.rows[0]?.count;
  };
  const prepare = async () => {
    for (let use = 0; use < 3; use += 1) await limits();
    return prepared();
  };

  it('are prepared once', async () => {
    expect(await prepare()).toBe(1);
    expect(await prepare()).toBe(1);
  });

  it.each(oneOf(2, ['alone', 'in a transaction']))('survive a change of the schema, %s', async (where) => {
    await prepare();
    await sql.raw(`alter table limit_windows add column added_${where.length} text`).execute(db);
    const rows = where === 'alone' ? await limits() : await transaction(db, limits);
    expect(rows).toEqual([]);
    expect(await prepare()).toBeGreaterThan(0);
  });

  it.each(oneOf(2, ['alone', 'in a transaction'], 1))(
    'survive a connection that does not know them, %s',
    async (where) => {
      const { store, drop: dropOwn } = await freshStore(url);
      const own = await openDatabase(store, undefined, { ...DATABASE_PATIENCE, connections: 1 });
      for (let use = 0; use < 3; use += 1) await limits(own);
      await sql`deallocate all`.execute(own);
      expect(where === 'alone' ? await limits(own) : await transaction(own, limits)).toEqual([]);
      await own.destroy();
      await dropOwn();
    },
  );
});
