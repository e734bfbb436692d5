import { sql, type RawBuilder } from 'kysely';
import type { Database, Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { proofDueAt } from '#provider/accounts/users/store.ts';

type Table = keyof Database;

const DAY_MS = 24 * 60 * MINUTE_MS;

/** Clocks of processes differ. A row that is dated slightly later just ends slightly later. */
const MARGIN_MS = MINUTE_MS;
/** The longest lifetime of the rows of `ENDING`. */
const WEEK_MS = 7 * DAY_MS;

/** The tables whose rows expire, with the column of the time at which a row began. Sessions are handled separately. */
export const BEGUN = {
  passcodes: 'created_at',
  wallet_challenges: 'created_at',
  oauth_token_families: 'created_at',
  limit_windows: 'window_start',
  audit_counts: 'window_start',
  passkey_funnel: 'day',
  known_networks: 'last_login_at',
  backend_calls: 'created_at',
  intermediate_sessions: 'created_at',
  trusted_devices: 'created_at',
  recoveries: 'started_at',
} as const satisfies Partial<Record<Table, string>>;

/** The tables whose rows expire within a week and have no column for their beginning. */
export const ENDING = [
  'magic_links',
  'webauthn_challenges',
  'oauth_flows',
  'oauth_tokens',
  'oauth_attach_tokens',
  'one_tap_callbacks',
  'account_codes',
  'impersonation_tokens',
  'authorization_codes',
  'client_key_sets',
  'device_authorizations',
  'connection_failures',
  'pushed_requests',
  'oauth_access_tokens',
  'operator_invites',
  'operator_challenges',
  'notice_links',
] as const satisfies readonly Table[];

/** The columns of the last use. A later use must not be dated before it. */
const USED = ['project_secrets', 'webauthn_registrations'] as const satisfies readonly Table[];

/**
 * Ends rows that are dated later than `latest`, by a clock that was ahead. Otherwise a code of 2099 would be valid until then, a message
 * would wait for years, and a limit would come back. Sessions keep their remaining time. Permanent rows, such as users and the audit log,
 * stay.
 */
export async function endLater(db: Db, latest: number): Promise<void> {
  const now = new Date(latest);
  const cutoff = new Date(latest + MARGIN_MS);
  const deletions = [
    ...Object.entries(BEGUN).map(([table, column]) => deletion(table, sql`${sql.ref(column)} > ${cutoff}`)),
    ...ENDING.map((table) => deletion(table, sql`expires_at > ${new Date(latest + WEEK_MS)}`)),
    // A key from more than a day ahead signs nothing else (`signingKey`).
    deletion('signing_keys', sql`created_at > ${new Date(latest + DAY_MS)}`),
    deletion('totps', sql`not verified and created_at > ${cutoff}`),
  ];
  const changes = [
    // People stay signed in for their remaining time.
    sql`update sessions set started_at = least(started_at, ${now}::timestamptz), last_accessed_at = ${now},
      expires_at = expires_at - (last_accessed_at - ${now}::timestamptz) where last_accessed_at > ${cutoff}`,
    sql`update operator_sessions set last_used_at = ${now}, expires_at = expires_at - (last_used_at - ${now}::timestamptz)
      where last_used_at > ${cutoff}`,
    // Otherwise an authenticator app would refuse codes from before the last one.
    sql`update totps set last_step = floor(${latest / 1000}::float8 / period) - 1
      where last_step > floor(${(latest + MARGIN_MS) / 1000}::float8 / period)`,
    ...USED.map((table) => sql`update ${sql.table(table)} set last_used_at = ${now} where last_used_at > ${cutoff}`),
    // Users who never verified their address are deleted some days after this time.
    sql`update users set created_at = ${now} where status = 'pending' and created_at > ${cutoff}`,
    sql`update users set proof_due_at = ${proofDueAt(latest)} where proof_due_at > ${proofDueAt(latest + MARGIN_MS)}`,
    sql`update notices set due_at = ${now} where due_at > ${cutoff}`,
    // The newest secret is valid.
    sql`update oauth_client_secrets set created_at = ${now} where created_at > ${cutoff}`,
    // Codes and links have ended with the rows above. Events for webhooks and logouts are due.
    sql`update outbox set at = ${now}, next_at = least(next_at, ${now}::timestamptz), claimed_by = null, claimed_until = null,
      expires_at = case when channel in ('webhook', 'logout') then expires_at - (at - ${now}::timestamptz) else ${now}::timestamptz end,
      delete_at = delete_at - (at - ${now}::timestamptz)
      where at > ${cutoff}`,
  ];
  await transaction(db, async (tx) => {
    for (const statement of [...deletions, ...changes]) await statement.execute(tx);
  });
}

const deletion = (table: string, later: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`delete from ${sql.table(table)} where ${later}`;
