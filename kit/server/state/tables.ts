import type { ConnectedApp } from '#server-rules/connected-apps.ts';
import type { PasscodeChannel } from '#server-rules/contacts.ts';
import type { ScopeGrant, Provenance } from '#server-rules/provenance.ts';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import type { TokenType } from '#domain/rules/redirects.ts';
import type { MfaRules } from '#server-rules/mfa-policy.ts';
import type { ProfileRules } from '#server-rules/profile.ts';
import type { Wallet } from '#server-rules/wallet-messages.ts';
import type { Attachee } from '#server-rules/social-attach.ts';
import type { AuthenticationFactor, Session } from '#domain/sessions/session.ts';
import type { OAuthRegistration } from '#domain/users/user.ts';

/** The purpose of a link: the value of `stytch_token_type` in its query. */
export type LinkType = Exclude<TokenType, 'oauth'>;

/** A message that a real server would have sent. */
export interface FakeMessage {
  readonly channel: PasscodeChannel;
  /** The address or number. */
  readonly to: string;
  readonly code?: string;
  /** The token of the first link in it. */
  readonly token?: string;
  /** Every link in it, by its type. */
  readonly links?: Readonly<Partial<Record<LinkType, string>>>;
}

/** An app that signs its users in through this project. */
export interface FakeClient extends ConnectedApp {
  /** Whether it may sign users in on a device without a browser (RFC 8628). */
  readonly device_authorization_allowed?: boolean;
}

/** The operator's settings that are not part of bootstrap. Tests may change them. */
export interface FakeSettings {
  /** The sites on which passkeys, wallets and One Tap work; null allows every site. */
  origins: readonly string[] | null;
  /** The targets of links and social logins; null allows every URL. */
  redirectUrls: readonly string[] | null;
  defaultRedirectUrl: string;
  /** Also allows every page on a loopback address, for development. */
  allowLoopback: boolean;
  clients: readonly FakeClient[];
  /** The roles of users who have verified the address. */
  roleAssignments: readonly { readonly email: string; readonly roles: readonly string[] }[];
  /** The ids of the trusted-auth-token profiles. */
  trustedProfiles: readonly string[];
  /** The passwords that count as known from a breach. */
  breachedPasswords: readonly string[];
  /** The maximum lifetimes of sessions, in minutes: for one request, and in total. */
  sessionMaxMinutes: number;
  sessionAbsoluteMinutes: number;
  /** Keeps sessions in HttpOnly cookies, as the provider does with `session_cookies.http_only`. */
  httpOnlySessions: boolean;
  /** Whether users can delete their account themselves. */
  accountDeletion: boolean;
  /** Whether a visitor may sign up with only a passkey. */
  passkeySignUp: boolean;
  /** Who may become a user, and the roles of new users. */
  signUp: SignUpRules;
  /** The maximum lifetime of an emailed link, in minutes. */
  linkMaxMinutes: number;
  /** The required proof of a login; null is the policy `off`. */
  mfa: MfaRules | null;
  /** The fields and terms that users are asked for; null for none. */
  profile: ProfileRules | null;
}

