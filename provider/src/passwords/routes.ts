import { PASSWORD_FACTOR } from '../../../src/domain/rules/factors.ts';
import { linkTarget, type LinkTarget } from '../../../src/domain/rules/redirects.ts';
import { checkEmail, emailKey, isTaken } from '../../../src/domain/rules/accounts.ts';
import { ownOf } from '../../../src/domain/rules/delegates.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { checkFree, normalPassword, WRONG_PASSWORD } from '../../../src/domain/rules/passwords.ts';
import { checkChallenge } from '../../../src/domain/rules/proof-key.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { hashPassword, needsRehash, verifyPassword } from './hash.ts';
import { checkPolicy, mustNotBeUsed, strengthOf } from './policy.ts';
import { checkVerifier } from '../security/pkce-check.ts';
import { holdProvenSession, withProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logIn } from '../sessions/log-in.ts';
import type { AuthenticatedReply } from '../sessions/store.ts';
import type { Services } from '../services.ts';
import { forgive, take, takeForNetwork } from '../security/limits.ts';
import { findLink, redeemLink } from '../magic-links/store.ts';
import { takePasswordTry } from './tries.ts';
import { createPassword, findPassword, holdPassword, requireReset, setPassword, type Password } from './store.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { endAccessForPassword, endEverythingBut } from '../users/belongings.ts';
import { requireSecondFactor } from '../sessions/second-factor.ts';
import { readUser } from '../users/read-user.ts';
import { activate, confirmEmail, findEmail, findOrCreateEmail, lockEmail, type KnownEmail } from '../users/store.ts';
import { sendReset } from './reset-mail.ts';
import { checkSending } from '../outbox/sending.ts';

interface Claim {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

/**
 * The password row that matches the entered password. Every try is counted before it is checked, and takes equally long:
 * status, body and time are the same for an unknown address, a user without a password and a wrong password.
 */
async function prove(services: Services, { email, password, caller }: Claim): Promise<Password> {
  checkEmail(email);
  const given = normalPassword(password);
  const known = await findEmail(services.db, email);
  const tries = await takePasswordTry(services, { key: emailKey(email), userId: known?.user_id, caller });
  const stored = await findPassword(services.db, known?.user_id ?? '');
  if (!(await verifyPassword(stored?.hash ?? null, given))) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('unauthorized_credentials', WRONG_PASSWORD);
  }
  if (stored === undefined) throw new Refusal('unauthorized_credentials', WRONG_PASSWORD);
  await forgive(services, tries);
  if (stored.requires_reset) throw new Refusal('reset_password');
  if (await mustNotBeUsed(services, given)) {
    await requireReset(services.db, stored.user_id);
    throw new Refusal('breached_password');
  }
  return stored;
}

/** Refuses an address whose user has a password already, or signs in without one. */
async function checkAddressFree(db: Db, known: KnownEmail | undefined): Promise<void> {
  if (known === undefined) return;
  const hasPassword = (await findPassword(db, known.user_id)) !== undefined;
  checkFree({ hasPassword, taken: isTaken(known) });
}

interface Change {
  readonly user: LockedUser;
  readonly hash: string;
  readonly minutes: number;
  readonly caller: Caller;
  readonly presented: CurrentSession | undefined;
}

/** Sets the password and logs in. */
async function change(services: Services, tx: Db, { user, hash, ...login }: Change): Promise<AuthenticatedReply> {
  await setPassword(services, tx, user.user_id, hash);
  return logIn(services, tx, { user, factor: PASSWORD_FACTOR, ...login });
}

/** Limits judgements and hashes, which cost CPU time, per network and per user or address where it is known. */
async function takeForNew(services: Services, { address }: Caller, owner?: string): Promise<void> {
  const { searchesPerNetwork, newPasswordsPerUser } = services.limits;
  await takeForNetwork(services, 'strength', address, searchesPerNetwork);
  if (owner === undefined) return;
  await take(services, `new-password:${owner}`, newPasswordsPerUser, 'too_many_requests');
}

