import type { JsonColumn } from '../db/columns.ts';

export interface OAuthRegistrationsTable {
  oauth_user_registration_id: string;
  user_id: string;
  provider_type: string;
  provider_subject: string;
  profile_picture_url: string;
  locale: string;
  created_at: Date;
  /** The latest refresh token of the provider, sealed; null if it gave none. */
  refresh_token: string | null;
}

/** A login that is at the social provider's page. */
export interface OAuthFlowsTable {
  state_hash: string;
  provider_type: string;
  /** The one that came from the client. */
  code_challenge: string | null;
  login_redirect_url: string;
  signup_redirect_url: string;
  /** The user to whom the account is attached; null for a login. */
  user_id: string | null;
  /** The session that must still be live when the account is attached; null where none is needed. */
  session_id: string | null;
  /** The hash of the cookie of the browser in which the login began; null for one that began before there was a cookie. */
  browser_hash: string | null;
  expires_at: Date;
}

/** A user's permission, given by the app's own server, to attach an account of that provider. */
export interface OAuthAttachTokensTable {
  token_hash: string;
  user_id: string;
  /** The session of the user who asked; null where the app's own server vouched for the user. */
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

export interface OAuthTokensTable {
  token_hash: string;
  oauth_user_registration_id: string;
  code_challenge: string | null;
  /** `ProviderValues` and the id of the account's address, sealed. */
  provider_values: string;
  expires_at: Date;
}

export interface OneTapCallbacksTable {
  callback_hash: string;
  expires_at: Date;
}

/** A person, as the provider describes them; empty texts for what it does not tell. */
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
  one_tap_callbacks: OneTapCallbacksTable;
  account_codes: AccountCodesTable;
}