/** A row that expires. */
interface ExpiringRow {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The contact that a message adds to the user who requested it; null for a message that logs in. */
interface ContactAddition {
  readonly adds: string | null;
}

export interface Passcode extends ExpiringRow, ContactAddition {
  /** The id of this message, which the reply calls `method_id`. */
  readonly passcode_id: string;
  /** Null for a decoy, whose code is never right. */
  readonly user_id: string | null;
  /** The id of the contact to which it was sent. */
  readonly method_id: string;
  readonly channel: PasscodeChannel;
  /** Null for a decoy. */
  readonly code: string | null;
  tries: number;
}

export interface Link extends ExpiringRow, ContactAddition {
  readonly token: string;
  readonly purpose: 'login' | 'invite' | 'reset_password';
  readonly user_id: string;
  readonly email_id: string;
  readonly challenge: string | null;
}

export interface Totp extends ExpiringRow {
  readonly totp_id: string;
  readonly secret: string;
  verified: boolean;
  lastStep: number;
  recoveryCodes: readonly string[];
}

export interface Ceremony extends ExpiringRow {
  readonly kind: 'register' | 'authenticate';
  readonly user_id: string | null;
  readonly domain: string;
  readonly user_agent: string;
  /** True for a registration without a person's confirmation. */
  readonly silent?: boolean;
  /** For a sign-up with a passkey: the id of the new user, and the entered address. */
  readonly signUp?: { readonly user_id: string; readonly email: string };
}

export interface Passkey {
  readonly credential_id: string;
  readonly user_id: string;
  readonly webauthn_registration_id: string;
  readonly domain: string;
  readonly user_agent: string;
  readonly transports: readonly string[];
}

/** A login that lacks the second factor. */
export interface IntermediateSession extends ExpiringRow {
  readonly user_id: string;
  /** The proven factors. */
  readonly factors: readonly AuthenticationFactor[];
  readonly minutes: number;
  /** The session that will start or continue. Additions during the login belong to it. */
  readonly session_id: string;
  /** Binds it to the browser of the first factor. */
  readonly challenge: string | null;
}

/** A pending removal of second factors, by its user. */
export interface RecoveryRow extends ExpiringRow {
  readonly recovery_id: string;
  readonly available_at: Date;
}

/** A browser in which no second factor is requested. */
export interface TrustedDeviceRow extends ExpiringRow {
  readonly device_id: string;
  readonly user_id: string;
  readonly user_agent: string;
  readonly created_at: string;
  last_used_at: string;
}

export interface WalletChallenge extends Wallet, ExpiringRow {
  readonly challenge: string;
  readonly user_id: string | null;
}

/** A person's account at a social provider. */
export interface FakeAccount {
  readonly email: string;
  /** Default: true. */
  readonly email_verified?: boolean;
}

/** A finished login at a social provider, to be exchanged for a session. Until then it changes no user. */
export interface OAuthReturn extends ExpiringRow {
  /** The user that was found for the account, or to whom the account is attached. */
  readonly user_id: string | null;
  /** The id of the account's registration, if it had one. If the registration is removed, the login ends. */
  readonly registration_id: string | null;
  readonly account: FakeAccount;
  readonly provider: string;
  readonly subject: string;
  readonly challenge: string | null;
  readonly values: object;
  /** Null for a login. */
  readonly attachee: Attachee | null;
}

/** A token that starts the attachment of an account of that provider. */
export interface OAuthAttachToken extends Attachee, ExpiringRow {
  readonly provider: string;
}

/** An account that is stored when its session proves the second factor. */
export interface PendingRegistration {
  readonly session_id: string;
  readonly registration: OAuthRegistration;
}

export interface Impersonation extends ExpiringRow {
  readonly user_id: string;
  readonly by: string;
}

export interface TrustedToken extends ExpiringRow {
  readonly profile_id: string;
  readonly email: string;
}

/** A user's consent to an app. */
export interface Consent extends ScopeGrant {
  readonly user_id: string;
  readonly client_id: string;
}

interface AppAccess extends Provenance, ExpiringRow {
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
}

export interface AuthorizationCode extends AppAccess {
  readonly session_id: string;
  readonly redirect_uri: string;
  readonly challenge: string | null;
}

/** A device that shows a code, by its device code. */
export interface DeviceRow extends ExpiringRow {
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly user_code: string;
  readonly program: string;
  readonly network: string;
  /** The code from the user's consent; null before a decision. */
  readonly decision: { readonly code: string } | 'denied' | null;
}

export interface AccessToken extends AppAccess {
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Shared by all tokens of one authorization. */
  readonly family_id: string;
}

export interface LiveSession extends Omit<Session, 'custom_claims' | 'roles' | 'authentication_factors'> {
  readonly authentication_factors: readonly AuthenticationFactor[];
  /** The only valid token. */
  readonly token: string;
  /** Counts the logins: a JWT from before the last login is refused. */
  readonly generation: number;
  /** The family of the app's tokens from which the session was created; null for a session from a login. */
  readonly family_id: string | null;
  /** The trusted browser of the session. */
  readonly trusted_device_id?: string | undefined;
  /** True if the caller presented only the session's JWT; never stored. */
  readonly of_jwt?: boolean;
}