export const passwords: Routes['passwords'] = {
  /**
   * For an address that nobody has signed in with yet. A user without a password must use the reset email, so that only the
   * owner of the mailbox can set one.
   */
  async create(services, { body, caller }) {
    const { email, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    checkEmail(email);
    const password = normalPassword(body.password);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    await checkAddressFree(services.db, await findEmail(services.db, email));
    await checkPolicy(services, password, email);
    const hash = await hashPassword(password);
    const { reply, email_id } = await transaction(services.db, async (tx) => {
      const known = await findOrCreateEmail(services, tx, email, 'pending');
      const { user_id, email_id } = known;
      const user = await lockUser(tx, user_id);
      // Reads again under the lock: the address may have been verified or signed up with in the meantime.
      await checkAddressFree(tx, await findEmail(tx, email));
      if (user === undefined) throw new Refusal('service_unavailable', undefined, 1);
      if (!(await createPassword(services, tx, user_id, hash))) throw new Refusal('duplicate_email');
      await activate(tx, user_id);
      const presented = await caller.session.findIn(tx);
      return {
        reply: await logIn(services, tx, { user, factor: PASSWORD_FACTOR, minutes, caller, presented }),
        email_id,
      };
    });
    return { ...reply, email_id };
  },

  async authenticate(services, { body, caller }) {
    const { email, password, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const proven = await prove(services, { email, password, caller });
    const rehashed = needsRehash(proven.hash) ? await hashPassword(normalPassword(password)) : null;
    return transaction(services.db, async (tx) => {
      const user = await holdPassword(tx, proven);
      if (user === null) throw new Refusal('unauthorized_credentials', WRONG_PASSWORD);
      if (rehashed !== null) await setPassword(services, tx, user.user_id, rehashed);
      const presented = await caller.session.findIn(tx);
      return logIn(services, tx, { user, factor: PASSWORD_FACTOR, minutes, caller, presented });
    });
  },

  async resetByEmailStart(services, { body, caller }) {
    const target = (kind: 'login' | 'reset_password'): LinkTarget =>
      linkTarget(services.project, kind, {
        url: [`${kind}_redirect_url`, body[`${kind}_redirect_url`]],
        minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`]],
      });
    const [login, reset] = [target('login'), target('reset_password')];
    checkChallenge(body.code_challenge, services.project.pkce_required_for_password_resets);
    await checkSending(services, body.email, caller);
    const code_challenge = body.code_challenge ?? null;
    await sendReset(services, { email: body.email, code_challenge, login, reset });
    return {};
  },

  /** Lets the reset page show the address, or that the link is used up, before a password is chosen. */
  async resetByEmailCheck(services, { body, caller }) {
    const link = await findLink(services, body.token, 'reset_password');
    const mailed = await services.db
      .selectFrom('emails')
      .select('email')
      .where('email_id', '=', link?.email_id ?? '')
      .executeTakeFirst();
    if (mailed !== undefined) return { email: mailed.email };
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_magic_link');
  },

  async resetByEmail(services, { body, caller }) {
    const { session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const password = normalPassword(body.password);
    const link = await findLink(services, body.token, 'reset_password');
    if (link === undefined || link.email_id === null) {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      throw new Refusal('unable_to_auth_magic_link');
    }
    const { email_id } = link;
    checkVerifier(link.code_challenge, body.code_verifier);
    await takeForNew(services, caller, email_id);
    const known = await services.db
      .selectFrom('emails')
      .select('email')
      .where('email_id', '=', email_id)
      .executeTakeFirst();
    await checkPolicy(services, password, known?.email);
    const hash = await hashPassword(password);
    const reply = await transaction(services.db, async (tx) => {
      const found = await lockEmail(tx, email_id);
      if (found === undefined || !(await redeemLink(tx, link))) return undefined;
      const presented = await caller.session.findIn(tx);
      const own = ownOf(found.user, presented);
      const { user } = await confirmEmail(tx, found, own);
      // Somebody else may have had access before the reset, so everything from before ends.
      await endEverythingBut(tx, user, { email_id }, own?.session_id ?? null);
      return change(services, tx, { user, hash, minutes, caller, presented });
    });
    if (reply === undefined) throw new Refusal('unable_to_auth_magic_link');
    return reply;
  },

  async resetByExistingPassword(services, { body, caller }) {
    const { email, existing_password, new_password, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const password = normalPassword(new_password);
    const proven = await prove(services, { email, password: existing_password, caller });
    await takeForNew(services, caller, proven.user_id);
    await checkPolicy(services, password, email);
    const hash = await hashPassword(password);
    return transaction(services.db, async (tx) => {
      const user = await holdPassword(tx, proven);
      if (user === null) throw new Refusal('unauthorized_credentials', WRONG_PASSWORD);
      const presented = await caller.session.findIn(tx);
      const own = ownOf(user, presented);
      await requireSecondFactor(tx, user.user_id, own);
      await endAccessForPassword(tx, user, own?.session_id ?? null);
      return change(services, tx, { user, hash, minutes, caller, presented });
    });
  },

  resetBySession: withProvenSession(async (services, { body, caller, session }) => {
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const { user_id } = session;
    const password = normalPassword(body.password);
    await takeForNew(services, caller, user_id);
    const { emails } = await readUser(services.db, user_id);
    const [email] = emails;
    if (email === undefined)
      throw new Refusal('email_not_found', 'A password is used with an email address: add one first.');
    await checkPolicy(services, password, email.email);
    const hash = await hashPassword(password);
    return transaction(services.db, async (tx) => {
      const { session: presented, user } = await holdProvenSession(services, tx, session);
      await endAccessForPassword(tx, user, presented.session_id);
      // Without minutes the session keeps its expiry.
      return change(services, tx, { user, hash, minutes: minutes ?? 0, caller, presented });
    });
  }),

  /** Called at every change of the field, so it is limited like a search. */
  async strengthCheck(services, { body, caller }) {
    const password = normalPassword(body.password);
    await takeForNew(services, caller);
    return strengthOf(services, password, body.email);
  },
};
