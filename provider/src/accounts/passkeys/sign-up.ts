import { checkEmail } from '#server-rules/accounts.ts';
import { checkDomain, handleOf } from '#server-rules/passkeys.ts';
import { checkArrival, type Visitor } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { namesOf } from '#domain/passkeys/user-names.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import type { LoginCompletion } from '../sessions/login/log-in.ts';
import type { LoginOutcome } from '../sessions/login/login-policy.ts';
import { newUser } from '../users/store.ts';
import { findChallenge, issueChallenge, redeemChallenge } from './challenges.ts';
import { attestationFrom, clientDataOf } from './credential.ts';
import { creationOptions, refuseDuplicate, verifiedRegistration } from './registration.ts';

/**
 * Sign-up with only a passkey. The address that the visitor enters becomes the name of the passkey, but not a contact of the new user:
 * looking it up finds nobody, others can sign up with it, and logins with it do not lead to this user. Like any other address, it is added
 * by a link or code in a session, if nobody else has verified it by then (`isFirstProof`). Until then the sweep treats the user like every
 * unverified sign-up.
 */

/** A person who has proven no address. */
const UNPROVEN: Visitor = { email: null };

/**
 * Refuses a sign-up where the project does not allow it, as if there were no such call, and where it lets no such person in: before they
 * make a passkey, whatever address they enter.
 */
export function checkSignUps({ project }: Pick<Services, 'project'>): void {
  if (!project.passkeys.sign_up) throw new Refusal('route_not_found');
  checkArrival(project.sign_up, UNPROVEN);
}

interface SignUpStart {
  readonly domain: string;
  readonly email: string;
  readonly userAgent: string;
}

/** Options for `navigator.credentials.create()`, as JSON text. They do not depend on whether the address is known. */
export async function startSignUp(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project'>,
  { domain, email, userAgent }: SignUpStart,
): Promise<string> {
  checkDomain(services.project, domain);
  checkEmail(email);
  const unproven_email = email.normalize('NFC');
  const user_id = newId(services.random, 'user');
  const handle = Uint8Array.from(handleOf(user_id, undefined));
  const challenge = await issueChallenge(services, {
    ceremony: 'register',
    user_id: null,
    domain,
    user_verification: true,
    user_presence: true,
    user_handle: Buffer.from(handle).toString('base64url'),
    user_agent: userAgent.slice(0, 512),
    sign_up_email: unproven_email,
  });
  return creationOptions(services, {
    domain,
    handle,
    names: namesOf({ user_id, unproven_email }),
    challenge,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

interface SignUp {
  /** JSON text. */
  readonly credential: string;
  readonly userAgent: string;
  readonly enter: LoginCompletion<LoginOutcome>;
}

/** Makes the user whose passkey answers the challenge of a sign-up, and logs them in. */
export async function signUpByPasskey(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project' | 'authenticatorMetadata'>,
  { credential, userAgent, enter }: SignUp,
) {
  const response = attestationFrom(credential);
  const { challenge } = clientDataOf(response.response);
  const challengeRow = await findChallenge(services, 'register', challenge);
  const { sign_up_email: unproven_email, user_handle } = challengeRow;
  if (unproven_email === null || user_handle === null) throw new Refusal('webauthn_challenge_not_found');
  const user_id = Buffer.from(user_handle, 'base64url').toString('utf8');
  const answer = { response, challengeRow, challenge, userAgent };
  const { registration, factor } = await verifiedRegistration(services, user_id, answer);
  return transaction(services.db, async (tx) => {
    await redeemChallenge(tx, challengeRow);
    const newSessionId = newId(services.random, 'session', services.clock.now());
    const user = await newUser(services, tx, UNPROVEN, {
      user_id,
      status: 'active',
      unproven_email,
      unproven_in: newSessionId,
    });
    await tx
      .insertInto('webauthn_registrations')
      .values({ ...registration, added_in: newSessionId })
      .execute();
    // Another user's session does not go on, and neither does a login that lacks a factor.
    const reply = await enter(tx, { user, factor, presented: undefined, newSessionId });
    return { ...reply, webauthn_registration_id: registration.webauthn_registration_id };
  }).catch(refuseDuplicate);
}
