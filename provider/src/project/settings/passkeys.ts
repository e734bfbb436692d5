import { isRelyingParty, type PasskeyRules } from '#server-rules/passkeys.ts';
import { flag, Mistakes, object, oneOf, text, textThat, texts, type Reader } from '../readers/readers.ts';

/** FIDO's certifications, lowest first (FIDO Metadata Service 3.0, section 3.1.4). */
export const CERTIFICATIONS = [
  'FIDO_CERTIFIED_L1',
  'FIDO_CERTIFIED_L1plus',
  'FIDO_CERTIFIED_L2',
  'FIDO_CERTIFIED_L2plus',
  'FIDO_CERTIFIED_L3',
  'FIDO_CERTIFIED_L3plus',
] as const;

export type Certification = (typeof CERTIFICATIONS)[number];

/** Which passkeys users may add, by the models of their authenticators, and what passkeys may be used for. */
export interface PasskeySettings {
  /** The requested attestation (WebAuthn Level 3, section 5.4.7). */
  readonly attestation: 'none' | 'indirect' | 'direct' | 'enterprise';
  /** Whether a passkey is accepted only if a certificate of the metadata file proves its model. */
  readonly require_attestation: boolean;
  /** The accepted models, by their AAGUIDs; null for all of the metadata file. */
  readonly aaguids: readonly string[] | null;
  /** The lowest accepted certification; null for any, and for none. */
  readonly lowest_certification: Certification | null;
  /** The path of a BLOB of the FIDO Metadata Service, relative to the folder of the project file. */
  readonly metadata_file: string | null;
  /** The path of the PEM certificates that issue the signer of that file; null for those of the FIDO Alliance. */
  readonly metadata_roots_file: string | null;
  /** Whether a visitor may sign up with only a passkey, and verify the address later. */
  readonly sign_up: boolean;
}

export const ANY_PASSKEY: PasskeySettings = {
  attestation: 'none',
  require_attestation: false,
  aaguids: null,
  lowest_certification: null,
  metadata_file: null,
  metadata_roots_file: null,
  sign_up: false,
};

const AAGUID = textThat('an AAGUID in lower case, such as ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', (value) =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u.test(value),
);

export const passkeySettings: Reader<PasskeySettings> = object<PasskeySettings>(
  {
    attestation: oneOf('none', 'indirect', 'direct', 'enterprise'),
    require_attestation: flag,
    aaguids: texts(AAGUID),
    lowest_certification: oneOf(...CERTIFICATIONS),
    metadata_file: text,
    metadata_roots_file: text,
    sign_up: flag,
  },
  ANY_PASSKEY,
);

/** Refuses a domain that belongs to other pages, a policy without what it needs, and conditions that nothing would check. */
export function checkPasskeys(project: PasskeyRules & { readonly passkeys: PasskeySettings }): void {
  const { passkey_domain: domain } = project;
  const { attestation, require_attestation: required, aaguids, lowest_certification, ...files } = project.passkeys;
  const mistakes = new Mistakes();
  const isStrange = domain !== null && !isRelyingParty(project, domain);
  mistakes.refuseIf(isStrange, 'passkey_domain', 'the host of one of origins');
  const asks = 'indirect, direct or enterprise if require_attestation is true';
  mistakes.refuseIf(required && attestation === 'none', 'passkeys.attestation', asks);
  const isNeeded = files.metadata_file === null && (required || files.metadata_roots_file !== null);
  const needs = required ? 'require_attestation is true' : 'metadata_roots_file is there';
  mistakes.refuseIf(isNeeded, 'passkeys.metadata_file', `given if ${needs}`);
  const unchecked = 'left out unless require_attestation is true: an authenticator can claim any model';
  mistakes.refuseIf(!required && aaguids !== null, 'passkeys.aaguids', unchecked);
  mistakes.refuseIf(!required && lowest_certification !== null, 'passkeys.lowest_certification', unchecked);
  mistakes.refuseIf(required && aaguids?.length === 0, 'passkeys.aaguids', 'left out, or not empty');
  mistakes.check();
}
