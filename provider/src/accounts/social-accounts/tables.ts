import type { JsonColumn } from '#provider/base/db/statements/columns.ts';

export interface OAuthRegistrationsTable {
  oauth_user_registration_id: string;
  user_id: string;
  provider_type: string;
  provider_subject: string;
  profile_picture_url: string;
  locale: string;
  created_at: Date;
  /** The provider's latest refresh token, sealed; null if it sent none. */
  refresh_token: string | null;
  /** The session in which it was attached; null if a login registered it. */
  added_in: string | null;
}

/** A login that has been sent to the social provider's page. */
export interface OAuthFlowsTable {
  state_hash: string;
  provider_type: string;
  /** The client's code challenge. */
  code_challenge: string | null;
  login_redirect_url: string;
  signup_redirect_url: string;
  /** The user to attach the account to; null for a login. */
  user_id: string | null;
  /** The session that requested the attachment; null if the app's own server vouched for the user. */
  session_id: string | null;
  /** The hash of the cookie of the browser in which the login began; null for logins that began before this cookie existed. */
  browser_hash: string | null;
  expires_at: Date;
}

/** A token to begin attaching an account of that provider to the user. */
export interface OAuthAttachTokensTable {
  token_hash: string;
  user_id: string;
  /** The user's session that requested it; null if the app's own server vouched for the user. */
  session_id: string | null;
  provider_type: string;
  expires_at: Date;
}

export interface ProviderValues {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly scopes: string[];
  readonly expires_at: string;
}

/** The result of a social login at the provider: the person's profile. No user's data is stored yet. */
export interface OAuthTokensTable {
  token_hash: string;
  /** The account's registration, if it had one. The token ends with it. */
  oauth_user_registration_id: string | null;
  /** The user that a lookup found, or to whom the account is attached. The token ends with that user's access. */
  user_id: string | null;
  /** Whether the account is attached to the user; false for a login. */
  attaches: boolean;
  /** The session that requested the attachment; null if the app's own server vouched for the user. */
  session_id: string | null;
  code_challenge: string | null;
  /** `SocialIdentity`, sealed; null in tokens of versions before 0023. */
  identity: string | null;
  /** `ProviderValues`, sealed. */
  provider_values: string;
  expires_at: Date;
}

/** An account linked by its address, waiting until the session proves the user's second factor. */
/** A social account that is added to its user once their second factor is proved. */
export interface PendingAccount {
  readonly provider_type: string;
  readonly oauth_user_registration_id: string;
  /** `SocialIdentity` and the provider's refresh token, sealed. */
  readonly identity: string;
}

export interface PendingOAuthRegistrationsTable extends PendingAccount {
  session_id: string;
}

export interface OneTapCallbacksTable {
  callback_hash: string;
  expires_at: Date;
}

/** A person, as the provider describes them; absent values are empty. */
export interface AccountProfile {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly picture: string;
  readonly locale: string;
}

/** Authorization codes of the built-in account page. */
export interface AccountCodesTable {
  code_hash: string;
  provider_type: string;
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  scope: string;
  profile: JsonColumn<AccountProfile>;
  expires_at: Date;
}

export interface SocialTables {
  oauth_registrations: OAuthRegistrationsTable;
  oauth_flows: OAuthFlowsTable;
  oauth_attach_tokens: OAuthAttachTokensTable;
  oauth_tokens: OAuthTokensTable;
  pending_oauth_registrations: PendingOAuthRegistrationsTable;
  one_tap_callbacks: OneTapCallbacksTable;
  account_codes: AccountCodesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends SocialTables {}
}
