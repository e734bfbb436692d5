import { isRecord } from '#domain/shape.ts';

/** The authenticator's data about a passkey (WebAuthn Level 3, section 6.1). */
export interface AuthenticatorFacts {
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  /** Null in an assertion, and for an authenticator that does not report its model. */
  readonly aaguid: string | null;
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

/** True if the authenticator verified its user, for example by the device's screen lock. */
export const isUserVerified = (response: unknown): boolean =>
  (dataOf(response).charCodeAt(FLAGS_AT) & USER_VERIFIED) !== 0;

/** True if a person confirmed the ceremony. */
export const isUserPresent = (response: unknown): boolean =>
  (dataOf(response).charCodeAt(FLAGS_AT) & USER_PRESENT) !== 0;

/** Reads the facts without verifying them. */
export function factsOf(response: unknown): AuthenticatorFacts {
  const data = dataOf(response);
  const flags = data.charCodeAt(FLAGS_AT);
  const hex = Array.from(data.slice(AAGUID_AT, AAGUID_AT + 16), (byte) =>
    byte.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
  const aaguid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
  return {
    backup_eligible: (flags & BACKUP_ELIGIBLE) !== 0,
    backed_up: (flags & BACKED_UP) !== 0,
    aaguid: (flags & ATTESTED) === 0 || aaguid === NO_MODEL ? null : aaguid,
  };
}
