import { passwords } from '../../../application/api/index.ts';
import type { PasswordStrength } from '../../../domain/password-strength.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { Answers, Caller } from './answers.ts';
import { findLink, issueLink, linkTo, target } from './links.ts';
import {
  change,
  checkEmail,
  confirmEmail,
  emailsOf,
  endSessions,
  findEmail,
  findOrCreateEmail,
  isTaken,
  readUser,
} from './people.ts';
import { checkChallenge, checkVerifier } from './pkce.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, requireSession, sessionOf, type SignedIn } from './sign-in.ts';
import type { ServerState } from './state.ts';

const FACTOR = { type: 'password', delivery_method: 'knowledge' };
const GOOD_SCORE = 3;
const MIN_LENGTH = 8;

/**
 * What the server says of a password. The score is no zxcvbn: a point for length, for more length, for a mix of kinds
 * and for more than one word or kind. Policy `luds` where the project has a `password_config`.
 */
export function strengthOf(state: ServerState, password: string): PasswordStrength {
  const { breachedPasswords } = state.settings;
  const kinds = {
    has_digit: /\p{Nd}/u.test(password),
    has_lower_case: /\p{Ll}/u.test(password),
    has_symbol: /[^\p{L}\p{N}]/u.test(password),
    has_upper_case: /\p{Lu}/u.test(password),
  };
  const length = Array.from(password).length;
  const complexity = Object.values(kinds).filter(Boolean).length;
  const breached_password = breachedPasswords.includes(password);
  const points = [length >= MIN_LENGTH, length >= 12, length >= 16, complexity >= 2, complexity >= 3];
  const score = breached_password ? 0 : Math.min(4, points.filter(Boolean).length);
  const { luds_complexity, luds_minimum_count } = ludsOf(state) ?? { luds_complexity: 3, luds_minimum_count: 8 };
  const luds_requirements = {
    ...kinds,
    missing_characters: Math.max(0, luds_minimum_count - length),
    missing_complexity: Math.max(0, luds_complexity - complexity),
  };
  const policy = ludsOf(state) === null ? 'zxcvbn' : 'luds';
  const meets = luds_requirements.missing_characters + luds_requirements.missing_complexity === 0;
  const strong = policy === 'luds' ? meets : score >= GOOD_SCORE && length >= MIN_LENGTH;
  return {
    valid_password: strong && !breached_password,
    score,
    breached_password,
    breach_detection_on_create: true,
    strength_policy: policy,
    feedback: { warning: strong ? '' : 'This is easy to guess.', suggestions: [], luds_requirements },
  };
}

function ludsOf({
  project,
}: ServerState): { readonly luds_complexity: number; readonly luds_minimum_count: number } | null {
  const config = project['password_config'];
  if (!isRecord(config)) return null;
  return {
    luds_complexity: Number(config['luds_complexity']),
    luds_minimum_count: Number(config['luds_minimum_count']),
  };
}

function checkPolicy(state: ServerState, password: string): void {
  const { valid_password, breached_password } = strengthOf(state, password);
  if (!valid_password) throw new Refused(breached_password ? 'breached_password' : 'weak_password');
}

interface Claim {
  readonly email: string;
  readonly password: string;
}

/** The user whom the claim proves. */
function prove(state: ServerState, { email, password }: Claim): string {
  checkEmail(email);
  const known = findEmail(state, email);
  const { user_id = '' } = known?.user ?? {};
  const stored = state.passwords.get(user_id);
  if (stored === undefined || stored !== password) throw new Refused('unauthorized_credentials');
  if (state.users.get(user_id)?.password?.requires_reset === true) throw new Refused('reset_password');
  if (state.settings.breachedPasswords.includes(password)) {
    change(state, user_id, { password: { password_id: state.id('password'), requires_reset: true } });
    throw new Refused('breached_password');
  }
  return user_id;
}

interface Change {
  readonly user_id: string;
  readonly password: string;
  readonly minutes: number;
  readonly caller: Caller;
}

