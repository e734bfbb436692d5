import type { X509Certificate } from 'node:crypto';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { nameFrom } from '#server-rules/passkeys.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { CERTIFICATIONS, type PasskeySettings } from '#provider/project/settings/passkeys.ts';
import type { Services } from '../services.ts';
import { certificateFrom, leadsTo } from '../authenticators/certificates.ts';
import type { AuthenticatorMetadata } from '../authenticators/metadata.ts';

/** The project's requirements for its users' authenticators. */
export interface AttestationPolicy {
  readonly settings: PasskeySettings;
  readonly metadata: AuthenticatorMetadata | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** An attestation statement (WebAuthn Level 3, section 6.5) that is valid in itself. */
export interface AttestationStatement {
  readonly format: string;
  /** The certificate of the attestation key, then its issuers; empty for `none` and for self attestation. */
  readonly chain: readonly X509Certificate[];
  /** Null if the authenticator does not reveal its model. */
  readonly aaguid: string | null;
}

export interface JudgedAttestation {
  readonly attestation_format: string;
  /** Whether a trust anchor in the metadata file proves the model. */
  readonly attested: boolean;
  /** The model's name in the metadata file; null if there is none that can be shown. */
  readonly model: string | null;
}

const REASONS = {
  attestation_format: 'Statements of android-safetynet are not accepted: Google has ended that service.',
  attestation_required: 'This project accepts authenticators that prove their model only, and this one did not.',
  attestation_untrusted: 'The certificates of the authenticator are not those of its model.',
  model_compromised: 'The model of the authenticator is not safe any more.',
  model_not_accepted: 'This project does not accept the model of the authenticator.',
  certification_too_low: 'The model of the authenticator lacks the certification that this project requires.',
} as const;

/** A refused attestation: its reason is in the error details. */
function refusalOf(reason: keyof typeof REASONS, more = ''): Refusal {
  return new Refusal('webauthn_verification_failed', `${REASONS[reason]}${more}`, undefined, { reason });
}

export function attestationPolicy({
  project,
  authenticatorMetadata,
  clock,
}: Pick<Services, 'project' | 'authenticatorMetadata' | 'clock'>): AttestationPolicy {
  return { settings: project.passkeys, metadata: authenticatorMetadata, now: clock.now() };
}

/** The statement format of an attestation object, and its certificates. Throws for anything else. */
export function statementOf(attestationObject: Uint8Array): Pick<AttestationStatement, 'format' | 'chain'> {
  const decoded = decodeAttestationObject(Uint8Array.from(attestationObject));
  const chain = (decoded.get('attStmt').get('x5c') ?? []).map((der) => certificateFrom(der));
  const certificates = chain.filter((certificate) => certificate !== undefined);
  if (certificates.length < chain.length) throw new Error('a certificate is damaged');
  return { format: decoded.get('fmt'), chain: certificates };
}

/** Refuses formats that can no longer be verified. */
export function checkFormat(format: string): void {
  if (format === 'android-safetynet') throw refusalOf('attestation_format');
}

/** Judges a valid statement by the policy (WebAuthn Level 3, section 7.1, steps 23 to 25). Refuses with the reason. */
export function judgeAttestation(
  { format, chain, aaguid }: AttestationStatement,
  { settings, metadata, now }: AttestationPolicy,
): JudgedAttestation {
  const model = metadata?.modelOf(aaguid, chain[0]);
  if (model !== undefined && model.compromise !== null) throw refusalOf('model_compromised', ` (${model.compromise})`);
  const isJudged = settings.attestation !== 'none' && model !== undefined && chain.length > 0;
  const attested = isJudged && leadsTo(model.anchors(), chain, now);
  if (isJudged && !attested) throw refusalOf('attestation_untrusted');
  const name = model?.name ?? null;
  const verdict = { attestation_format: format, attested, model: name === null ? null : nameFrom(name) };
  if (!settings.require_attestation) return verdict;
  if (!attested) throw refusalOf('attestation_required');
  const { aaguids, lowest_certification: lowest } = settings;
  if (aaguids !== null && !(aaguid !== null && aaguids.includes(aaguid))) throw refusalOf('model_not_accepted');
  if (lowest !== null && model.certificationAt(now) < CERTIFICATIONS.indexOf(lowest)) {
    throw refusalOf('certification_too_low');
  }
  return verdict;
}
