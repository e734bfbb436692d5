import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { SOAK } from '#tests/soak.ts';

/** PostgreSQL prefers indexes from some thousand rows on; a soak shows that nothing changes with more. */
export const USERS = Number(process.env['SOAK_USERS'] ?? (SOAK ? 100_000 : 30_000));

/** Users with an address each, of whom some have a name, a number, a password, an unverified address or a lock; their sessions and audit log. */
const ROWS = [
  `create temporary table made as
     select n, 'user-test-' || gen_random_uuid() as user_id from generate_series(1, $USERS) as n`,
  `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles, proof_due_at, locked_at, external_id)
     select user_id, now() - n * interval '1 second', case when n % 1000 = 1 then 'pending' else 'active' end,
       case when n % 4 = 0 then jsonb_build_object('first_name', 'Ada' || n, 'last_name', 'Byron' || n) else '{}' end, '{}', '{}', '[]',
       case when n % 500 = 0 then now() - n * interval '1 minute' end, case when n % 1000 = 0 then now() end, 'crm-' || n
     from made`,
  `insert into emails (email_id, user_id, email, email_key, verified, created_at)
     select 'email-test-' || gen_random_uuid(), user_id, 'User-' || n || '@example.com', 'user-' || n || '@example.com', n % 500 > 0, now()
     from made`,
  `insert into phone_numbers (phone_id, user_id, phone_number, verified, created_at)
     select 'phone-test-' || gen_random_uuid(), user_id, '+1415' || (5000000 + n), n % 500 > 0, now() from made where n % 10 = 0`,
  `insert into passwords (password_id, user_id, hash, requires_reset, created_at)
     select 'password-test-' || gen_random_uuid(), user_id, '', false, now() from made where n % 3 = 0`,
  `insert into sessions (session_id, user_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors)
     select 'session-test-' || gen_random_uuid(), user_id, now(), now(), now() + (n - 100) * interval '1 hour', '{}', '[]' from made`,
  `insert into audit_log (created_at, event, outcome, user_id, actor_kind, network)
     select now() - n * interval '1 second', case when n % 1000 = 0 then 'user_locked' else 'login' end,
       case when n % 10 = 0 then 'refused' else 'ok' end, user_id, 'user', 'network-' || n % 500 from made`,
  // What a trigger does, in a schema that has it.
  `do $$ declare owned text; begin
     for owned in select table_name from information_schema.columns where column_name = 'user_created_at' loop
       execute format('update %I as contact set user_created_at = users.created_at from users
         where users.user_id = contact.user_id and not verified', owned);
     end loop;
   end $$`,
  `drop table made`,
  `analyze`,
];

/** Fills an empty database with many users. It fires no trigger, as a restored backup does. */
export async function makeManyUsers(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    for (const statement of [
      `set session_replication_role = replica`,
      ...ROWS,
      `set session_replication_role = default`,
    ])
      await sql.raw(statement.replace('$USERS', String(USERS))).execute(connection);
  });
}
