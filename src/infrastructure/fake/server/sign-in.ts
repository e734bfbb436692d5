import type { AuthenticationReply } from '../../../application/api/index.ts';
import { joins, requireOwn } from '../../../domain/rules/delegates.ts';
import { stamped, withFactor, type NewFactor } from '../../../domain/rules/factors.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import { checkSecondFactor } from '../../../domain/rules/second-factor.ts';
import type { Session } from '../../../domain/sessions/session.ts';
import type { Caller } from './answers.ts';
import { endOf, isLive } from './lifetime.ts';
import { readUser } from './user-rows.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';

/** The reply of every authenticate call, without the fields that the transport adds. */
export type SignedIn = Required<
  Pick<AuthenticationReply, 'user_id' | 'user' | 'session' | 'session_token' | 'session_jwt'>
>;

export interface SignInProof {
  readonly user_id: string;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
  /** The family of app tokens from which the session is made, if any. */
  readonly family_id?: string | null;
}

/** The live session of the token or JWT that the caller presents. */
export function sessionOf(state: ServerState, { session: secret }: Pick<Caller, 'session'>): LiveSession | undefined {
  const [head, id = '', stamp = ''] = (secret ?? '').split('.');
  const live =
    head === 'jwt' ? state.sessions.get(id) : [...state.sessions.values()].find(({ token }) => token === secret);
  if (live === undefined || !isLive(state, live)) return undefined;
  if (head !== 'jwt') return live;
  return stamp.startsWith(`${live.generation}-`) ? { ...live, of_jwt: true } : undefined;
}

/** Like `sessionOf`, but refuses when there is no live session. */
export function requireSession(state: ServerState, caller: Caller): LiveSession {
  if (caller.session === null) throw new Refusal('user_unauthenticated');
  const live = sessionOf(state, caller);
  if (live === undefined) throw new Refusal('unauthorized_credentials');
  return live;
}

/** Refuses a session that lacks the user's second factor. */
export function requireSecondFactor(state: ServerState, userId: string, session: LiveSession | undefined): void {
  const totp = state.totps.get(userId);
  checkSecondFactor(totp?.verified === true ? totp.totp_id : undefined, userId, session);
}

/** Whether `requireSecondFactor` lets the session pass. */
export function provesSecondFactor(...asked: Parameters<typeof requireSecondFactor>): boolean {
  try {
    requireSecondFactor(...asked);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Like `requireSession`, but refuses apps and impersonators. */
export function requireOwnSession(state: ServerState, caller: Caller): LiveSession {
  const live = requireSession(state, caller);
  requireOwn(live);
  return live;
}

/** Like `requireOwnSession`, and requires the second factor if the user has one: for calls that show or change factors. */
export function requireProvenSession(state: ServerState, caller: Caller): LiveSession {
  const live = requireOwnSession(state, caller);
  requireSecondFactor(state, live.user_id, live);
  return live;
}

/** Starts a session, or adds the factor to the presented live session of the same user. Issues a new token in both cases. */
export function logIn(state: ServerState, { factor, minutes, caller, ...login }: SignInProof): SignedIn {
  const now = state.stamp();
  const before = sessionOf(state, caller);
  const token = `session-token-${state.next()}`;
  if (before !== undefined && joins(before, login)) {
    return keep(state, {
      ...before,
      token,
      generation: before.generation + 1,
      last_accessed_at: now,
      expires_at: endOf(state, before, minutes),
      authentication_factors: withFactor(before.authentication_factors, factor, state.now()),
    });
  }
  const started = { started_at: now, family_id: login.family_id ?? null };
  return keep(state, {
    ...started,
    session_id: state.id('session'),
    user_id: login.user_id,
    last_accessed_at: now,
    expires_at: endOf(state, started, minutes),
    attributes: { ip_address: '127.0.0.1', user_agent: caller.userAgent },
    authentication_factors: [stamped(factor, state.now())],
    token,
    generation: 1,
  });
}

/** Stores the session, and returns the reply of an authenticate call. */
export function keep(state: ServerState, found: LiveSession): SignedIn {
  const { of_jwt: _, ...live } = found;
  const user = readUser(state, live.user_id);
  const { token, generation, family_id: __, ...kept } = live;
  const session: Session = {
    ...kept,
    authentication_factors: [...kept.authentication_factors],
    custom_claims: {},
    roles: user.roles,
  };
  state.sessions.set(session.session_id, live);
  const session_jwt = `jwt.${session.session_id}.${generation}-${state.next()}`;
  return { user_id: user.user_id, user, session, session_token: token, session_jwt };
}
