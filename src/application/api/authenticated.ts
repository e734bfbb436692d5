import type { MfaStep } from '#domain/sessions/mfa.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Shape } from '#domain/shape.ts';
import type { User } from '#domain/users/user.ts';
import type { ReplyBase } from './endpoint.ts';

/**
 * The reply of every authenticate call that is not refused. A login that lacks a step (`mfa`) has no session yet: check `mfa` before you
 * read `session` or `user`, whose types are those of a complete login. A server that keeps the tokens in HttpOnly cookies omits them or
 * leaves them empty.
 */
export interface AuthenticationReply extends ReplyBase {
  readonly user_id: string;
  /** With `mfa` it is null. */
  readonly user: User;
  /** With `mfa` it is null. */
  readonly session: Session;
  readonly session_token?: string;
  readonly session_jwt?: string;
  /** Replaces the session while the login lacks a step. The next authenticate call sends this token. */
  readonly intermediate_session_token?: string;
  /** The missing step of the login, together with an intermediate token; `session` and `user` are then null (`IntermediateReply`). */
  readonly mfa?: MfaStep;
  /** The secret with which this browser needs only one factor, in the reply to a call with `trust_device`. */
  readonly trusted_device_token?: string;
}

/**
 * Replaces the fields of `AuthenticationReply` if the login lacks something: the second of two factors, or the profile that the project
 * asks for. There is no session, and the intermediate token allows only the calls that add what is missing.
 */
export interface IntermediateReply {
  readonly user_id: string;
  readonly user: null;
  readonly session: null;
  readonly session_token: '';
  readonly session_jwt: '';
  readonly intermediate_session_token: string;
  readonly mfa: MfaStep;
}

/**
 * The fields from which `SessionStore` makes the session. The reply has a session or an intermediate token; the user is in `user`
 * or `__user`.
 */
export const AUTHENTICATED = {
  session: 'object?',
  session_token: 'string?',
  session_jwt: 'string?',
  intermediate_session_token: 'string?',
} as const satisfies Shape;

/** The optional fields of every authenticate call and every call of the second factor, in addition to those of its endpoint. */
export const SECOND_FACTOR = {
  /** The login that lacks a factor. */
  intermediate_session_token: 'string?',
  /** Binds a login that lacks a factor to this browser: base64url of the SHA-256 of a verifier that stays in the browser. */
  mfa_code_challenge: 'string?',
  /** The verifier of that challenge; with `intermediate_session_token`. */
  mfa_code_verifier: 'string?',
  /** Shows that the user trusts this browser. */
  trusted_device_token: 'string?',
  /** Trusts this browser from now on; in the call that completes the second factor. */
  trust_device: 'boolean?',
  /** The caller can ask its user for a profile that the login lacks. Without this field such a login is refused (`profile_required`). */
  asks_profile: 'boolean?',
} as const satisfies Shape;

/** The session duration, a field of nearly every authenticate call. */
export interface Duration {
  /** The duration of the session, in minutes. */
  readonly session_duration_minutes: number;
}

export const DURATION = { session_duration_minutes: 'number' } as const satisfies Shape;

/**
 * The reply to a login, or to a call that changes the user, may contain the whole user in `__user`. The client stores it and removes the
 * field.
 */
export interface ChangesUser {
  readonly __user?: User;
}

/** The user in a reply, without the fields that describe the call. */
export function userIn(reply: User & Partial<ReplyBase>): User {
  const { status_code: _, request_id: __, ...user } = reply;
  return user;
}

/** Splits a reply into the user in `__user`, which only the client uses, and the rest, which is returned to the caller. */
export function splitUser<Reply extends object>(reply: Reply): readonly [user: User | undefined, rest: Reply] {
  const { __user, ...rest } = reply as Reply & ChangesUser;
  return [__user && userIn(__user), rest as Reply];
}
