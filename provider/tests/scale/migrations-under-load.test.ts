import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/base/db/database.ts';
import { migrate, schemaState } from '../../src/base/db/migrate.ts';
import { openMigrated, openToMigrate } from '../../src/base/db/open.ts';
import { transaction } from '../../src/base/db/transaction.ts';
import { DATABASES, PATIENCE } from '../kit/harness.ts';
import { olderSchema } from '../kit/older-schema.ts';
import { makeManyUsers, USERS } from '../kit/many-users.ts';
import { SOAK } from '../../../tests/soak.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

/** The schema before the first migration that was made for databases with many rows. */
const BEFORE = '0060_leases';

/** What the requests of a version before these migrations do, in every table that they change. */
const STATEMENTS = [
  `select * from emails where email_key = 'user-7@example.com'`,
  `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
     values ('user-' || gen_random_uuid(), now(), 'active', '{}', '{}', '{}', '[]')`,
  `insert into emails (email_id, user_id, email, email_key, verified, created_at)
     select 'email-' || id, user_id, id || '@example.com', id || '@example.com', true, now()
     from (select user_id, gen_random_uuid()::text as id from users order by created_at limit 1) as made`,
  `update sessions set last_accessed_at = now() where session_id = (select min(session_id) from sessions)`,
  `insert into audit_log (created_at, event, outcome, actor_kind) values (now(), 'login', 'ok', 'system')`,
] as const;

describe.runIf(SOAK && POSTGRES !== undefined)(`the migrations of a database with ${USERS} users`, () => {
  let visitors: Db;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ url, drop } = await olderSchema(POSTGRES, BEFORE));
    visitors = openMigrated(url, false, undefined, PATIENCE);
    await makeManyUsers(visitors);
  });
  afterAll(async () => {
    await visitors?.destroy();
    await drop?.();
  });

  it('keep no request waiting for a second', async () => {
    const state = { done: false };
    const migrating = openToMigrate({ kind: 'postgres', url }, (db) => migrate(db)).finally(() => (state.done = true));
    let served = 0;
    const visit = async (): Promise<void> => {
      while (!state.done) {
        // oxlint-disable-next-line no-await-in-loop -- one request after the other
        await transaction(visitors, async (tx) => {
          await sql`select set_config('statement_timeout', '1s', true), set_config('lock_timeout', '1s', true)`.execute(tx); // prettier-ignore
          for (const statement of STATEMENTS) await sql.raw(statement).execute(tx);
        });
        served += 1;
      }
    };
    await Promise.all([visit(), visit(), visit()]);
    expect((await migrating).length).toBeGreaterThan(10);
    expect(served).toBeGreaterThan(10);
    expect((await schemaState(visitors)).pending).toEqual([]);
  });
});
