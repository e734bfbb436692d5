import { checkEmail, isSignedUp } from '#server-rules/accounts.ts';
import { ownOf } from '#domain/rules/delegates.ts';
import { PASSWORD_FACTOR } from '#domain/rules/factors.ts';
import { checkFree, normalPassword } from '#server-rules/passwords.ts';
import { checkArrival } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { withoutSecondFactor } from '#domain/rules/second-factor.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { findLink, redeemLink } from '../links/store.ts';
import { checkRequestOrigin, type MatchOptions } from '../request-origin.ts';
import { COSTLY_STEPS, take, takeForCaller, takesOfCaller, takeTogether } from '#provider/base/security/limits.ts';
import { checkLinkVerifier } from '../pkce-check.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { PasswordServices } from '../services.ts';
import { holdSession, type AdmittedSession } from '../sessions/reading/admission.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { staleProofOf } from '../sessions/factors/fresh.ts';
import type { LoginCompletion } from '../sessions/login/log-in.ts';
import { mfaRulesOf, secondFactorTables } from '../sessions/factors/policy.ts';
import { requireSecondFactor } from '../sessions/factors/second-factor.ts';
import { endAccessForPassword, endEverythingForReset } from '../users/belongings.ts';
import { comeIn, noteArrival } from '../users/coming-in.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { readUser } from '../users/read-user.ts';
import { confirmContact } from '../users/contact-changes.ts';
import { findContact, lockContact, markSignUp, type KnownContact } from '../users/contacts.ts';
import { checkWelcome } from '../users/newcomers.ts';
import { findOrCreateContact } from '../users/store.ts';
import { hashPassword } from './hash.ts';
import { checkPolicy } from './policy.ts';
import { withPassword, type PasswordClaim, type ProofServices } from './proof.ts';
import { createPassword, findPassword, replaceHash, setPassword } from './store.ts';
import { isOutdated } from './stored.ts';

