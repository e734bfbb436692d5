import { passwords } from '#application/api/index.ts';
import { ownOf } from '#domain/rules/delegates.ts';
import { checkEmail, isSignedUp } from '#server-rules/accounts.ts';
import { PASSWORD_FACTOR } from '#domain/rules/factors.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import {
  checkFree,
  checkStrength,
  judgePassword,
  normalPassword,
  resetRefusal,
  WRONG_PASSWORD,
  type PasswordEstimate,
} from '#server-rules/passwords.ts';
import { checkArrival } from '#server-rules/sign-ups.ts';
import { withToken, type LinkTarget } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { PasswordStrength } from '#domain/passwords/password-strength.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { findLink, issueLink, targetOf } from './links.ts';
import { endAccessForPassword, endEverythingForReset } from '../state/belongings.ts';
import { checkWelcome, isWelcome } from '../state/newcomers.ts';
import { confirmContact, contactById, findContact, findOrCreateContact } from '../state/people.ts';
import { change, comeIn, endTrust, readUser } from '../state/user-rows.ts';
import { logIn, sessionIdOf, type LoginOutcome, requireSecondFactor, sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';

/** A simple score instead of zxcvbn: points for length, more length, several kinds of characters, and several words or kinds. */
function estimate(state: ServerState, password: string): PasswordEstimate & { readonly breached: boolean } {
  const breached = state.settings.breachedPasswords.includes(password);
  const length = Array.from(password).length;
  const kinds = [/\p{Nd}/u, /\p{Ll}/u, /[^\p{L}\p{N}]/u, /\p{Lu}/u].filter((kind) => kind.test(password)).length;
  const points = [length >= 8, length >= 12, length >= 16, kinds >= 2, kinds >= 3];
  const score = breached ? 0 : Math.min(4, points.filter(Boolean).length);
  return { score, breached, warning: score < 3 ? 'This is easy to guess.' : '', suggestions: [] };
}

/** The server's check of a password. The policy is `luds` if the project has a `password_config`. */
export function strengthOf(state: ServerState, password: string): PasswordStrength {
  return judgePassword(state.rules(), password, estimate(state, password));
}

interface Claim {
  readonly email: string;
  readonly password: string;
}

/** The user with this email and password. */
function prove(state: ServerState, { email, password }: Claim): string {
  checkEmail(email);
  const contact = findContact(state, 'email', email);
  const { user_id = '' } = contact?.user ?? {};
  const stored = state.passwords.get(user_id);
  const candidate = normalPassword(password);
  if (stored === undefined || stored !== candidate) throw new Refusal('unauthorized_credentials', WRONG_PASSWORD);
  const { password: record } = readUser(state, user_id);
  const breached = state.rules().breach_detection && state.settings.breachedPasswords.includes(candidate);
  if (breached) change(state, user_id, { password: record && { ...record, requires_reset: true } });
  if (breached || record?.requires_reset === true) throw resetRefusal(breached);
  return user_id;
}

interface Change {
  readonly user_id: string;
  /** The session in which the password is set. */
  readonly added_in?: string | undefined;
  /** Whether the previous password was proven. */
  readonly isProven?: boolean;
  readonly password: string;
  readonly minutes: number;
  readonly caller: Caller;
}

/** Sets the password and logs in. */
function set(
  state: ServerState,
  { user_id, added_in, isProven = false, password, minutes, caller }: Change,
): LoginOutcome {
  const { password: before } = readUser(state, user_id);
  state.passwords.set(user_id, password);
  endTrust(state, user_id);
  const password_id = before?.password_id ?? state.id('password');
  change(state, user_id, { password: { password_id, requires_reset: false } });
  const isOld = state.olderThanSession.has(password_id) || state.addedIn.get(password_id) !== added_in;
  if (isProven && isOld) state.olderThanSession.add(password_id);
  else state.olderThanSession.delete(password_id);
  state.addedIn.delete(password_id);
  if (added_in !== undefined) state.addedIn.set(password_id, added_in);
  return logIn(state, { user_id, factor: PASSWORD_FACTOR, minutes, caller });
}

/** Passwords: the login, and the three ways to set a new password. */
export function answerPasswords(answers: Answers, state: ServerState): void {
  answers
    .to(passwords.create, ({ email, password: rawPassword, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      checkEmail(email);
      const password = normalPassword(rawPassword);
      // The address is not proven.
      const arrival = { email: null };
      checkArrival(state.settings.signUp, arrival);
      const before = findContact(state, 'email', email);
      checkFree(before && { hasPassword: before.user.password !== null, isTaken: isSignedUp(before) });
      checkStrength(strengthOf(state, password));
      const { user_id, method_id: email_id } = findOrCreateContact(state, 'email', email, {
        arrival,
        status: 'pending',
      });
      comeIn(state, user_id);
      const signedIn = set(state, { user_id, password, minutes, caller });
      // Only the user who verifies the address in this session keeps what was added at the sign-up (`signUpSession`).
      const { password_id = '' } = readUser(state, user_id).password ?? {};
      for (const id of [email_id, password_id]) {
        state.addedIn.set(id, sessionIdOf(state, signedIn));
        state.olderThanSession.add(id);
      }
      return { ...signedIn, email_id };
    })
    .to(passwords.authenticate, ({ email, password, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      return logIn(state, { user_id: prove(state, { email, password }), factor: PASSWORD_FACTOR, minutes, caller });
    })
    .to(passwords.resetByEmailStart, (body) => {
      const target = (kind: 'login' | 'reset_password'): LinkTarget =>
        targetOf(state, kind, {
          url: [`${kind}_redirect_url`, body[`${kind}_redirect_url`]],
          minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`]],
        });
      const [login, reset] = [target('login'), target('reset_password')];
      state.checkChallengeFor('reset_password', body.code_challenge);
      checkEmail(body.email);
      const contact = findContact(state, 'email', body.email);
      // The same reply as for a known address, so that it does not reveal which addresses exist.
      if (contact?.status !== 'active' || !isWelcome(state, contact)) return {};
      const { method_id: email_id, user_id, value: to } = contact;
      const link = { email_id, user_id, challenge: body.code_challenge ?? null, adds: null };
      const token = issueLink(state, { ...link, purpose: 'reset_password', minutes: reset.minutes });
      const instead = issueLink(state, { ...link, purpose: 'login', minutes: login.minutes });
      const links = {
        reset_password: withToken(reset.redirect.href, token, 'reset_password'),
        login: withToken(login.redirect.href, instead, 'login'),
      };
      state.inbox.unshift({ channel: 'email', to, token, links });
      return {};
    })
    .to(passwords.resetByEmailCheck, ({ token }) => {
      const { email_id } = findLink(state, token, 'reset_password');
      const contact = contactById(state, 'email', email_id);
      if (contact === undefined) throw new Refusal('unable_to_auth_magic_link');
      return { email: contact.value };
    })
    .to(passwords.resetByEmail, async (body, caller) => {
      const { token, code_verifier, session_duration_minutes: minutes } = body;
      checkDuration(minutes);
      const password = normalPassword(body.password);
      await state.checkLink(findLink(state, token, 'reset_password'), code_verifier);
      const { email_id, user_id } = findLink(state, token, 'reset_password');
      checkStrength(strengthOf(state, password));
      const own = ownOf({ user_id }, sessionOf(state, caller));
      const before = contactById(state, 'email', email_id);
      checkWelcome(state, before);
      const isKnown = before?.verified === true;
      if (confirmContact(state, 'email', email_id) === undefined) throw new Refusal('unable_to_auth_magic_link');
      // The person cannot know who else had access, so all other access ends. A mailbox alone does not remove the second factor.
      if (isKnown) endEverythingForReset(state, user_id, email_id, own);
      return set(state, { user_id, password, minutes, caller });
    })
    .to(passwords.resetByExistingPassword, (body, caller) => {
      const { email, existing_password, session_duration_minutes: minutes } = body;
      checkDuration(minutes);
      const password = normalPassword(body.new_password);
      const user_id = prove(state, { email, password: existing_password });
      checkStrength(strengthOf(state, password));
      const own = ownOf({ user_id }, sessionOf(state, caller));
      requireSecondFactor(state, user_id, own);
      endAccessForPassword(state, user_id, own?.session_id ?? null);
      return set(state, { user_id, added_in: own?.session_id, isProven: true, password, minutes, caller });
    })
    .to(passwords.resetBySession, ({ password: rawPassword, session_duration_minutes: minutes }, caller) => {
      const { user_id, session_id } = requireSession(state, caller);
      if (minutes !== undefined) checkDuration(minutes);
      const password = normalPassword(rawPassword);
      if (readUser(state, user_id).emails.length === 0) {
        throw new Refusal('email_not_found', 'A password is used with an email address: add one first.');
      }
      checkStrength(strengthOf(state, password));
      endAccessForPassword(state, user_id, session_id);
      // Without a duration, the session keeps its expiry time.
      return set(state, { user_id, added_in: session_id, password, minutes: minutes ?? 0, caller });
    })
    .to(passwords.strengthCheck, ({ password }) => strengthOf(state, normalPassword(password)));
}
