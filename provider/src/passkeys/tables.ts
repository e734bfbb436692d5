import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export interface WebauthnRegistrationsTable {
  webauthn_registration_id: string;
  user_id: string;
  /** The relying party's id. */
  domain: string;
  /** Base64url, as are the key and the handle. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: string;
  user_handle: string;
  sign_count: number;
  backup_eligible: boolean;
  transports: Json<readonly string[]>;
  user_agent: string;
  authenticator_type: string;
  name: string;
  created_at: Date;
}

export interface WebauthnChallengesTable {
  challenge_hash: string;
  ceremony: 'register' | 'authenticate';
  /** Null when whoever holds a passkey may answer. */
  user_id: string | null;
  domain: string;
  user_verification: boolean;
  user_handle: string | null;
  user_agent: string | null;
  expires_at: Date;
}

export interface CryptoWalletsTable {
  crypto_wallet_id: string;
  user_id: string;
  crypto_wallet_type: 'ethereum' | 'solana';
  crypto_wallet_address: string;
  created_at: Date;
}

export interface WalletChallengesTable {
  challenge_hash: string;
  crypto_wallet_type: CryptoWalletsTable['crypto_wallet_type'];
  crypto_wallet_address: string;
  /** Who adds the wallet; null for a login. */
  user_id: string | null;
  /** The network that asked, hashed. */
  network: string;
  challenge: string;
  created_at: Date;
  expires_at: Date;
}

export interface OAuthRegistrationsTable {
  oauth_user_registration_id: string;
  user_id: string;
  provider_type: string;
  provider_subject: string;
  profile_picture_url: string;
  locale: string;
  created_at: Date;
}

/** A login that is at the social provider's page. */
export interface OAuthFlowsTable {
  state_hash: string;
  provider_type: string;
  /** The one that came from the client. */
  code_challenge: string | null;
  login_redirect_url: string;
  signup_redirect_url: string;
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
  /** `ProviderValues`, sealed. */
  provider_values: string;
  expires_at: Date;
}

export interface OneTapCallbacksTable {
  callback_hash: string;
  expires_at: Date;
}

/** A person at the built-in account page. */
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
  profile: Json<AccountProfile>;
  expires_at: Date;
}

/** The tables of migration 0003. */
export interface PasskeysWalletsSocialTables {
  webauthn_registrations: WebauthnRegistrationsTable;
  webauthn_challenges: WebauthnChallengesTable;
  crypto_wallets: CryptoWalletsTable;
  wallet_challenges: WalletChallengesTable;
  oauth_registrations: OAuthRegistrationsTable;
  oauth_flows: OAuthFlowsTable;
  oauth_tokens: OAuthTokensTable;
  one_tap_callbacks: OneTapCallbacksTable;
  account_codes: AccountCodesTable;
}
