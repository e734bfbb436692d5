/** The migration that makes the schema of an empty database. */
export const BASELINE_NAME = '0144_baseline';

/** The migrations that the baseline replaced. Together they made the same schema as the baseline. */
const REPLACED: ReadonlySet<string> = new Set(
  `
  0001_sign_in_by_email 0002_passwords_and_phones 0003_passkeys_wallets_social 0004_access 0005_authorization_server
  0006_trusted_tokens 0007_account_safety 0008_indexes 0009_lock_out 0010_outbox_expiry 0011_keys 0012_backend_api
  0013_backend_clients 0014_backend_login 0015_vouched_factors 0016_delivery 0017_webhooks 0018_social_logins 0019_audit_log
  0020_operators 0021_hot_rows 0022_passkey_details 0023_social_identities 0024_proof_of_address 0025_session_ends 0026_unproven_users
  0027_audit_counts 0028_refresh_grace 0029_pushed_requests 0030_proof_of_possession 0031_second_factor 0036_notices 0037_recoveries
  0041_audiences 0042_agents 0045_device_authorizations 0046_back_channel_logout 0051_recovery_ends 0052_connection_failures
  0053_disputed_passkeys 0054_waiting_logins 0060_leases 0061_text_grams 0062_search_indexes 0070_renewed_codes 0075_client_key_sets
  0076_agent_networks 0080_undelivered_recoveries 0090_notes_of_many 0091_imports_in_bulk 0110_bound_sessions 0111_bound_trials
  0115_audit_stream 0116_attested_passkeys 0118_proof_keys 0119_family_index 0120_fewer_index_entries 0121_silent_registrations
  0124_passkey_sign_ups 0125_passkey_funnel 0126_audit_months 0127_unverified_contacts 0128_unverified_order
  0129_audit_months_of_clocks 0130_contacts_under_lock 0131_compressed_wal 0132_pending_users 0133_accounts_of_steps 0134_pending_ends
  0137_failure_networks 0138_sessions_of_trusted_browsers 0141_disputed_factors 0142_oldest_of_disputes 0143_folded_texts
  `
    .trim()
    .split(/\s+/u),
);

/** The remedy for a database that is older than the baseline. */
export const REMEDY = 'start it once with the version of 29 November 2026, which brings it to 0143_folded_texts';

/**
 * The migrations that made a schema. Those that the baseline replaced count as the baseline if all of them are there. Null if only some
 * are.
 */
export function countedFrom(names: readonly string[]): ReadonlySet<string> | null {
  const counted = new Set(names.filter((name) => !REPLACED.has(name)));
  const replaced = new Set(names.filter((name) => REPLACED.has(name)));
  if (replaced.size === REPLACED.size) counted.add(BASELINE_NAME);
  return replaced.size === 0 || counted.has(BASELINE_NAME) ? counted : null;
}
