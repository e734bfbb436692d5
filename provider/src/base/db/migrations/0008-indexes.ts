/** Indexes for cascading deletes, and for the queries of the sweep. */
const FOREIGN_KEYS: readonly (readonly [table: string, column: string])[] = [
  ['passcodes', 'adds_to'],
  ['magic_links', 'email_id'],
  ['magic_links', 'adds_to'],
  ['webauthn_challenges', 'user_id'],
  ['wallet_challenges', 'user_id'],
  ['oauth_tokens', 'oauth_user_registration_id'],
  ['impersonation_tokens', 'user_id'],
];

const EXPIRING: readonly string[] = [
  'passcodes',
  'magic_links',
  'sessions',
  'limit_windows',
  'webauthn_challenges',
  'wallet_challenges',
  'oauth_flows',
  'oauth_tokens',
  'one_tap_callbacks',
  'account_codes',
  'impersonation_tokens',
  'authorization_codes',
  'oauth_access_tokens',
];

export const INDEXES: readonly string[] = [
  ...FOREIGN_KEYS.map(([table, column]) => `create index ${table}_${column} on ${table} (${column})`),
  ...EXPIRING.map((table) => `create index ${table}_expiry on ${table} (expires_at)`),
  // Verified apps stay, although this time has long passed.
  `create index totps_expiry on totps (expires_at) where not verified`,
  `create index oauth_token_families_age on oauth_token_families (created_at)`,
  `create index users_pending on users (created_at) where status = 'pending'`,
];
