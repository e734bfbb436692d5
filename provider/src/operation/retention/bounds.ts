import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#provider/base/db/database.ts';
import { AUDIT_KEPT_MS, AUDIT_REFUSED_KEPT_MS } from '#provider/base/audit/retention.ts';
import { UNUSED } from '#provider/apps/idp/clients/agents.ts';
import { FAMILY_MS } from '#provider/apps/idp/grants/refresh-tokens.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { KNOWN_NETWORK_MS } from '#provider/base/security/known-networks.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Selects the rows that a sweep deletes: by their age in `column`, and the other conditions. */
export interface SweepPass {
  readonly column: 'expires_at' | 'created_at' | 'last_login_at' | 'day';
  readonly olderThanMs: number;
  /** Leaves the month (UTC) of that time complete: its partition is dropped as a whole when it has ended. */
  readonly wholeMonths?: true;
  /** Skips rows older than this, which another pass deletes. */
  readonly youngerThanMs?: number;
  readonly only?: (now: number) => RawBuilder<SqlBool>;
}

/** A table whose old rows a sweep deletes. */
export interface SweptTable {
  readonly by: 'sweep';
  /** The columns of the primary key. */
  readonly key: readonly [string, ...string[]];
  readonly passes: readonly SweepPass[];
}

/** The rule that limits the size of a table. */
export type TableBound =
  | SweptTable
  /** Its rows are deleted with their owner's row in `table` (`on delete cascade`); an owner has `atMost` this many rows. */
  | { readonly by: 'owner'; readonly table: keyof Database; readonly atMost: string }
  /** A separate function limits the table. */
  | { readonly by: 'rule'; readonly rule: string };

/**
 * Expired rows are rejected even before they are swept. They are swept an hour or a day later, so that a wrong clock does not delete live
 * rows.
 */
const swept = (key: SweptTable['key'], olderThanMs = HOUR_MS, only?: () => RawBuilder<SqlBool>): TableBound => ({
  by: 'sweep',
  key,
  passes: [{ column: 'expires_at', olderThanMs, ...(only === undefined ? {} : { only }) }],
});

/** The lifetime of an unused refresh token. */
const FAMILY_KEPT_MS = 30 * DAY_MS;

/** How long calls of the app's own server are kept: those that change something, and those that only read or check. */
const CHANGES_KEPT_MS = 90 * DAY_MS;
const READING_KEPT_MS = 7 * DAY_MS;

