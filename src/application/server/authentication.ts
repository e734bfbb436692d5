import type { SDKAPIError, SDKAPIUnreachableError } from '../../domain/errors.ts';
import type { Session } from '../../domain/sessions/session.ts';
import type { User } from '../../domain/users/user.ts';

/** An action on a resource of the project's RBAC policy. */
export interface Permission {
  readonly resource_id: string;
  readonly action: string;
}

/** What a request must meet beside a session. */
export interface Requirements {
  /** Every one of these roles. For one of several, read `roles` of the result. */
  readonly roles?: readonly string[];
  /** What the project's RBAC policy must allow one of the session's roles. */
  readonly permission?: Permission;
  /** Asks the API even for a good JWT, and so notices at once that a session has ended. */
  readonly fresh?: boolean;
}

/** Who sent a request. */
export interface SignedIn {
  readonly status: 'signed-in';
  readonly user_id: string;
  readonly session: Session;
  /** The user as the API knows them; null when the signature was checked here, because a JWT names only the id. */
  readonly user: User | null;
  readonly roles: readonly string[];
  /** The project's own claims of the session. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** `jwt` when the signature was checked here, `api` when the API was asked. */
  readonly source: 'jwt' | 'api';
}

/** Why a request counts as signed out. */
export type SignedOutReason =
  /** Neither a bearer token nor a cookie. */
  | 'no-credentials'
  /** What came cannot be a session token or a JWT. */
  | 'malformed'
  /** A JWT of another issuer, project, key or algorithm, or one that was changed. */
  | 'untrusted-jwt'
  | 'expired-jwt'
  | 'premature-jwt'
  /** The API knows no such session: it is over, was revoked, or never was. Some answer so to every expired JWT. */
  | 'session-ended'
  /** The cookies stand for different users, or there are too many of them. */
  | 'ambiguous'
  /** A session token came that no JWT vouches for, and the verifier has neither `publicToken` nor `secret` to ask with. */
  | 'cannot-ask';

/** Nobody is signed in, as far as the request shows. */
export interface SignedOut {
  readonly status: 'signed-out';
  readonly reason: SignedOutReason;
}

/** Signed in, but without what was required. */
export interface ForbiddenRequest {
  readonly status: 'forbidden';
  readonly lacks: { readonly roles: readonly string[] } | { readonly permission: Permission };
  readonly who: SignedIn;
}

/**
 * The request changes something with the session's cookies, and no page that may do so sent it (CSRF): answer with status 403. Its
 * session was not looked at.
 */
export interface CrossOrigin {
  readonly status: 'cross-origin';
  /** The header that shows it, or that is missing. */
  readonly header: 'origin' | 'sec-fetch-site';
  /** The value of that header; null when the request has none. */
  readonly value: string | null;
  /** The origin of the page, as the browser names it: the option `origins` may list it. */
  readonly origin: string | null;
}

/** An option of `createVerifier` that the API refuses. `secret` may also mean that the secret belongs to another `projectId`. */
export type RefusedSetting = 'projectId' | 'publicToken' | 'secret';

/** Nothing is known about the session: answer with status 503, and sign nobody out. */
export interface Unavailable {
  readonly status: 'unavailable';
  /** What could not be read. */
  readonly needs: 'keys' | 'session' | 'policy';
  readonly error: SDKAPIUnreachableError | SDKAPIError;
  /** When to try again: what the server said, else a few seconds. */
  readonly retryAfterMs: number;
  /** The option of `createVerifier` that the API refused: no outage, and no later request succeeds before it is corrected. */
  readonly setting?: RefusedSetting;
}

/** Who sent a request: the result of `authenticateRequest`. */
export type Authentication = SignedIn | SignedOut | ForbiddenRequest | CrossOrigin | Unavailable;
