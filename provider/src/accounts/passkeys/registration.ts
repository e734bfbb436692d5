import { generateRegistrationOptions, type GenerateRegistrationOptionsOpts } from '@simplewebauthn/server';
import {
  ALGORITHMS,
  checkAttachment,
  checkDomain,
  defaultName,
  handleOf,
  passkeyFactor,
} from '#server-rules/passkeys.ts';
import { namesOf, type UserNames } from '#domain/passkeys/user-names.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { sqlState, transaction } from '#provider/base/db/statements/transaction.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import type { ProofLogin } from '../sessions/login/entering.ts';
import type { HeldUser, LockedUser } from '../users/lock.ts';
import { readUser } from '../users/read-user.ts';
import { requireRoom } from '../users/room.ts';
import { attestationPolicy } from './attestation.ts';
import { CHALLENGE_MS, findChallenge, issueChallenge, redeemChallenge } from './challenges.ts';
import { attestationFrom, clientDataOf } from './credential.ts';
import { descriptorFrom, registrationsOf } from './registrations.ts';
import type { WebauthnChallengesTable } from './tables.ts';
import { expectedOf, verifyAttestation } from './verify.ts';

const UNIQUE_VIOLATION = '23505';

interface StartBody {
  readonly domain: string;
  readonly authenticator_type?: string | undefined;
  readonly return_passkey_credential_options?: boolean | undefined;
  readonly override_id?: string | undefined;
  readonly override_name?: string | undefined;
  readonly override_display_name?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly conditional_mediation?: boolean | undefined;
}

/** Options for `navigator.credentials.create()`, as JSON text. */
export async function startRegistration(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project'>,
  body: StartBody,
  by: Pick<PasskeyRegistrationInput<unknown>, 'user_id' | 'userAgent' | 'hold'>,
): Promise<string> {
  const { user_id, hold } = by;
  checkDomain(services.project, body.domain);
  const { authenticator_type: attachment } = body;
  checkAttachment(attachment);
  const user = await readUser(services.db, user_id);
  const handle = Uint8Array.from(handleOf(user_id, body.override_id));
  // A silent registration creates a passkey, which verifies its user at each login. Nobody is asked to verify while it is created.
  const silent = body.conditional_mediation === true;
  const passkey = silent || body.return_passkey_credential_options === true;
  const binding = {
    ceremony: 'register',
    user_id,
    domain: body.domain,
    user_verification: passkey && !silent,
    user_presence: !silent,
    user_handle: Buffer.from(handle).toString('base64url'),
    user_agent: (body.user_agent ?? by.userAgent).slice(0, 512),
    sign_up_email: null,
  } as const;
  const challenge = await transaction(services.db, async (tx) => {
    await hold(tx);
    return issueChallenge({ ...services, db: tx }, binding);
  });
  return creationOptions(services, {
    domain: body.domain,
    handle,
    names: namesOf(user, body),
    challenge,
    excludeCredentials: (await registrationsOf(services, user_id, body.domain)).map(descriptorFrom),
    authenticatorSelection: {
      ...(attachment === undefined ? {} : { authenticatorAttachment: attachment }),
      residentKey: passkey ? 'required' : 'discouraged',
      userVerification: passkey && !silent ? 'required' : 'preferred',
    },
  });
}

interface CreationInput extends Required<
  Pick<GenerateRegistrationOptionsOpts, 'excludeCredentials' | 'authenticatorSelection'>
> {
  readonly domain: string;
  readonly handle: Uint8Array<ArrayBuffer>;
  readonly names: UserNames;
  readonly challenge: Uint8Array<ArrayBuffer>;
}

/** Options for `navigator.credentials.create()`, as JSON text. */
export async function creationOptions(
  { project }: Pick<Services, 'project'>,
  { domain, handle, names, ...options }: CreationInput,
): Promise<string> {
  const generated = await generateRegistrationOptions({
    rpName: project.name,
    rpID: domain,
    userID: handle,
    userName: names.name,
    userDisplayName: names.displayName,
    timeout: CHALLENGE_MS,
    supportedAlgorithmIDs: [...ALGORITHMS],
    ...options,
  });
  return JSON.stringify({ ...generated, attestation: project.passkeys.attestation });
}

