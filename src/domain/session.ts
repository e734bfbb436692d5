import { parseJson, sameJson } from './json.ts';
import { hasShape, isRecord, type Shape } from './shape.ts';
import { isUser, type User } from './user.ts';

/** One proof of identity that the session rests on. */
export interface AuthenticationFactor {
  readonly type: string;
  readonly delivery_method: string;
  readonly last_authenticated_at: string;
  readonly [detail: string]: unknown;
}

/** A login that lasts until `expires_at` (specification, section 3; times are RFC 3339). */
export interface Session {
  readonly session_id: string;
  readonly user_id: string;
  readonly started_at: string;
  readonly last_accessed_at: string;
  readonly expires_at: string;
  readonly attributes: { readonly ip_address: string; readonly user_agent: string };
  readonly authentication_factors: AuthenticationFactor[];
  readonly custom_claims?: Readonly<Record<string, unknown>>;
  readonly roles?: string[];
}

/** The two forms of the session's secret: an opaque token and a short-lived signed one. */
export interface SessionTokens {
  readonly session_token: string;
  readonly session_jwt: string;
}

/** Who is signed in here. Both halves are there, or neither is. */
export type SessionState =
  | { readonly session: Session; readonly user: User }
  | { readonly session: null; readonly user: null };

/** How long a session lasts unless somebody says otherwise. */
export const SESSION_DURATION_MINUTES = 30;
/** How long a session lasts that a trusted token makes for another app (section 9). */
export const ATTESTED_MINUTES = 60;

export const SIGNED_OUT: SessionState = Object.freeze({ session: null, user: null });

const REQUIRED = { session_id: 'string', expires_at: 'string' } as const satisfies Shape;

export function isSession(value: unknown): value is Session {
  return hasShape(REQUIRED, value) && value.session_id !== '' && !Number.isNaN(Date.parse(value.expires_at));
}

/** The state in a stored text: signed out when there is none, null when it is foreign or damaged. Never throws. */
export function parseState(text: string | null): SessionState | null {
  if (text === null) return SIGNED_OUT;
  const stored = parseJson(text);
  if (!isRecord(stored)) return null;
  const { session, user } = stored;
  return isSession(session) && isUser(user) ? { session, user } : null;
}

/**
 * When the session is over by the clock here, whatever that shows: the server's times tell how long it has left.
 *
 * @param now when the server said it, in milliseconds since 1970
 */
export function localEnd({ expires_at, last_accessed_at }: Session, now: number): number {
  const end = Date.parse(expires_at);
  const asked = Date.parse(last_accessed_at);
  return Number.isNaN(asked) ? end : now + end - asked;
}

/** True when nothing that a subscriber would care about differs: `last_accessed_at` does not count (section 4). */
export function sameState(a: SessionState, b: SessionState): boolean {
  return sameJson(a, b, ['last_accessed_at']);
}

/** Error types after which a session is over (section 4). Everything else leaves it alone. */
const FATAL_ERROR_TYPES: ReadonlySet<string> = new Set([
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
]);

/** True when a refused revoke or authenticate means that the session no longer exists. */
export function endsSession(error: unknown): boolean {
  return isRecord(error) && typeof error['error_type'] === 'string' && FATAL_ERROR_TYPES.has(error['error_type']);
}
