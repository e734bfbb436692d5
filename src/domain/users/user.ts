import { hasShape, type Shape } from '../shape.ts';

/** An email address of a user. */
export interface UserEmail {
  readonly email_id: string;
  readonly email: string;
  readonly verified: boolean;
}

/** A phone number of a user, in E.164 (`+15005550006`). */
export interface UserPhoneNumber {
  readonly phone_id: string;
  readonly phone_number: string;
  readonly verified: boolean;
}

/** A social login of a user. */
export interface OAuthRegistration {
  readonly oauth_user_registration_id: string;
  readonly provider_type: string;
  readonly provider_subject: string;
  readonly profile_picture_url?: string | null;
  readonly locale?: string | null;
}

/** A passkey or a security key of a user. */
export interface WebauthnRegistration {
  readonly webauthn_registration_id: string;
  readonly domain: string;
  readonly user_agent: string;
  readonly authenticator_type: string;
  readonly verified: boolean;
  readonly name: string;
  /** RFC 3339. This and the fields below are not in the reference client; a server may leave them out. */
  readonly created_at?: string;
  /** RFC 3339: the last login with it. Null if it has not been used yet, or not since the server began to record this. */
  readonly last_used_at?: string | null;
  /** Whether its provider may sync it (WebAuthn Level 3, section 6.1.3). */
  readonly backup_eligible?: boolean;
  /** Whether it was synced when it was last used; null when that is unknown. */
  readonly backed_up?: boolean | null;
  /** The model of its authenticator (section 6.5.1); null when the authenticator does not report it. */
  readonly aaguid?: string | null;
  /** Whether its authenticator proved that model when it was registered; null when that is unknown. */
  readonly attested?: boolean | null;
  /** The name of that model in the project's metadata file; null without one. */
  readonly model?: string | null;
}

/** A biometric registration of a native app. */
export interface BiometricRegistration {
  readonly biometric_registration_id: string;
  readonly verified: boolean;
}

/** An authenticator app of a user. */
export interface TOTPRegistration {
  readonly totp_id: string;
  readonly verified: boolean;
  /** The number of digits of its codes. Absent for six: only apps from another system have eight. */
  readonly digits?: number;
}

/** A crypto wallet of a user. */
export interface CryptoWalletRegistration {
  readonly crypto_wallet_id: string;
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly verified: boolean;
}

/** The name of a user, in parts. */
export interface UserName {
  readonly first_name?: string;
  readonly middle_name?: string;
  readonly last_name?: string;
}

/** A user, as in the reply of `GET /users/me` (specification, section 3; field names are the wire's). */
export interface User {
  readonly user_id: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly status: 'active' | 'pending' | (string & {});
  readonly roles: string[];
  readonly name: UserName;
  readonly trusted_metadata: Readonly<Record<string, unknown>>;
  readonly untrusted_metadata: Readonly<Record<string, unknown>>;
  readonly emails: UserEmail[];
  readonly phone_numbers: UserPhoneNumber[];
  readonly providers: OAuthRegistration[];
  readonly webauthn_registrations: WebauthnRegistration[];
  readonly biometric_registrations: BiometricRegistration[];
  readonly totps: TOTPRegistration[];
  readonly crypto_wallets: CryptoWalletRegistration[];
  readonly password: { readonly password_id: string; readonly requires_reset: boolean } | null;
  /**
   * The unproven address that the user entered at a sign-up with a passkey (not in the reference client). It is not a contact of the user,
   * because anybody can enter any address. Absent once the address is proven, and for all other users.
   */
  readonly unproven_email?: string | undefined;
}

const REQUIRED = { user_id: 'string' } as const satisfies Shape;

/** True if the value can be used as a user. Only the id is required; lists that the server left out stay absent. */
export function isUser(value: unknown): value is User {
  return hasShape(REQUIRED, value) && value.user_id !== '';
}
