import type { Generated } from 'kysely';
import type { JsonColumn } from '#provider/base/db/statements/columns.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';

export interface WebauthnRegistrationsTable {
  webauthn_registration_id: string;
  user_id: string;
  /** The relying party's id. */
  domain: string;
  /** Base64url, like the key and the handle. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: string;
  /** Null for a passkey of another system that did not store it: any handle is accepted, because the key proves who answers. */
  user_handle: string | null;
  sign_count: number;
  /** Null for a passkey of another system until its first login. */
  backup_eligible: boolean | null;
  transports: JsonColumn<readonly string[]>;
  user_agent: string;
  authenticator_type: string;
  name: string;
  created_at: Date;
  /** Null until the first login with the passkey. */
  last_used_at: Date | null;
  /** The authenticator's backup state (WebAuthn Level 3, section 6.1.3) at its last use; null until then. */
  backed_up: boolean | null;
  /** The authenticator's model (section 6.5.1); null if it does not reveal it. */
  aaguid: string | null;
  /** The format of the attestation statement (section 6.5.4). This and the two below may be null in old rows. */
  attestation_format: string | null;
  /** Whether a certificate in the metadata file proved the model when the passkey was added. */
  attested: boolean | null;
  /** The model's name in that file; null if the file did not have it. */
  model: string | null;
  added_in: string | null;
  /** The recovery that will remove the passkey, because a link undid its addition; null if the passkey is not disputed. */
  disputed_in: Generated<string | null>;
}

export interface WebauthnChallengesTable {
  challenge_hash: string;
  ceremony: 'register' | 'authenticate';
  /** Null if every user with a passkey may answer. */
  user_id: string | null;
  domain: string;
  user_verification: boolean;
  /** False for a registration without a person's confirmation. */
  user_presence: boolean;
  user_handle: string | null;
  user_agent: string | null;
  /** For a sign-up with a passkey, the entered address; the user is created when the challenge is answered. Null for all others. */
  sign_up_email: string | null;
  expires_at: Date;
}

/** How often browsers of a family took a passkey step on a day. */
export interface PasskeyFunnelTable {
  /** The beginning of the day in UTC. */
  day: Date;
  browser: BrowserFamily['browser'];
  mobile: boolean;
  step: PasskeyStep;
  hits: string;
}

export interface PasskeyTables {
  passkey_funnel: PasskeyFunnelTable;
  webauthn_registrations: WebauthnRegistrationsTable;
  webauthn_challenges: WebauthnChallengesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends PasskeyTables {}
}
