import type { Session } from '../../../domain/session.ts';

/** What a link is good for, as its query says in `stytch_token_type`. */
export type LinkType = 'magic_links' | 'login' | 'reset_password';

/** A message that a real server would have sent. */
export interface FakeMessage {
  readonly channel: 'email' | 'sms' | 'whatsapp';
  /** The address or number. */
  readonly to: string;
  readonly code?: string;
  /** The token of its first link. */
  readonly token?: string;
  /** Every link in it, by its type. */
  readonly links?: Readonly<Partial<Record<LinkType, string>>>;
}

/** An app that signs its users in through this project. */
export interface FakeClient {
  readonly client_id: string;
  readonly client_type: 'public' | 'confidential';
  readonly name: string;
  readonly description: string;
  readonly logo_url: string | null;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  /** What it may ask for; null for every scope of the project. */
  readonly scopes: readonly string[] | null;
  /** Of the project's own makers: needs no consent. */
  readonly first_party: boolean;
}

/** What an operator decides and bootstrap does not tell. Tests change it. */
export interface FakeSettings {
  /** The sites that passkeys, wallets and One Tap work on; null for every one. */
  origins: readonly string[] | null;
  /** Where links and social logins may lead; null for everywhere. */
  redirectUrls: readonly string[] | null;
  defaultRedirectUrl: string;
  clients: readonly FakeClient[];
  /** Roles of whoever has verified the address. */
  roleAssignments: readonly { readonly email: string; readonly roles: readonly string[] }[];
  /** The ids of the trusted-auth-token profiles. */
  trustedProfiles: readonly string[];
  /** Passwords that are known from breaches elsewhere. */
  breachedPasswords: readonly string[];
}

/** Where a message that proves something went, when it adds an address or number to a signed-in user. */
export interface Adding {
  readonly user_id: string;
  readonly address: string;
}

export interface Passcode {
  /** Of this very send: what the reply calls `method_id`. */
  readonly passcode_id: string;
  /** The address or number that it went to. */
  readonly method_id: string;
  readonly channel: FakeMessage['channel'];
  readonly code: string;
  readonly expiresAt: number;
  readonly adds: Adding | null;
  tries: number;
}

export interface Link {
  readonly token: string;
  readonly purpose: 'login' | 'reset_password';
  readonly email_id: string;
  readonly challenge: string | undefined;
  readonly expiresAt: number;
  readonly adds: Adding | null;
}

export interface Totp {
  readonly totp_id: string;
  readonly secret: string;
  readonly expiresAt: number;
  verified: boolean;
  lastStep: number;
  recoveryCodes: readonly string[];
}

export interface Ceremony {
  readonly kind: 'register' | 'authenticate';
  readonly user_id: string | null;
  readonly domain: string;
  readonly expiresAt: number;
}

export interface Passkey {
  readonly credential_id: string;
  readonly user_id: string;
  readonly webauthn_registration_id: string;
  readonly domain: string;
}

export interface Wallet {
  readonly type: 'ethereum' | 'solana';
  readonly address: string;
}

export interface WalletChallenge extends Wallet {
  readonly challenge: string;
  readonly user_id: string | null;
  readonly expiresAt: number;
}

/** Whom a social provider says somebody is. */
export interface FakeAccount {
  readonly email: string;
  /** True unless said otherwise. */
  readonly email_verified?: boolean;
}

/** A login at a social provider that is to be exchanged for a session. */
export interface OAuthReturn {
  readonly user_id: string;
  readonly provider: string;
  readonly subject: string;
  readonly challenge: string | undefined;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export interface Impersonation {
  readonly user_id: string;
  readonly by: string;
  readonly expiresAt: number;
}

export interface TrustedToken {
  readonly profile_id: string;
  readonly email: string;
  readonly expiresAt: number;
}

/** What a user lets an app do. */
export interface Consent {
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
}

export interface AuthorizationCode extends Consent {
  readonly session_id: string;
  readonly redirect_uri: string;
  readonly challenge: string | undefined;
  readonly expiresAt: number;
}

export interface AccessToken extends Consent {
  readonly expiresAt: number;
}

export interface LiveSession {
  readonly session: Session;
  /** The one token that is good. */
  readonly token: string;
}
