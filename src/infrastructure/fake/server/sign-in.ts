import type { Authenticated } from '../../../application/api/index.ts';
import type { AuthenticationFactor, Session } from '../../../domain/session.ts';
import { sameJson } from '../../../domain/json.ts';
import type { Caller } from './answers.ts';
import { readUser } from './people.ts';
import { Refused } from './refused.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';

/** What every authenticate call answers, without what the transport puts beside it. */
export type SignedIn = Required<Omit<Authenticated, 'status_code' | 'request_id' | 'intermediate_session_token'>>;

/** A factor that is yet to be stamped with its times. */
export interface NewFactor {
  readonly type: string;
  readonly delivery_method: string;
  readonly [detail: string]: unknown;
}

export interface Proven {
  readonly user_id: string;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
}

/** Refuses a duration that is not a whole number of minutes from 5 to a year. */
export function checkDuration(minutes: number): void {
  if (!Number.isInteger(minutes) || minutes < 5 || minutes > 527_040) throw new Refused('invalid_session_duration');
}

/** Refuses a message's minutes that are out of range. */
export function minutesIn(given: number | null | undefined, fallback: number, min: number, max: number): number {
  const minutes = given ?? fallback;
  if (!Number.isInteger(minutes) || minutes < min || minutes > max) throw new Refused('invalid_expiration_minutes');
  return minutes;
}

/** The live session that the caller presents, by its token or its JWT. */
export function sessionOf(state: ServerState, { session: secret }: Caller): LiveSession | null {
  if (secret === null) return null;
  const [head, id] = secret.split('.');
  const byJwt = head === 'jwt' ? state.sessions.get(id ?? '') : undefined;
  const live = byJwt ?? [...state.sessions.values()].find(({ token }) => token === secret);
  return live !== undefined && Date.parse(live.session.expires_at) > state.now() ? live : null;
}

/** The same; refuses when there is none. */
export function requireSession(state: ServerState, caller: Caller): LiveSession {
  if (caller.session === null) throw new Refused('user_unauthenticated');
  const live = sessionOf(state, caller);
  if (live === null) throw new Refused('unauthorized_credentials');
  return live;
}

/** True for a session in which somebody acts for the user. */
export function isImpersonated({ authentication_factors }: Session): boolean {
  return authentication_factors.some(({ type }) => type === 'impersonated');
}

/** Starts a session, or adds the factor to the live one that the same user presented. The token is new either way. */
export function logIn(state: ServerState, { user_id, factor, minutes, caller }: Proven): SignedIn {
  const now = state.stamp();
  const stamped = { ...factor, last_authenticated_at: now, created_at: now, updated_at: now };
  const before = sessionOf(state, caller)?.session;
  const ends = new Date(state.in(minutes)).toISOString();
  const session: Session =
    before?.user_id === user_id && !isImpersonated(before)
      ? {
          ...before,
          last_accessed_at: now,
          expires_at: ends > before.expires_at ? ends : before.expires_at,
          authentication_factors: withFactor(before.authentication_factors, stamped),
        }
      : {
          session_id: state.id('session'),
          user_id,
          started_at: now,
          last_accessed_at: now,
          expires_at: ends,
          attributes: { ip_address: '127.0.0.1', user_agent: caller.userAgent },
          authentication_factors: [stamped],
          custom_claims: {},
          roles: [],
        };
  return keep(state, { session, token: `session-token-${state.next()}` });
}

function withFactor(factors: readonly AuthenticationFactor[], added: AuthenticationFactor): AuthenticationFactor[] {
  const times = ['last_authenticated_at', 'created_at', 'updated_at'];
  return [...factors.filter((factor) => !sameJson(factor, added, times)), added];
}

/** Keeps the session as it is now, and answers what every authenticate call does. */
export function keep(state: ServerState, live: LiveSession): SignedIn {
  const user = readUser(state, live.session.user_id);
  const session = { ...live.session, roles: user.roles };
  const { token } = live;
  state.sessions.set(session.session_id, { session, token });
  const session_jwt = `jwt.${session.session_id}.${state.next()}`;
  return { user_id: user.user_id, user, session, session_token: token, session_jwt };
}
