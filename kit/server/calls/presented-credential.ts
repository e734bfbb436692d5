import { damagedCredential } from '#server-rules/passkeys.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';

/** The authenticator's data about a passkey (WebAuthn Level 3, section 6.1). */
interface AuthenticatorFacts {
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  /** Null in an assertion, and for an authenticator that does not report its model. */
  readonly aaguid: string | null;
}

/** The fields of a credential that the fake checks. It does not verify signatures. */
export interface PresentedCredential {
  readonly id: string;
  readonly challenge: string;
  readonly origin: string;
  readonly attachment: string | undefined;
  readonly transports: readonly string[];
  readonly facts: AuthenticatorFacts;
  /** True if the authenticator verified its user, for example by the device's screen lock. */
  readonly isVerified: boolean;
  /** True if a person confirmed the ceremony. */
  readonly isPresent: boolean;
}

const FLAGS_AT = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;
const AAGUID_AT = 37;
const NO_MODEL = '00000000-0000-0000-0000-000000000000';

const binary = (text: unknown): string =>
  typeof text === 'string' ? atob(text.replaceAll('-', '+').replaceAll('_', '/')) : '';

/** The authenticator data in an attestation object (section 6.5.4): the byte string after its name in CBOR. */
function attested(object: string): string {
  const at = object.indexOf('authData') + 'authData'.length;
  return object.slice(at + (object.charCodeAt(at) === 0x59 ? 3 : 2));
}

function dataOf(response: unknown): string {
  const { authenticatorData, attestationObject } = isRecord(response) ? response : {};
  return authenticatorData === undefined ? attested(binary(attestationObject)) : binary(authenticatorData);
}

/** Reads the flags and facts without verifying them. */
function factsOf(response: unknown): Pick<PresentedCredential, 'facts' | 'isVerified' | 'isPresent'> {
  const data = dataOf(response);
  const flags = data.charCodeAt(FLAGS_AT);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const hex = Array.from(data.slice(AAGUID_AT, AAGUID_AT + 16), (byte) =>
    byte.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
  const aaguid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
  return {
    facts: {
      backup_eligible: has(BACKUP_ELIGIBLE),
      backed_up: has(BACKED_UP),
      aaguid: has(ATTESTED) && aaguid !== NO_MODEL ? aaguid : null,
    },
    isVerified: has(USER_VERIFIED),
    isPresent: has(USER_PRESENT),
  };
}

export function parseCredential(json: string): PresentedCredential {
  const credential = parseJson(json);
  const response = isRecord(credential) ? credential['response'] : undefined;
  if (!isRecord(credential) || !isRecord(response)) throw damagedCredential('it must be the JSON of a credential');
  const { id, authenticatorAttachment: attachment } = credential;
  const { clientDataJSON: data, transports } = response;
  if (typeof id !== 'string') throw damagedCredential('id must be base64url');
  if (typeof data !== 'string') throw damagedCredential('clientDataJSON must be base64url');
  const client = parseJson(binary(data));
  const { challenge, origin } = isRecord(client) ? client : {};
  if (typeof challenge !== 'string' || typeof origin !== 'string') {
    throw damagedCredential('clientDataJSON must be client data');
  }
  return {
    id,
    challenge,
    origin,
    attachment: typeof attachment === 'string' ? attachment : undefined,
    transports: Array.isArray(transports) ? transports : [],
    ...factsOf(response),
  };
}
