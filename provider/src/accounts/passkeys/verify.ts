import { ALGORITHMS, mayUse } from '#server-rules/passkeys.ts';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '../services.ts';
import { ANY_PASSKEY } from '#provider/project/settings/passkeys.ts';
import {
  checkFormat,
  judgeAttestation,
  statementOf,
  type AttestationPolicy,
  type JudgedAttestation,
} from './attestation.ts';
import { verifyStatementsOffline } from './statements.ts';
import type { WebauthnChallengesTable } from './tables.ts';
import { clientDataOf, type Assertion, type Attestation, type Credential } from './credential.ts';

verifyStatementsOffline();

/** The AAGUID of an authenticator that does not reveal its model (WebAuthn Level 3, section 6.5.1). */
const NO_MODEL = '00000000-0000-0000-0000-000000000000';

/** Accepts every authenticator. */
const ANY: AttestationPolicy = { settings: ANY_PASSKEY, metadata: undefined, now: 0 };

/** The values that the relying party expects in a response. */
export interface ExpectedResponse {
  readonly challenge: string;
  readonly domain: string;
  readonly mayUse: (origin: string) => boolean;
  readonly userVerification: boolean;
  /** False only for a registration that was started without a person's confirmation. */
  readonly userPresence: boolean;
}

export function expectedOf(
  { project }: Pick<Services, 'project'>,
  challengeRow: Pick<WebauthnChallengesTable, 'user_id' | 'domain' | 'user_verification' | 'user_presence'>,
  challenge: string,
): ExpectedResponse {
  return {
    challenge,
    domain: challengeRow.domain,
    mayUse: (origin) => mayUse(project, challengeRow.domain, origin),
    userVerification: challengeRow.user_verification || challengeRow.user_id === null,
    userPresence: challengeRow.user_presence,
  };
}

export interface NewCredential extends JudgedAttestation {
  readonly credential_id: string;
  readonly public_key: string;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  /** The authenticator's model; null if it does not reveal it. */
  readonly aaguid: string | null;
  /** Whether the authenticator verified its user (WebAuthn Level 3, section 6.1, flag UV). */
  readonly user_verified: boolean;
}

/** What the answer proves, in addition to possession of the credential. */
export interface AssertionResult {
  readonly sign_count: number;
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  readonly user_verified: boolean;
}

export interface KnownCredential {
  readonly credential_id: string;
  readonly public_key: string;
  readonly sign_count: number;
  /** Null if it is not known yet. */
  readonly backup_eligible: boolean | null;
  /** Null if it is not known: a passkey of another system. */
  readonly user_handle: string | null;
}

function refusal(): Refusal {
  return new Refusal('webauthn_verification_failed');
}

/** The origin of the response. Refuses it if the page may not use the domain or was in another site's frame. */
function originOf(response: Attestation | Assertion, expected: ExpectedResponse): string {
  const { origin, framed } = clientDataOf(response);
  // Framing is not expected here (WebAuthn Level 3, section 7.2, steps 13 and 14), and the library accepts some cases.
  if (framed || !expected.mayUse(origin)) throw refusal();
  return origin;
}

/** The attestation statement of the response. Refuses one that cannot be read. */
function statementIn({ attestationObject }: Attestation): ReturnType<typeof statementOf> {
  try {
    return statementOf(Buffer.from(attestationObject, 'base64url'));
  } catch {
    throw refusal();
  }
}

/** The new credential, if its ceremony is valid (WebAuthn Level 3, section 7.1); refuses otherwise. */
export async function verifyAttestation(
  response: Credential<Attestation>,
  expected: ExpectedResponse,
  policy = ANY,
): Promise<NewCredential> {
  const statement = statementIn(response.response);
  checkFormat(statement.format);
  const credential = await verifyStatement(response, expected);
  return { ...credential, ...judgeAttestation({ ...statement, aaguid: credential.aaguid }, policy) };
}

async function verifyStatement(
  response: Credential<Attestation>,
  expected: ExpectedResponse,
): Promise<Omit<NewCredential, keyof JudgedAttestation>> {
  const expectedOrigin = originOf(response.response, expected);
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin,
      expectedRPID: expected.domain,
      requireUserPresence: expected.userPresence,
      requireUserVerification: expected.userVerification,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    // Only the id in the signed part is trustworthy: a page can change the outer one.
    if (info === undefined || info.credential.id !== response.id) throw refusal();
    return {
      credential_id: info.credential.id,
      public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
      sign_count: info.credential.counter,
      backup_eligible: info.credentialDeviceType === 'multiDevice',
      backed_up: info.credentialBackedUp,
      aaguid: info.aaguid === NO_MODEL ? null : info.aaguid,
      user_verified: info.userVerified,
    };
  } catch {
    throw refusal();
  }
}

/**
 * Whether the count must rise with each signature; a count that does not rise shows a copied key. Synced keys are copied on purpose, and
 * each passkey manager counts separately: a manager that receives the key starts at 0.
 */
export const mustRise = ({ backup_eligible }: Pick<AssertionResult, 'backup_eligible'>): boolean => !backup_eligible;

/** Where the flags are in the authenticator data, and the one of backup eligibility (WebAuthn Level 3, section 6.1). */
const FLAGS_AT = 32;
const BACKUP_ELIGIBLE = 0x08;

/** Whether an answer comes from a key that may be synced. The signature covers the flag. */
function eligibleIn({ authenticatorData }: Assertion): boolean {
  return ((Buffer.from(authenticatorData, 'base64url')[FLAGS_AT] ?? 0) & BACKUP_ELIGIBLE) !== 0;
}

/** The new sign count and backup state, if the credential's holder answered the challenge (section 7.2); refuses otherwise. */
export async function verifyAssertion(
  response: Credential<Assertion>,
  expected: ExpectedResponse,
  credential: KnownCredential,
): Promise<AssertionResult> {
  const expectedOrigin = originOf(response.response, expected);
  // The library leaves two checks to its caller: who owns the credential, and that a device-bound key has not become synced.
  const { userHandle } = response.response;
  if (response.id !== credential.credential_id) throw refusal();
  if (userHandle !== undefined && credential.user_handle !== null && userHandle !== credential.user_handle) {
    throw refusal();
  }
  const backup_eligible = credential.backup_eligible ?? eligibleIn(response.response);
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin,
      expectedRPID: expected.domain,
      requireUserVerification: expected.userVerification,
      credential: {
        id: credential.credential_id,
        publicKey: Uint8Array.from(Buffer.from(credential.public_key, 'base64url')),
        counter: mustRise({ backup_eligible }) ? credential.sign_count : 0,
      },
    });
    const eligible = info.credentialDeviceType === 'multiDevice';
    if (!verified || eligible !== backup_eligible) throw refusal();
    const { newCounter: sign_count, credentialBackedUp: backed_up, userVerified: user_verified } = info;
    return { sign_count, backup_eligible, backed_up, user_verified };
  } catch {
    throw refusal();
  }
}
