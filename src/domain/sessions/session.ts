import { parseJson, sameJson } from '../json.ts';
import { hasShape, isRecord, type Shape } from '../shape.ts';
import { isUser, type User } from '../users/user.ts';

/** One proof of identity by which the session was authenticated. */
export interface AuthenticationFactor {
  readonly type: string;
  readonly delivery_method: string;
  readonly last_authenticated_at: string;
  readonly [detail: string]: unknown;
}

declare global {
  /**
   * The claims of your project's session JWTs. Declare yours in an interface of this name in a `declare global` block, and TypeScript
   * knows them in sessions and in the results of `portico/server`.
   */
  interface PorticoSessionClaims {}
}

/** The project's claims of a session: those of `session_claims`, and those that your own server added to the session. */
export type SessionClaims = Readonly<PorticoSessionClaims> & Readonly<Record<string, unknown>>;

/** A login that lasts until `expires_at` (specification, section 3; times are RFC 3339). */
export interface Session {
  readonly session_id: string;
  readonly user_id: string;
  readonly started_at: string;
  readonly last_accessed_at: string;
  readonly expires_at: string;
  readonly attributes: { readonly ip_address: string; readonly user_agent: string };
  readonly authentication_factors: AuthenticationFactor[];
  readonly custom_claims?: SessionClaims;
  readonly roles?: string[];
  /** True for a session that is bound to its browser by a key (W3C Device Bound Session Credentials); else absent. */
  readonly device_bound?: boolean;
}

/** A live session of the signed-in user, in this browser or in another. */
export interface ListedSession extends Pick<
  Session,
  'session_id' | 'started_at' | 'last_accessed_at' | 'expires_at' | 'attributes'
> {
  readonly authentication_factors: readonly { readonly type: string; readonly delivery_method: string }[];
  /** Whether it is the session of the request. */
  readonly is_current: boolean;
  /** True for a session that is bound to its browser by a key; else absent. */
  readonly device_bound?: boolean;
  /** True for a session in a trusted browser, in which no second factor is requested; else absent. */
  readonly device_trusted?: boolean;
}

/** The two forms of the session's secret: an opaque token and a short-lived signed one. */
export interface SessionTokens {
  readonly session_token: string;
  readonly session_jwt: string;
}

/** The signed-in user and session. Both are set, or both are null. */
export type SessionState =
  | { readonly session: Session; readonly user: User }
  | { readonly session: null; readonly user: null };

/** The claim of a JWT in which backends of this wire expect the session. */
export const SESSION_CLAIM = 'https://stytch.com/session';

/** The default duration of a session. */
export const SESSION_DURATION_MINUTES = 30;
/** The duration of a session created from a trusted token of another app (section 9). */
export const ATTESTED_MINUTES = 60;

export const SIGNED_OUT: SessionState = Object.freeze({ session: null, user: null });

const REQUIRED = { session_id: 'string', expires_at: 'string' } as const satisfies Shape;

export function isSession(value: unknown): value is Session {
  return hasShape(REQUIRED, value) && value.session_id !== '' && !Number.isNaN(Date.parse(value.expires_at));
}

/** Reads a stored state: signed out for null, null when the text is not a valid state. Never throws. */
export function parseState(text: string | null): SessionState | null {
  if (text === null) return SIGNED_OUT;
  const stored = parseJson(text);
  if (!isRecord(stored)) return null;
  const { session, user } = stored;
  return isSession(session) && isUser(user) ? { session, user } : null;
}

/**
 * When the session ends by this browser's clock, in milliseconds since 1970. The remaining time is computed from the server's times alone,
 * so a wrong clock does no harm.
 *
 * @param now when the reply arrived, in milliseconds since 1970
 */
export function localEnd({ expires_at, last_accessed_at }: Session, now: number): number {
  const end = Date.parse(expires_at);
  const accessTime = Date.parse(last_accessed_at);
  return Number.isNaN(accessTime) ? end : now + end - accessTime;
}

/** True when both states are equal for a subscriber: `last_accessed_at` is not compared (section 4). */
export function sameState(a: SessionState, b: SessionState): boolean {
  return sameJson(a, b, ['last_accessed_at']);
}

/** The error types that end a session (section 4). Other errors do not change it. Servers handle more of them (`SESSION_REFUSALS`). */
export const ENDED_SESSION: ReadonlySet<unknown> = new Set([
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
]);

/** True when a refused revoke or authenticate means that the session no longer exists. */
export function endsSession(error: unknown): boolean {
  return isRecord(error) && ENDED_SESSION.has(error['error_type']);
}