/** Sets the password and logs in. What the old one opened is shut: other sessions, and links on their way. */
function set(state: ServerState, { user_id, password, minutes, caller }: Change): SignedIn {
  const presented = sessionOf(state, caller)?.session;
  endSessions(state, user_id, presented?.user_id === user_id ? presented.session_id : null);
  const { emails, password: before } = readUser(state, user_id);
  const own = new Set(emails.map(({ email_id }) => email_id));
  for (const [token, { email_id }] of state.links) if (own.has(email_id)) state.links.delete(token);
  state.passwords.set(user_id, password);
  const password_id = before?.password_id ?? state.id('password');
  change(state, user_id, { password: { password_id, requires_reset: false } });
  return logIn(state, { user_id, factor: FACTOR, minutes, caller });
}

/** Passwords: logging in by them and the three ways to set a new one. */
export function answerPasswords(answers: Answers, state: ServerState): void {
  answers
    .to(passwords.create, ({ email, password, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      checkEmail(email);
      checkPolicy(state, password);
      const { user, email_id, ...known } = findOrCreateEmail(state, email, 'pending');
      if (user.password !== null) throw new Refused('duplicate_email');
      if (isTaken({ user, email_id, ...known })) throw new Refused('reset_password');
      const { user_id } = user;
      state.passwords.set(user_id, password);
      const made = { password_id: state.id('password'), requires_reset: false };
      change(state, user_id, { status: 'active', password: made });
      return { ...logIn(state, { user_id, factor: FACTOR, minutes, caller }), email_id };
    })
    .to(passwords.authenticate, ({ email, password, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      return logIn(state, { user_id: prove(state, { email, password }), factor: FACTOR, minutes, caller });
    })
    .to(passwords.resetByEmailStart, (body) => {
      const login = target(state, body.login_redirect_url, body.login_expiration_minutes);
      const reset = target(state, body.reset_password_redirect_url, body.reset_password_expiration_minutes);
      checkChallenge(state, 'pkce_required_for_password_resets', body.code_challenge);
      checkEmail(body.email);
      const known = findEmail(state, body.email);
      // As for an address that somebody has: the reply does not tell.
      if (known?.user.status !== 'active') return {};
      const link = { email_id: known.email_id, challenge: body.code_challenge, adds: null };
      const token = issueLink(state, { ...link, purpose: 'reset_password', minutes: reset.minutes });
      const instead = issueLink(state, { ...link, purpose: 'login', minutes: login.minutes });
      const links = {
        reset_password: linkTo(reset.url, token, 'reset_password'),
        login: linkTo(login.url, instead, 'login'),
      };
      state.inbox.unshift({ channel: 'email', to: known.email, token, links });
      return {};
    })
    .to(passwords.resetByEmailCheck, ({ token }) => {
      const { email_id } = findLink(state, token, 'reset_password');
      return { email: emailsOf(state).find((known) => known.email_id === email_id)?.email ?? '' };
    })
    .to(passwords.resetByEmail, async (body, caller) => {
      const { token, password, code_verifier, session_duration_minutes: minutes } = body;
      checkDuration(minutes);
      const { challenge, email_id } = findLink(state, token, 'reset_password');
      await checkVerifier(state, challenge, code_verifier);
      checkPolicy(state, password);
      findLink(state, token, 'reset_password');
      state.links.delete(token);
      const email = confirmEmail(state, email_id, sessionOf(state, caller)?.session.user_id ?? null);
      if (email === undefined) throw new Refused('unable_to_auth_magic_link');
      return set(state, { user_id: email.user.user_id, password, minutes, caller });
    })
    .to(passwords.resetByExistingPassword, (body, caller) => {
      const { email, existing_password, new_password, session_duration_minutes: minutes } = body;
      checkDuration(minutes);
      const user_id = prove(state, { email, password: existing_password });
      checkPolicy(state, new_password);
      return set(state, { user_id, password: new_password, minutes, caller });
    })
    .to(passwords.resetBySession, ({ password, session_duration_minutes: minutes }, caller) => {
      if (minutes !== undefined) checkDuration(minutes);
      const { user_id } = requireSession(state, caller).session;
      if (readUser(state, user_id).emails.length === 0) throw new Refused('email_not_found');
      checkPolicy(state, password);
      // Without minutes the session keeps its end.
      return set(state, { user_id, password, minutes: minutes ?? 0, caller });
    })
    .to(passwords.strengthCheck, ({ password }) => strengthOf(state, password));
}