interface PasswordFlowInput<R> {
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

/** Refuses an address if its user has a password already, or signs in without one. */
async function checkAddressFree(db: Db, contact: KnownContact | undefined): Promise<void> {
  if (contact === undefined) return;
  const hasPassword = (await findPassword(db, contact.user_id)) !== undefined;
  checkFree({ hasPassword, isTaken: isSignedUp(contact) });
}

interface NewPassword<R> extends PasswordFlowInput<R> {
  readonly email: string;
  readonly password: string;
  /** Additional work for the new user, in the same transaction. */
  readonly prepare?: (tx: Db, user: LockedUser) => Promise<void>;
}

/**
 * Signs up with a password, for an address that nobody has signed in with yet. A user without a password must use the reset email instead,
 * so that only the owner of the mailbox can set one.
 *
 * Address and password are marked with the new session. If the address is verified in that session, what the sign-up made is kept;
 * otherwise it is removed (`signUpSession`).
 */
export async function signUpByPassword<R>(
  services: PasswordServices,
  { email, password: rawPassword, caller, enter, prepare }: NewPassword<R>,
): Promise<{ readonly reply: R; readonly email_id: string }> {
  checkEmail(email);
  const password = normalPassword(rawPassword);
  const { searchesPerNetwork, passwordsPerNetwork } = services.limits;
  await takeTogether(
    services,
    [
      ...takesOfCaller(services, 'search', caller, searchesPerNetwork),
      ...takesOfCaller(services, 'password', caller, passwordsPerNetwork, COSTLY_STEPS),
    ],
    'too_many_requests',
  );
  // The address is not proven. Where not everybody may sign up, the refusal must not depend on it.
  const arrival = { email: null };
  checkArrival(services.project.sign_up, arrival);
  await checkAddressFree(services.db, await findContact(services.db, 'email', email));
  await checkPolicy(services, password, email);
  const hash = await hashPassword(password);
  return transaction(services.db, async (tx) => {
    const address = { kind: 'email', value: email } as const;
    const newcomer = { arrival, status: 'pending' } as const;
    const { user_id, method_id: email_id } = await findOrCreateContact(services, tx, address, newcomer);
    noteArrival(tx, user_id, arrival);
    const user = await lockUser(tx, user_id);
    // Reads again under the lock: the address may have been verified or signed up with in the meantime.
    await checkAddressFree(tx, await findContact(tx, 'email', email));
    if (user === undefined) throw new ChangedMeanwhile();
    const newSessionId = newId(services.random, 'session', services.clock.now());
    await comeIn(services, tx, user);
    if (!(await createPassword(services, tx, user_id, hash, newSessionId))) throw new Refusal('duplicate_email');
    await markSignUp(tx, email_id, newSessionId);
    await prepare?.(tx, user);
    const session = await caller.session.findIn(tx);
    return { reply: await enter(tx, { user, factor: PASSWORD_FACTOR, presented: session, newSessionId }), email_id };
  });
}

/** Logs in by a password. An outdated hash is replaced in the same transaction. */
export async function logInByPassword<R>(
  services: ProofServices,
  claim: PasswordClaim & PasswordFlowInput<R>,
): Promise<R> {
  const { password, caller, enter } = claim;
  return withPassword(services, claim, async (row) => {
    const replacement = isOutdated(row) ? await hashPassword(normalPassword(password)) : null;
    return async (tx, user) => {
      if (replacement !== null) await replaceHash(tx, user.user_id, replacement);
      return enter(tx, { user, factor: PASSWORD_FACTOR, presented: await caller.session.findIn(tx) });
    };
  });
}

/** Limits judgements and hashes, which cost CPU time, per network and, if known, per user or address. */
export async function takeForNew(services: RateLimitServices, caller: Caller, owner?: string): Promise<void> {
  const { searchesPerNetwork, newPasswordsPerUser } = services.limits;
  await takeForCaller(services, 'strength', caller, searchesPerNetwork);
  if (owner === undefined) return;
  await take(services, `new-password:${owner}`, newPasswordsPerUser, 'too_many_requests');
}

interface EmailReset<R> extends PasswordFlowInput<R> {
  readonly token: string;
  readonly password: string;
  readonly code_verifier: string | undefined;
  readonly options?: MatchOptions | undefined;
}

/**
 * Sets the password by the link of a reset email, and ends all earlier access, because it may be an intruder's. If the address was verified
 * before, the second factors stay. The session of the reset continues, but no longer counts as having proved one: the link proves only the
 * mailbox. A first verification ends both, because a stranger who signed up with the address may have added them.
 */
export async function resetByEmail<R>(services: PasswordServices, reset: EmailReset<R>): Promise<R> {
  const { token, code_verifier, options, caller, enter } = reset;
  const password = normalPassword(reset.password);
  const link = await findLink(services, token, 'reset_password');
  if (link === undefined || link.email_id === null) {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_magic_link');
  }
  const { email_id } = link;
  checkLinkVerifier(services, link, code_verifier);
  checkRequestOrigin(services, link, caller, options);
  await takeForNew(services, caller, email_id);
  const address = await services.db
    .selectFrom('emails')
    .select(['email', 'created_at'])
    .where('email_id', '=', email_id)
    .executeTakeFirst();
  await checkPolicy(services, password, address?.email);
  const hash = await hashPassword(password);
  const done = await transaction(services.db, async (tx) => {
    const found = await lockContact(tx, 'email', email_id);
    if (found === undefined || !(await redeemLink(tx, link))) return undefined;
    const session = await caller.session.findIn(tx);
    const { user } = found;
    await checkWelcome(services, tx, found.contact);
    await confirmContact(services, tx, found);
    // If the project has a policy for second factors, no one-factor session continues.
    const own = mfaRulesOf(services) === undefined ? ownOf(user, session) : undefined;
    const exemptions = { keptSessionId: own?.session_id ?? null, spared: secondFactorTables(services) };
    if (found.contact.verified) await endEverythingForReset(tx, user, email_id, exemptions);
    // Whoever added the address recently can reset the password by it, so the password is only as old as the address.
    await setPassword(services, tx, user.user_id, hash, { provenSince: address?.created_at });
    const firstFactorSession = mfaRulesOf(services) === undefined && session ? withoutSecondFactor(session) : undefined;
    return { reply: await enter(tx, { user, factor: PASSWORD_FACTOR, presented: firstFactorSession }) };
  });
  if (done === undefined) throw new Refusal('unable_to_auth_magic_link');
  return done.reply;
}

interface ExistingReset<R> extends PasswordClaim, PasswordFlowInput<R> {
  readonly new_password: string;
}

/** Sets a new password after proof of the old one. */
export async function resetByExistingPassword<R>(
  services: PasswordServices & ProofServices,
  reset: ExistingReset<R>,
): Promise<R> {
  const { email, new_password, caller, enter } = reset;
  const password = normalPassword(new_password);
  return withPassword(services, reset, async ({ user_id }) => {
    await takeForNew(services, caller, user_id);
    await checkPolicy(services, password, email);
    const hash = await hashPassword(password);
    return async (tx, user) => {
      const session = await caller.session.findIn(tx);
      const own = ownOf(user, session);
      await requireSecondFactor(services, tx, user.user_id, own);
      await endAccessForPassword(tx, user, own?.session_id ?? null);
      await setPassword(services, tx, user.user_id, hash, { sessionId: own?.session_id, isProven: true });
      return enter(tx, { user, factor: PASSWORD_FACTOR, presented: session });
    };
  });
}

interface SessionReset<R> extends PasswordFlowInput<R> {
  readonly password: string;
  readonly session: AdmittedSession;
}

/** Sets the password of the user who is signed in. */
export async function resetBySession<R>(services: PasswordServices, reset: SessionReset<R>): Promise<R> {
  const { caller, session, enter } = reset;
  const { user_id } = session;
  const password = normalPassword(reset.password);
  await takeForNew(services, caller, user_id);
  const { emails } = await readUser(services.db, user_id);
  const [email] = emails;
  if (email === undefined)
    throw new Refusal('email_not_found', 'A password is used with an email address: add one first.');
  await checkPolicy(services, password, email.email);
  const hash = await hashPassword(password);
  return transaction(services.db, async (tx) => {
    const { session: current, user } = await holdSession(services, tx, session);
    // After a recent proof, the new password is trusted as much as the old one.
    const isProven = (await staleProofOf(services, tx, current)) === null;
    await endAccessForPassword(tx, user, current.session_id);
    await setPassword(services, tx, user.user_id, hash, { sessionId: current.session_id, isProven });
    return enter(tx, { user, factor: PASSWORD_FACTOR, presented: current });
  });
}
