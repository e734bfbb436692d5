import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { isDelegated, ownOf } from '#domain/rules/delegates.ts';
import { checkDomain, passkeyFactor } from '#server-rules/passkeys.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';
import type { Caller, CurrentSession } from '../sessions/reading/current.ts';
import type { ProofLogin } from '../sessions/login/entering.ts';
import { requireFor, type StepOwner } from '../sessions/reading/admission.ts';
import { requireListed } from '../sessions/reading/step.ts';
import { lockUser } from '../users/lock.ts';
import { CHALLENGE_MS, findChallenge, issueChallenge, redeemChallenge } from './challenges.ts';
import { assertionFrom, clientDataOf } from './credential.ts';
import { descriptorFrom, registrationsOf } from './registrations.ts';
import type { WebauthnChallengesTable } from './tables.ts';
import { expectedOf, mustRise, verifyAssertion } from './verify.ts';

interface StartBody {
  readonly domain: string;
  readonly return_passkey_credential_options?: boolean | undefined;
}

/** Options for `navigator.credentials.get()`, for this user's credentials or, without a user, for any passkey. */
export async function startAuthentication(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project'>,
  body: StartBody,
  userId: string | null,
): Promise<string> {
  checkDomain(services.project, body.domain);
  // Possession of the authenticator is one factor. Without a session the authenticator must also verify its user, even if the request does
  // not require that.
  const passkey = userId === null || body.return_passkey_credential_options === true;
  const registrations = userId === null ? [] : await registrationsOf(services, userId, body.domain);
  if (userId !== null && registrations.length === 0) throw new Refusal('webauthn_registration_not_found');
  const challenge = await issueChallenge(services, {
    ceremony: 'authenticate',
    user_id: userId,
    domain: body.domain,
    user_verification: passkey,
    user_presence: true,
    user_handle: null,
    user_agent: null,
    sign_up_email: null,
  });
  const options = await generateAuthenticationOptions({
    rpID: body.domain,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: passkey ? 'required' : 'preferred',
    allowCredentials: registrations.map(descriptorFrom),
  });
  return JSON.stringify(options);
}

/**
 * The user in whose session the challenge must be answered. Null if the answer may begin a session; it must then verify the user. For a
 * login, the app's own server may name the user before there is a session.
 */
function sessionOwner(
  challengeRow: Pick<WebauthnChallengesTable, 'user_id'>,
  { session }: Caller,
  from: 'wire' | 'backend',
): string | null {
  return from === 'backend' && !session.isPresented ? null : challengeRow.user_id;
}

interface PasskeyAuthenticationInput<Reply> {
  /** JSON text. */
  readonly credential: string;
  readonly caller: Caller;
  readonly from: 'wire' | 'backend';
  readonly enter: ProofLogin<Reply>;
}

/** Logs in the user whose credential answers a challenge. */
export async function authenticateCredential<Reply extends object>(
  services: RateLimitServices & Pick<Services, 'project'>,
  { credential, caller, from, enter }: PasskeyAuthenticationInput<Reply>,
) {
  const response = assertionFrom(credential);
  const { challenge } = clientDataOf(response.response);
  const challengeRow = await findChallenge(services, 'authenticate', challenge);
  const owner = sessionOwner(challengeRow, caller, from);
  const step = owner === null ? undefined : (await provingOwner(services, owner, caller)).step;
  const registration = await services.db
    .selectFrom('webauthn_registrations')
    .selectAll()
    .where('credential_id', '=', response.id)
    .where('domain', '=', challengeRow.domain)
    .executeTakeFirst();
  if (registration === undefined || (challengeRow.user_id !== null && challengeRow.user_id !== registration.user_id)) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('webauthn_registration_not_found');
  }
  // Without a known user the authenticator must name one (WebAuthn Level 3, section 7.2, step 6).
  if (challengeRow.user_id === null && response.response.userHandle === undefined) {
    throw new Refusal('webauthn_verification_failed');
  }
  const requirements = {
    ...challengeRow,
    user_verification: challengeRow.user_verification || owner === null || step !== undefined,
  };
  const { sign_count, backup_eligible, backed_up, user_verified } = await verifyAssertion(
    response,
    expectedOf(services, requirements, challenge),
    registration,
  );
  return transaction(services.db, async (tx) => {
    const user = await lockUser(tx, registration.user_id);
    if (user === undefined) throw new Refusal('webauthn_registration_not_found');
    await redeemChallenge(tx, challengeRow);
    const counted = await tx
      .updateTable('webauthn_registrations')
      .set({ sign_count, backup_eligible, backed_up, last_used_at: new Date(services.clock.now()) })
      .where('webauthn_registration_id', '=', registration.webauthn_registration_id)
      .where((where) =>
        where.or([
          where.val(!mustRise({ backup_eligible })),
          where('sign_count', '<', sign_count),
          where.and([where('sign_count', '=', 0), where.val(sign_count === 0)]),
        ]),
      )
      .returning('webauthn_registration_id')
      .executeTakeFirst();
    if (counted === undefined) throw new Refusal('webauthn_verification_failed');
    // The session may have ended during the verification; this answer must not start a new one.
    if (owner !== null && step === undefined) checkOwn(owner, ownOf(user, await caller.session.findIn(tx)));
    if (step !== undefined) await step.secondStep.hold(tx, step.row);
    const reply = await enter(tx, user, passkeyFactor(services.project.mfa, registration, user_verified));
    return { ...reply, webauthn_registration_id: registration.webauthn_registration_id };
  });
}

/** The session that the passkey is added to as a proof, or the login that it completes. */
async function provingOwner(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  owner: string,
  caller: Caller,
): Promise<StepOwner> {
  const by = await requireFor(services, 'proves', caller);
  if (by.step === undefined) checkOwn(owner, by.session);
  else if (by.user_id !== owner) throw new Refusal('webauthn_challenge_not_found');
  requireListed(by.step, 'factors', 'webauthn');
  return by;
}

/**
 * Requires a live session of the challenge's user. The answer to a session's second factor may lack user verification, so it must never
 * begin a session.
 */
function checkOwn(owner: string, session: CurrentSession | undefined): void {
  // The factor cannot join a session of an impersonator or an app. It would start a new session.
  if (session?.user_id !== owner || isDelegated(session)) throw new Refusal('webauthn_challenge_not_found');
}
