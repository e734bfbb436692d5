import type { Migrations } from './migration.ts';
import { PASSWORDS_AND_PHONES } from './migrations/0002-passwords-and-phones.ts';
import { PASSKEYS_WALLETS_SOCIAL } from './migrations/0003-passkeys-wallets-social.ts';
import { ACCESS } from './migrations/0004-access.ts';
import { AUTHORIZATION_SERVER } from './migrations/0005-authorization-server.ts';
import { TRUSTED_TOKENS } from './migrations/0006-trusted-tokens.ts';
import { ACCOUNT_SAFETY } from './migrations/0007-account-safety.ts';
import { INDEXES } from './migrations/0008-indexes.ts';
import { LOCK_OUT } from './migrations/0009-lock-out.ts';
import { OUTBOX_EXPIRY } from './migrations/0010-outbox-expiry.ts';
import { KEYS } from './migrations/0011-keys.ts';
import { BACKEND_API } from './migrations/0012-backend-api.ts';
import { BACKEND_CLIENTS } from './migrations/0013-backend-clients.ts';
import { BACKEND_LOGIN } from './migrations/0014-backend-login.ts';
import { VOUCHED_FACTORS } from './migrations/0015-vouched-factors.ts';
import { DELIVERY } from './migrations/0016-delivery.ts';
import { WEBHOOKS } from './migrations/0017-webhooks.ts';
import { SOCIAL_LOGINS } from './migrations/0018-social-logins.ts';
import { AUDIT_LOG } from './migrations/0019-audit-log.ts';
import { OPERATORS } from './migrations/0020-operators.ts';
import { HOT_ROWS } from './migrations/0021-hot-rows.ts';
import { PASSKEY_DETAILS } from './migrations/0022-passkey-details.ts';
import { SOCIAL_IDENTITIES } from './migrations/0023-social-identities.ts';
import { PROOF_OF_ADDRESS } from './migrations/0024-proof-of-address.ts';
import { SESSION_ENDS } from './migrations/0025-session-ends.ts';
import { UNPROVEN_USERS } from './migrations/0026-unproven-users.ts';
import { AUDIT_COUNTS } from './migrations/0027-audit-counts.ts';
import { REFRESH_GRACE } from './migrations/0028-refresh-grace.ts';
import { PROOF_OF_POSSESSION } from './migrations/0030-proof-of-possession.ts';
import { SECOND_FACTOR } from './migrations/0031-second-factor.ts';
import { NOTICES } from './migrations/0036-notices.ts';
import { RECOVERIES } from './migrations/0037-recoveries.ts';
import { DEVICE_AUTHORIZATIONS } from './migrations/0045-device-authorizations.ts';
import { CONNECTION_FAILURES } from './migrations/0052-connection-failures.ts';
import { BACK_CHANNEL_LOGOUT } from './migrations/0046-back-channel-logout.ts';
import { RECOVERY_ENDS } from './migrations/0051-recovery-ends.ts';
import { DISPUTED_PASSKEYS } from './migrations/0053-disputed-passkeys.ts';
import { WAITING_LOGINS } from './migrations/0054-waiting-logins.ts';
import { PUSHED_REQUESTS } from './migrations/0029-pushed-requests.ts';
import { AUDIENCES } from './migrations/0041-audiences.ts';
import { AGENTS } from './migrations/0042-agents.ts';
import { LEASES } from './migrations/0060-leases.ts';
import { TEXT_GRAMS } from './migrations/0061-text-grams.ts';
import { SEARCH_INDEXES } from './migrations/0062-search-indexes.ts';
import { RENEWED_CODES } from './migrations/0070-renewed-codes.ts';
import { CLIENT_KEY_SETS } from './migrations/0075-client-key-sets.ts';
import { AGENT_NETWORKS } from './migrations/0076-agent-networks.ts';
import { UNDELIVERED_RECOVERIES } from './migrations/0080-undelivered-recoveries.ts';
import { NOTES_OF_MANY } from './migrations/0090-notes-of-many.ts';
import { IMPORTS_IN_BULK } from './migrations/0091-imports-in-bulk.ts';
import { BOUND_SESSIONS } from './migrations/0110-bound-sessions.ts';
import { BOUND_TRIALS } from './migrations/0111-bound-trials.ts';
import { AUDIT_STREAM } from './migrations/0115-audit-stream.ts';
import { ATTESTED_PASSKEYS } from './migrations/0116-attested-passkeys.ts';
import { PROOF_KEYS } from './migrations/0118-proof-keys.ts';
import { FAMILY_INDEX } from './migrations/0119-family-index.ts';
import { FEWER_INDEX_ENTRIES } from './migrations/0120-fewer-index-entries.ts';
import { SILENT_REGISTRATIONS } from './migrations/0121-silent-registrations.ts';
import { PASSKEY_SIGN_UPS } from './migrations/0124-passkey-sign-ups.ts';
import { PASSKEY_FUNNEL } from './migrations/0125-passkey-funnel.ts';
import { AUDIT_MONTHS } from './migrations/0126-audit-months.ts';
import { UNVERIFIED_CONTACTS, UNVERIFIED_ORDER } from './migrations/0127-unverified-contacts.ts';
import { AUDIT_MONTHS_OF_CLOCKS } from './migrations/0129-audit-months-of-clocks.ts';
import { CONTACTS_UNDER_LOCK } from './migrations/0130-contacts-under-lock.ts';
import { COMPRESSED_WAL } from './migrations/0131-compressed-wal.ts';
import { PENDING_USERS } from './migrations/0132-pending-users.ts';
import { ACCOUNTS_OF_STEPS } from './migrations/0133-accounts-of-steps.ts';
import { PENDING_ENDS } from './migrations/0134-pending-ends.ts';
import { FAILURE_NETWORKS } from './migrations/0137-failure-networks.ts';
import { SESSIONS_OF_TRUSTED_BROWSERS } from './migrations/0138-sessions-of-trusted-browsers.ts';
import { DISPUTED_FACTORS } from './migrations/0141-disputed-factors.ts';
import { OLDEST_OF_DISPUTES } from './migrations/0142-oldest-of-disputes.ts';
import { FOLDED_TEXTS } from './migrations/0143-folded-texts.ts';

