import type { Session } from '../../domain/session.ts';
import type { Shape } from '../../domain/shape.ts';
import type { User } from '../../domain/user.ts';
import { endpoint, type ReplyBase } from './endpoint.ts';

/**
 * What every successful authenticate call answers. A server that keeps the tokens in HttpOnly cookies leaves their
 * values empty or out.
 */
export interface Authenticated extends ReplyBase {
  readonly user_id: string;
  readonly user: User;
  readonly session: Session;
  readonly session_token?: string;
  readonly session_jwt?: string;
  /**
   * What the server gives instead of a session while it asks for another factor; `session` is then null. The next authenticate
   * call sends it along.
   */
  readonly intermediate_session_token?: string;
}

/**
 * What the session is made of; `SessionStore` looks into it, and finds the user in one of two places. There is a session, or the
 * intermediate token that stands in its place.
 */
export const AUTHENTICATED = {
  session: 'object?',
  session_token: 'string?',
  session_jwt: 'string?',
  intermediate_session_token: 'string?',
} as const satisfies Shape;

/** The minutes that nearly every authenticate call takes. */
export interface Duration {
  /** How long the session lasts. */
  readonly session_duration_minutes: number;
}

export const DURATION = { session_duration_minutes: 'number' } as const satisfies Shape;

export const sessions = {
  authenticate: endpoint<Authenticated>()({
    name: 'sessions.authenticate',
    method: 'POST',
    path: '/sessions/authenticate',
    body: { session_duration_minutes: 'number?' },
    reply: AUTHENTICATED,
  }),
  revoke: endpoint<object>()({ name: 'sessions.revoke', method: 'POST', path: '/sessions/revoke' }),
  /** A session for an access token that this project's authorization server issued. */
  exchangeAccessToken: endpoint<Authenticated>()({
    name: 'sessions.exchangeAccessToken',
    method: 'POST',
    path: '/sessions/exchange_access_token',
    body: { access_token: 'string', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
  /** A session for a token of a trusted issuer, as a trusted-auth-token profile describes it. */
  attest: endpoint<Authenticated>()({
    name: 'sessions.attest',
    method: 'POST',
    path: '/sessions/attest',
    body: {
      profile_id: 'string',
      token: 'string',
      session_duration_minutes: 'number?',
      session_token: 'string?',
      session_jwt: 'string?',
    },
    reply: AUTHENTICATED,
  }),
};

/** Replies that change the user, and logins, may carry the whole user once more; the client takes it over and leaves it out. */
export interface ChangesUser {
  readonly __user?: User;
}

/** A user as a reply carries one: it may stand beside what is said of the call. */
export function userIn(said: User & Partial<ReplyBase>): User {
  const { status_code: _, request_id: __, ...user } = said;
  return user;
}

/** The whole user that a reply may carry for the client alone, and what the caller gets. */
export function splitUser<Reply extends object>(reply: Reply): readonly [user: User | undefined, rest: Reply] {
  const { __user, ...rest } = reply as Reply & ChangesUser;
  return [__user && userIn(__user), rest as Reply];
}
