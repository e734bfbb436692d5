import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { redirectUrl } from '../project/project.ts';
import { hashPassword, needsRehash, normalPassword, verifyPassword } from './hash.ts';
import { checkPolicy, mustNotBeUsed, strengthOf } from './policy.ts';
import { checkChallenge, checkVerifier } from '../security/pkce-check.ts';
import { holdProvenSession, ownOf, withProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logIn, type NewFactor } from '../sessions/log-in.ts';
import { checkDuration, type AuthenticatedReply } from '../sessions/store.ts';
import type { Services } from '../services.ts';
import { forgive, take, takeForNetwork } from '../security/limits.ts';
import { findLink, redeemLink } from '../magic-links/store.ts';
import { takePasswordTry } from './tries.ts';
import { createPassword, findPassword, holdPassword, requireReset, setPassword, type Password } from './store.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { endAccessForPassword, endEverythingBut } from '../users/belongings.ts';
import { requireSecondFactor } from '../sessions/second-factor.ts';
import { emailKey, readUser } from '../users/read-user.ts';
import {
  activate,
  checkEmail,
  confirmEmail,
  findEmail,
  findOrCreateEmail,
  isTaken,
  lockEmail,
  type KnownEmail,
} from '../users/store.ts';
import { sendReset } from './reset-mail.ts';
import { checkSending, minutesIn } from '../outbox/sending.ts';

const FACTOR: NewFactor = { type: 'password', delivery_method: 'knowledge' };
const WRONG = 'The email address or the password is wrong.';
const RANGE = { fallback: 30, min: 5, max: 10_080 };

interface Claim {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

/**
 * The password row that the claim proves. Every claim counts as a try before it is checked, and takes equally long:
 * neither status, body nor time tells an address without a user, or a user without a password, from a wrong password.
 */
async function prove(services: Services, { email, password, caller }: Claim): Promise<Password> {
  checkEmail(email);
  const given = normalPassword(password);
  const known = await findEmail(services.db, email);
  const tries = await takePasswordTry(services, { key: emailKey(email), userId: known?.user_id, caller });
  const stored = await findPassword(services.db, known?.user_id ?? '');
  if (!(await verifyPassword(stored?.hash ?? null, given))) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('unauthorized_credentials', WRONG);
  }
  if (stored === undefined) throw new Refusal('unauthorized_credentials', WRONG);
  await forgive(services, tries);
  if (stored.requires_reset) throw new Refusal('reset_password');
  if (await mustNotBeUsed(services, given)) {
    await requireReset(services.db, stored.user_id);
    throw new Refusal('breached_password');
  }
  return stored;
}

/** Refuses an address whose user has a password already, or signs in without one. */
async function checkFree(db: Db, known: KnownEmail | undefined): Promise<void> {
  if (known === undefined) return;
  if ((await findPassword(db, known.user_id)) !== undefined) throw new Refusal('duplicate_email');
  if (isTaken(known)) throw new Refusal('reset_password');
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
  return logIn(services, tx, { user, factor: FACTOR, ...login });
}

/** Where a link of the reset email leads and how long it is good. */
function target(
  { project }: Services,
  kind: 'login' | 'reset_password',
  url: string | undefined,
  minutes: number | undefined,
) {
  const field = `${kind}_redirect_url`;
  const redirect = redirectUrl(project, url ?? project[`default_${kind}_redirect_url`]);
  if (redirect === null) {
    const message = `${field} is not registered as a redirect URL of this project.`;
    throw new Refusal('no_match_for_provided_magic_link_url', message);
  }
  return { redirect, minutes: minutesIn({ ...RANGE, field: `${kind}_expiration_minutes` }, minutes) };
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
   * For an address that nobody signed in with yet. A user without a password must use the reset email: only the reader
   * of the address's mail can set one.
   */
  async create(services, { body, caller }) {
    const { email, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    checkEmail(email);
    const password = normalPassword(body.password);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    await checkFree(services.db, await findEmail(services.db, email));
    await checkPolicy(services, password, email);
    const hash = await hashPassword(password);
    const { reply, email_id } = await transaction(services.db, async (tx) => {
      const known = await findOrCreateEmail(services, tx, email, 'pending');
      const { user_id, email_id } = known;
      const user = await lockUser(tx, user_id);
      // Reads again under the lock: the address may have been verified or signed up with in the meantime.
      await checkFree(tx, await findEmail(tx, email));
      if (user === undefined) throw new Refusal('service_unavailable', undefined, 1);
      if (!(await createPassword(services, tx, user_id, hash))) throw new Refusal('duplicate_email');
      await activate(tx, user_id);
      const presented = await caller.session.findIn(tx);
      return { reply: await logIn(services, tx, { user, factor: FACTOR, minutes, caller, presented }), email_id };
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
      if (user === null) throw new Refusal('unauthorized_credentials', WRONG);
      if (rehashed !== null) await setPassword(services, tx, user.user_id, rehashed);
      const presented = await caller.session.findIn(tx);
      return logIn(services, tx, { user, factor: FACTOR, minutes, caller, presented });
    });
  },

  async resetByEmailStart(services, { body, caller }) {
    const login = target(services, 'login', body.login_redirect_url, body.login_expiration_minutes);
    const reset = target(
      services,
      'reset_password',
      body.reset_password_redirect_url,
      body.reset_password_expiration_minutes,
    );
    checkChallenge(body.code_challenge, services.project.pkce_required_for_password_resets);
    await checkSending(services, body.email, caller);
    const code_challenge = body.code_challenge ?? null;
    await sendReset(services, { email: body.email, code_challenge, login, reset });
    return {};
  },

  /** Lets the reset page show the address, or that the link was spent, before a password is chosen. */
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
      if (user === null) throw new Refusal('unauthorized_credentials', WRONG);
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
