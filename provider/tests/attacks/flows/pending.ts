import type { Database } from '#provider/base/db/database.ts';

/** Its rows belong to the state of their user's account at their beginning: a change of methods, password or policy ends them. */
export interface PendingRows {
  /** The rows that end, of the user `$1`. */
  readonly rows: string;
}

/** Rows that outlast a change of the account, and why. */
type LastingReason = string;

const NO_USER = 'belongs to no user';
const METHOD = 'a login method itself';
const LASTS = 'was finished: its own rules end it';
const OF_OPERATORS = 'of operators, who have no account of a user';
const SETTINGS = 'settings, keys and records of the server';

const ofUser = (more = 'true'): PendingRows => ({ rows: `user_id = $1 and ${more}` });

/** What a change of the account does to the rows of each table. One that is missing does not compile. */
export const ENDS_WITH_A_CHANGE: { readonly [Table in keyof Database]: PendingRows | LastingReason } = {
  intermediate_sessions: ofUser(),
  magic_links: ofUser('adds_to is not null'),
  passcodes: ofUser('adds_to is not null'),
  webauthn_challenges: ofUser(),
  wallet_challenges: ofUser(),
  oauth_attach_tokens: ofUser(),
  oauth_flows: ofUser(),
  oauth_tokens: ofUser('attaches'),
  totps: ofUser('not verified'),
  pending_oauth_registrations: { rows: 'session_id in (select session_id from sessions where user_id = $1)' },
  authorization_codes: {
    rows: 'family_id is null and grant_id in (select grant_id from oauth_grants where user_id = $1)',
  },
  device_authorizations: {
    rows: `code_hash in (select code_hash from authorization_codes join oauth_grants using (grant_id)
      where user_id = $1)`,
  },
  users: METHOD,
  emails: METHOD,
  phone_numbers: METHOD,
  passwords: METHOD,
  recovery_codes: METHOD,
  webauthn_registrations: METHOD,
  crypto_wallets: METHOD,
  oauth_registrations: METHOD,
  sessions: 'its gates ask for the methods and the policy of now',
  session_tokens: 'the secret of a session',
  app_sessions: 'the apps of a session',
  trusted_devices: 'ends as well, but for a change of the policy, which is asked at each login',
  known_networks: 'lets nobody in',
  impersonation_tokens: 'the word of an operator, for five minutes',
  oauth_grants: LASTS,
  oauth_token_families: LASTS,
  oauth_access_tokens: LASTS,
  oauth_refresh_tokens: LASTS,
  // Whoever made the change must not be able to end them by it.
  notices: 'tells the owner of the change',
  notice_links: 'undoes the change',
  recoveries: 'its owner lost the methods; a login of two factors ends it',
  one_tap_callbacks: NO_USER,
  account_codes: NO_USER,
  used_trusted_tokens: NO_USER,
  pushed_requests: NO_USER,
  operators: OF_OPERATORS,
  operator_passkeys: OF_OPERATORS,
  operator_invites: OF_OPERATORS,
  operator_challenges: OF_OPERATORS,
  operator_sessions: OF_OPERATORS,
  connection_failures: SETTINGS,
  client_key_sets: SETTINGS,
  limit_windows: SETTINGS,
  connected_apps: SETTINGS,
  agents: SETTINGS,
  m2m_clients: SETTINGS,
  oauth_client_secrets: SETTINGS,
  signing_keys: SETTINGS,
  sealed_keys: SETTINGS,
  project_secrets: SETTINGS,
  backend_calls: SETTINGS,
  audit_log: SETTINGS,
  passkey_funnel: SETTINGS,
  audit_counts: SETTINGS,
  audit_stream: SETTINGS,
  webhook_endpoints: SETTINGS,
  outbox: SETTINGS,
  leases: SETTINGS,
};