/** The bound of each table. The type requires every table, so that none is forgotten. */
export const BOUNDS: { readonly [Table in keyof Database]: TableBound } = {
  users: { by: 'rule', rule: 'those who have proven nothing are swept (sweepSignUps)' },
  emails: { by: 'owner', table: 'users', atMost: 'fifty addresses that the user proved, and the first' },
  phone_numbers: { by: 'owner', table: 'users', atMost: 'fifty numbers that the user proved, and the first' },
  passwords: { by: 'owner', table: 'users', atMost: 'one' },
  totps: swept(['totp_id'], DAY_MS, () => sql<SqlBool>`not verified`),
  recovery_codes: { by: 'owner', table: 'totps', atMost: 'one set' },
  webauthn_registrations: { by: 'owner', table: 'users', atMost: 'fifty passkeys that the user made' },
  crypto_wallets: { by: 'owner', table: 'users', atMost: 'fifty wallets that the user signed with, and the first' },
  oauth_registrations: { by: 'owner', table: 'users', atMost: 'the social accounts that the user logged in with' },
  sessions: swept(['session_id'], DAY_MS),
  session_tokens: {
    by: 'owner',
    table: 'sessions',
    atMost: 'the one of its generation, and one that is older than generations are',
  },
  passcodes: swept(['passcode_id']),
  known_networks: {
    by: 'sweep',
    key: ['user_id', 'network'],
    passes: [{ column: 'last_login_at', olderThanMs: KNOWN_NETWORK_MS + DAY_MS }],
  },
  magic_links: swept(['token_hash']),
  webauthn_challenges: swept(['challenge_hash']),
  intermediate_sessions: swept(['token_hash']),
  trusted_devices: swept(['device_id'], DAY_MS),
  wallet_challenges: swept(['challenge_hash']),
  oauth_flows: swept(['state_hash']),
  oauth_tokens: swept(['token_hash']),
  oauth_attach_tokens: swept(['token_hash']),
  pending_oauth_registrations: { by: 'owner', table: 'sessions', atMost: 'one for each social provider' },
  one_tap_callbacks: swept(['callback_hash']),
  account_codes: swept(['code_hash']),
  impersonation_tokens: swept(['token_hash']),
  used_trusted_tokens: swept(['token_key']),
  pushed_requests: swept(['request_hash']),
  device_authorizations: swept(['device_hash']),
  // At most 50 per client (recordFailure).
  connection_failures: swept(['failure_id']),
  // One per client.
  client_key_sets: swept(['client_id']),
  app_sessions: { by: 'owner', table: 'sessions', atMost: 'one for each app that it logged in to' },
  // A used code is kept until it expires, to detect a second use.
  authorization_codes: swept(['code_hash']),
  oauth_access_tokens: swept(['token_id']),
  limit_windows: swept(['bucket', 'window_start']),
  oauth_token_families: {
    by: 'sweep',
    key: ['family_id'],
    passes: [
      { column: 'created_at', olderThanMs: FAMILY_MS + DAY_MS },
      // Only rows of the last week: checking all live rows in every sweep would read half of the table.
      {
        column: 'created_at',
        olderThanMs: FAMILY_KEPT_MS,
        youngerThanMs: FAMILY_KEPT_MS + 7 * DAY_MS,
        only: withoutLiveToken,
      },
    ],
  },
  // A used token is kept as long as its family, to detect a stolen one.
  oauth_refresh_tokens: {
    by: 'owner',
    table: 'oauth_token_families',
    atMost: 'one per refresh, in 180 days; 120 an hour',
  },
  oauth_grants: { by: 'owner', table: 'users', atMost: 'one per app' },
  connected_apps: { by: 'rule', rule: 'the holder of a project secret makes and deletes them' },
  // Agents with access from a user, and those with an operator's decision, stay.
  agents: swept(['client_id'], HOUR_MS, () => UNUSED),
  m2m_clients: { by: 'rule', rule: 'the holder of a project secret makes and deletes them' },
  oauth_client_secrets: { by: 'rule', rule: 'replaced ones are swept (sweepClientSecrets)' },
  signing_keys: { by: 'rule', rule: 'one in 90 days, those that signed nothing valid are swept (sweepSigningKeys)' },
  sealed_keys: { by: 'rule', rule: 'one row per key of the server' },
  project_secrets: { by: 'rule', rule: 'the operator makes them, at most ten (makeProjectSecret)' },
  backend_calls: {
    by: 'sweep',
    key: ['seq'],
    passes: [
      { column: 'created_at', olderThanMs: CHANGES_KEPT_MS },
      { column: 'created_at', olderThanMs: READING_KEPT_MS, only: () => sql<SqlBool>`not changes` },
    ],
  },
  // By the database's clock, the table's trigger refuses to delete younger rows. Most rows end with their month (sweepAuditMonths).
  audit_log: {
    by: 'sweep',
    key: ['seq'],
    passes: [
      { column: 'created_at', olderThanMs: AUDIT_KEPT_MS, wholeMonths: true, only: () => pastTrigger('365 days') },
      { column: 'created_at', olderThanMs: AUDIT_REFUSED_KEPT_MS, only: () => refusedAndPastTrigger },
    ],
  },
  // One per day, browser family and step: at most forty a day, kept as long as the audit log.
  passkey_funnel: {
    by: 'sweep',
    key: ['day', 'browser', 'mobile', 'step'],
    passes: [{ column: 'day', olderThanMs: AUDIT_KEPT_MS + DAY_MS }],
  },
  audit_counts: { by: 'rule', rule: 'those of past hours are written to the log and deleted (closeAuditCounts)' },
  audit_stream: { by: 'rule', rule: 'one row' },
  operators: { by: 'rule', rule: 'whoever runs the server makes and removes them' },
  operator_passkeys: { by: 'owner', table: 'operators', atMost: 'one for each invitation' },
  operator_invites: swept(['token_hash']),
  operator_challenges: swept(['challenge_hash']),
  operator_sessions: swept(['token_hash']),
  webhook_endpoints: { by: 'rule', rule: 'as many as the project file has (registerWebhooks)' },
  // Unsent notices have no time.
  notices: swept(['notice_id']),
  notice_links: swept(['token_hash']),
  recoveries: swept(['recovery_id'], DAY_MS),
  outbox: { by: 'rule', rule: 'the oldest are swept (sweepOutbox)' },
  leases: { by: 'rule', rule: 'one row per job that one process at a time does' },
};

/** Every table. */
export const TABLES = Object.keys(BOUNDS) as readonly (keyof Database)[];

const pastTrigger = (age: '30 days' | '365 days'): RawBuilder<SqlBool> =>
  sql<SqlBool>`created_at < clock_timestamp() - ${sql.lit(age)}::interval`;
const refusedAndPastTrigger = sql<SqlBool>`outcome = 'refused' and ${pastTrigger('30 days')}`;

/** True for a family whose tokens and sessions all ended more than a day ago. */
function withoutLiveToken(now: number): RawBuilder<SqlBool> {
  const yesterday = new Date(now - DAY_MS);
  return sql<SqlBool>`not exists (select from oauth_refresh_tokens t
      where t.family_id = oauth_token_families.family_id and t.expires_at > ${yesterday})
    and not exists (select from oauth_access_tokens a
      where a.family_id = oauth_token_families.family_id and a.expires_at > ${yesterday})
    and not exists (select from sessions s
      where s.family_id = oauth_token_families.family_id and s.expires_at > ${yesterday})`;
}
