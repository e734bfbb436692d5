import { checkEmail, emailKey } from '#server-rules/accounts.ts';
import { normalPassword, resetRefusal, WRONG_PASSWORD } from '#server-rules/passwords.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { forgive, takeForCaller } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { LockedUser } from '../users/lock.ts';
import { findContact, type KnownContact } from '../users/contacts.ts';
import {
  isCorrectElsewhere,
  oldSystemOf,
  unchecked,
  type OldSystemClaim,
  type OldSystemServices,
} from './old-system.ts';
import { mustNotBeUsed } from './policy.ts';
import { findPassword, holdPassword, requireResetOf, somePassword, type Password } from './store.ts';
import { isElsewhere, isPassword } from './stored.ts';
import { takePasswordTry } from './tries.ts';

export interface PasswordClaim {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

export type ProofServices = RateLimitServices & OldSystemServices & Pick<Services, 'breaches'>;

const wrongPassword = (): Refusal => new Refusal('unauthorized_credentials', WRONG_PASSWORD);

/**
 * The password row that matches the entered password. Every try is counted before it is checked. Status, body and time are the same for an
 * unknown address, a user without a password and a wrong password: if there is no password, the entered one is compared with another
 * user's, selected by the address, and rejected. A password that only the old system can check takes as long as its answer.
 */
async function prove(services: ProofServices, { email, password, caller }: PasswordClaim): Promise<Password> {
  checkEmail(email);
  const normalForm = normalPassword(password);
  const key = emailKey(email);
  const contact = await findContact(services.db, 'email', email);
  caller.trail.about = contact?.user_id ?? null;
  const tries = await takePasswordTry(services, { key, userId: contact?.user_id, caller });
  const stored = await findPassword(services.db, contact?.user_id ?? '');
  const other = await somePassword(services, key);
  const compared = stored ?? other;
  const isRight =
    compared !== undefined && isElsewhere(compared)
      ? await isCorrectElsewhere(services, await claimOf(services.db, contact, password), caller.address)
      : await isPassword(services, compared, password);
  if (!isRight || stored === undefined) {
    if (compared !== undefined && isElsewhere(compared)) await isPassword(services, undefined, password);
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    // Otherwise the outage would reveal whose password is elsewhere.
    throw oldSystemOf(services)?.isOut === true ? unchecked() : wrongPassword();
  }
  await forgive(services, tries);
  const breached = await mustNotBeUsed(services, normalForm);
  if (breached) await requireResetOf(services.db, stored);
  if (breached || stored.requires_reset) throw resetRefusal(breached);
  return stored;
}

/** What the old system is asked about a user; null for an unknown address. */
async function claimOf(db: Db, contact: KnownContact | undefined, password: string): Promise<OldSystemClaim | null> {
  const row = await db
    .selectFrom('emails')
    .innerJoin('users', 'users.user_id', 'emails.user_id')
    .innerJoin('passwords', 'passwords.user_id', 'users.user_id')
    .select(['emails.email', 'users.user_id', 'users.external_id'])
    .where('emails.email_id', '=', contact?.method_id ?? '')
    .executeTakeFirst();
  return row === undefined ? null : { ...row, password };
}

/** The work to do after the proof, in a transaction that has locked the user. */
type ProvenPasswordAction<R> = (tx: Db, user: LockedUser) => Promise<R>;

/**
 * Proves a password, prepares the work, and carries it out if the password is still the same. A simultaneous login of the user may have
 * replaced an outdated hash; in that case everything is tried once more.
 */
export async function withPassword<R>(
  services: ProofServices,
  claim: PasswordClaim,
  prepare: (row: Password) => Promise<ProvenPasswordAction<R>>,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await prove(services, claim);
    const work = await prepare(row);
    const done = await transaction(services.db, async (tx) => {
      const user = await holdPassword(tx, row);
      return user === null ? undefined : { result: await work(tx, user) };
    });
    if (done !== undefined) return done.result;
    if (attempt === 2) throw wrongPassword();
  }
}