export interface PasskeyRegistrationInput<Reply> {
  readonly user_id: string;
  /** JSON text. */
  readonly credential: string;
  readonly userAgent: string;
  /** Locks the user in the transaction; refuses if they may no longer register a credential. */
  readonly hold: (tx: Db) => Promise<HeldUser>;
  readonly enter: ProofLogin<Reply>;
  /** Completes a silent registration. It proves nothing, so the session stays unchanged. If absent, silent registrations are refused. */
  readonly silently?: { readonly record: (tx: Db) => Promise<void>; readonly reply: () => Promise<Reply> };
}

/** Registers the credential that answers a challenge of the user. Also logs the user in by it, unless the registration was silent. */
export async function registerCredential<Reply extends object>(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project' | 'authenticatorMetadata'>,
  { user_id, credential, userAgent, hold, enter, silently }: PasskeyRegistrationInput<Reply>,
) {
  const response = attestationFrom(credential);
  const { challenge } = clientDataOf(response.response);
  const challengeRow = await findChallenge(services, 'register', challenge);
  const silent = challengeRow.user_presence ? undefined : silently;
  if (challengeRow.user_id !== user_id || (!challengeRow.user_presence && silent === undefined)) {
    throw new Refusal('webauthn_challenge_not_found');
  }
  const answer = { response, challengeRow, challenge, userAgent };
  const { registration, factor } = await verifiedRegistration(services, user_id, answer);
  const add = async <R>(end: (tx: Db, user: LockedUser) => Promise<R>): Promise<R> =>
    transaction(services.db, async (tx) => {
      const { user, session } = await hold(tx);
      await redeemChallenge(tx, challengeRow);
      await requireRoom(tx, 'webauthn_registrations', user_id);
      const added_in = session?.session_id ?? null;
      await tx
        .insertInto('webauthn_registrations')
        .values({ ...registration, added_in })
        .execute();
      return end(tx, user);
    }).catch(refuseDuplicate);
  const { webauthn_registration_id } = registration;
  if (silent !== undefined) {
    await add(silent.record);
    return { ...(await silent.reply()), webauthn_registration_id };
  }
  return { ...(await add((tx, user) => enter(tx, user, factor))), webauthn_registration_id };
}

interface RegistrationAnswer {
  readonly response: ReturnType<typeof attestationFrom>;
  readonly challengeRow: WebauthnChallengesTable;
  readonly challenge: string;
  readonly userAgent: string;
}

/** The row of a new passkey that answers its challenge, and its factor. Refuses all other answers. */
export async function verifiedRegistration(
  services: Pick<Services, 'clock' | 'random' | 'project' | 'authenticatorMetadata'>,
  user_id: string,
  { response, challengeRow, challenge, userAgent }: RegistrationAnswer,
) {
  const credential = await verifyAttestation(
    response,
    expectedOf(services, challengeRow, challenge),
    attestationPolicy(services),
  );
  const { transports } = response.response;
  const user_agent = challengeRow.user_agent ?? userAgent;
  const registration = {
    webauthn_registration_id: newId(services.random, 'webauthn-registration'),
    user_id,
    domain: challengeRow.domain,
    credential_id: credential.credential_id,
    public_key: credential.public_key,
    user_handle: challengeRow.user_handle ?? '',
    sign_count: credential.sign_count,
    backup_eligible: credential.backup_eligible,
    backed_up: credential.backed_up,
    aaguid: credential.aaguid,
    attestation_format: credential.attestation_format,
    attested: credential.attested,
    model: credential.model,
    transports: JSON.stringify(transports),
    user_agent,
    authenticator_type:
      response.authenticatorAttachment ?? (transports.includes('internal') ? 'platform' : 'cross-platform'),
    name: credential.model ?? defaultName(credential.aaguid, user_agent),
    created_at: new Date(services.clock.now()),
    last_used_at: null,
  };
  return { registration, factor: passkeyFactor(services.project.mfa, registration, credential.user_verified) };
}

/** The table's key detects duplicate passkeys. */
export function refuseDuplicate(error: unknown): never {
  throw sqlState(error) === UNIQUE_VIOLATION ? new Refusal('duplicate_webauthn_registration') : error;
}