/**
 * One list for PGlite and PostgreSQL. A migration that was released is never changed: add another.
 * Plain SQL, so that its text is the key under which a ready-made database is cached.
 */
export const MIGRATIONS: Migrations = {
  '0001_sign_in_by_email': [
    `create table users (
       user_id text primary key,
       created_at timestamptz not null,
       status text not null check (status in ('active', 'pending')),
       name jsonb not null,
       trusted_metadata jsonb not null,
       untrusted_metadata jsonb not null,
       roles jsonb not null)`,
    `create table emails (
       email_id text primary key,
       user_id text not null references users on delete cascade,
       email text not null,
       email_key text not null unique,
       verified boolean not null,
       created_at timestamptz not null)`,
    `create index emails_user on emails (user_id)`,
    `create table passcodes (
       method_id text primary key references emails on delete cascade,
       code_hash text not null,
       tries integer not null,
       expires_at timestamptz not null)`,
    `create table magic_links (
       token_hash text primary key,
       email_id text not null references emails on delete cascade,
       code_challenge text,
       expires_at timestamptz not null)`,
    `create table sessions (
       session_id text primary key,
       user_id text not null references users on delete cascade,
       started_at timestamptz not null,
       last_accessed_at timestamptz not null,
       expires_at timestamptz not null,
       attributes jsonb not null,
       authentication_factors jsonb not null)`,
    `create index sessions_user on sessions (user_id)`,
    `create table session_tokens (
       token_hash text primary key,
       session_id text not null references sessions on delete cascade)`,
    `create index session_tokens_session on session_tokens (session_id)`,
    `create table outbox (
       seq bigint generated always as identity primary key,
       id text not null unique,
       channel text not null,
       recipient text not null,
       subject text not null,
       text text not null,
       code text,
       link text,
       at timestamptz not null)`,
    `create table limit_windows (
       bucket text not null,
       window_start timestamptz not null,
       hits integer not null,
       expires_at timestamptz not null,
       primary key (bucket, window_start))`,
    `create table server_keys (name text primary key, value text not null)`,
  ],
  '0002_passwords_and_phones': PASSWORDS_AND_PHONES,
  '0003_passkeys_wallets_social': PASSKEYS_WALLETS_SOCIAL,
  '0004_access': ACCESS,
  '0005_authorization_server': AUTHORIZATION_SERVER,
  '0006_trusted_tokens': TRUSTED_TOKENS,
  '0007_account_safety': ACCOUNT_SAFETY,
  '0008_indexes': INDEXES,
  '0009_lock_out': LOCK_OUT,
  '0010_outbox_expiry': OUTBOX_EXPIRY,
  '0011_keys': KEYS,
  '0012_backend_api': BACKEND_API,
  '0013_backend_clients': BACKEND_CLIENTS,
  '0014_backend_login': BACKEND_LOGIN,
  '0015_vouched_factors': VOUCHED_FACTORS,
  '0016_delivery': DELIVERY,
  '0017_webhooks': WEBHOOKS,
  '0018_social_logins': SOCIAL_LOGINS,
  '0019_audit_log': AUDIT_LOG,
  '0020_operators': OPERATORS,
  '0021_hot_rows': HOT_ROWS,
  '0022_passkey_details': PASSKEY_DETAILS,
  '0023_social_identities': SOCIAL_IDENTITIES,
  '0024_proof_of_address': PROOF_OF_ADDRESS,
  '0025_session_ends': SESSION_ENDS,
  '0026_unproven_users': UNPROVEN_USERS,
  '0027_audit_counts': AUDIT_COUNTS,
  '0028_refresh_grace': REFRESH_GRACE,
  '0029_pushed_requests': PUSHED_REQUESTS,
  '0030_proof_of_possession': PROOF_OF_POSSESSION,
  '0031_second_factor': SECOND_FACTOR,
  '0036_notices': NOTICES,
  '0037_recoveries': RECOVERIES,
  '0041_audiences': AUDIENCES,
  '0042_agents': AGENTS,
  '0045_device_authorizations': DEVICE_AUTHORIZATIONS,
  '0046_back_channel_logout': BACK_CHANNEL_LOGOUT,
  '0051_recovery_ends': RECOVERY_ENDS,
  '0052_connection_failures': CONNECTION_FAILURES,
  '0053_disputed_passkeys': DISPUTED_PASSKEYS,
  '0054_waiting_logins': WAITING_LOGINS,
  '0060_leases': LEASES,
  '0061_text_grams': TEXT_GRAMS,
  '0062_search_indexes': SEARCH_INDEXES,
  '0070_renewed_codes': RENEWED_CODES,
  '0075_client_key_sets': CLIENT_KEY_SETS,
  '0076_agent_networks': AGENT_NETWORKS,
  '0080_undelivered_recoveries': UNDELIVERED_RECOVERIES,
  '0090_notes_of_many': NOTES_OF_MANY,
  '0091_imports_in_bulk': IMPORTS_IN_BULK,
  '0110_bound_sessions': BOUND_SESSIONS,
  '0111_bound_trials': BOUND_TRIALS,
  '0115_audit_stream': AUDIT_STREAM,
  '0116_attested_passkeys': ATTESTED_PASSKEYS,
  '0118_proof_keys': PROOF_KEYS,
  '0119_family_index': FAMILY_INDEX,
  '0120_fewer_index_entries': FEWER_INDEX_ENTRIES,
  '0121_silent_registrations': SILENT_REGISTRATIONS,
  '0124_passkey_sign_ups': PASSKEY_SIGN_UPS,
  '0125_passkey_funnel': PASSKEY_FUNNEL,
  '0126_audit_months': AUDIT_MONTHS,
  '0127_unverified_contacts': UNVERIFIED_CONTACTS,
  '0128_unverified_order': UNVERIFIED_ORDER,
  '0129_audit_months_of_clocks': AUDIT_MONTHS_OF_CLOCKS,
  '0130_contacts_under_lock': CONTACTS_UNDER_LOCK,
  '0131_compressed_wal': COMPRESSED_WAL,
  '0132_pending_users': PENDING_USERS,
  '0133_accounts_of_steps': ACCOUNTS_OF_STEPS,
  '0134_pending_ends': PENDING_ENDS,
  '0137_failure_networks': FAILURE_NETWORKS,
  '0138_sessions_of_trusted_browsers': SESSIONS_OF_TRUSTED_BROWSERS,
  '0141_disputed_factors': DISPUTED_FACTORS,
  '0142_oldest_of_disputes': OLDEST_OF_DISPUTES,
  '0143_folded_texts': FOLDED_TEXTS,
};
