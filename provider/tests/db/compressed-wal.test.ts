import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate, schemaState } from '#provider/base/db/migrate.ts';
import { openToMigrate } from '#provider/base/db/open.ts';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

describe.runIf(POSTGRES !== undefined)('the compression of the log that PostgreSQL writes', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function run(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  const methodOf = async (url: string): Promise<unknown> =>
    (await run(url, `select current_setting('wal_compression') as method`))[0]?.['method'];

  const migrated = async (url: string) =>
    openToMigrate({ kind: 'postgres', url }, async (db) => {
      await migrate(db);
      return schemaState(db);
    });

  async function empty(): Promise<string> {
    const { store, drop } = await freshStore(POSTGRES, 'template1');
    if (store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
    ends.push(drop);
    return store.url;
  }

  it('begins with the schema, by the best method of the server', async () => {
    const url = await empty();
    expect(await methodOf(url)).toBe('off');
    const [known] = await run(url, `select enumvals from pg_settings where name = 'wal_compression'`);
    const best = ['zstd', 'lz4'].find((method) => (known?.['enumvals'] as string[]).includes(method)) ?? 'off';
    await migrated(url);
    expect(await methodOf(url)).toBe(best);
  });

  soakIt('stays as somebody set it, before the schema was made and after it', async () => {
    const url = await empty();
    const name = new URL(url).pathname.slice(1);
    await run(url, `alter database ${name} set wal_compression = pglz`);
    await migrated(url);
    expect(await methodOf(url)).toBe('pglz');
    await run(url, `alter database ${name} reset wal_compression`);
    await migrated(url);
    expect(await methodOf(url)).toBe('off');
  });

  soakIt('is left to the operator where the role has no right to it, and the schema is complete', async () => {
    const { store, drop } = await freshStore(POSTGRES, 'template1');
    if (store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
    const url = new URL(store.url);
    const role = `owner_${randomBytes(6).toString('hex')}`;
    await run(url.href, `create role ${role} login`);
    ends.push(async () => run(String(POSTGRES), `drop role ${role}`), drop);
    await run(url.href, `alter database ${url.pathname.slice(1)} owner to ${role}`);
    url.username = role;
    expect((await migrated(url.href)).pending).toEqual([]);
    expect(await methodOf(url.href)).toBe('off');
  });
});
