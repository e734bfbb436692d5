import type { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import type { MissingProof } from '#domain/sessions/mfa.ts';
import type { Session, SessionClaims } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** An action on a resource of the project's RBAC policy. */
export interface Permission {
  readonly resource_id: string;
  readonly action: string;
}

/** The requirements of a request in addition to a session. */
export interface Requirements {
  /** All of these roles are required. To accept one of several roles, check `roles` of the result. */
  readonly roles?: readonly string[];
  /** The permission that one of the session's roles must have by the project's RBAC policy. */
  readonly permission?: Permission;
  /** `2` requires two factors, one of which proves a device. A trusted browser does not count. */
  readonly factors?: 1 | 2;
  /**
   * The maximum age of the last proof, in minutes; with `factors: 2`, of the last proof of a device. A session JWT has these times,
   * so no request to the API is needed.
   */
  readonly maxAgeMinutes?: number;
  /** `true` requires a session that is bound to its browser by a key, so that its cookies are useless elsewhere. */
  readonly bound?: boolean;
  /** Also verifies a valid JWT with the API, which immediately detects that a session has ended. */
  readonly fresh?: boolean;
}

/** The authenticated sender of a request. */
export interface SignedIn {
  readonly status: 'signed-in';
  readonly user_id: string;
  readonly session: Session;
  /** The user as returned by the API; null if the signature was checked locally, because a JWT contains only the user's id. */
  readonly user: User | null;
  readonly roles: readonly string[];
  /** Whether the session is bound to its browser by a key. */
  readonly bound: boolean;
  /** The project's claims of the session: those of `session_claims` in the project file, and those that your own server added. */
  readonly claims: SessionClaims;
  /** `jwt` when the signature was checked locally, `api` when the API verified the session. */
  readonly source: 'jwt' | 'api';
}

/** The reason why a request counts as signed out. */
export type SignedOutReason =
  /** Neither a bearer token nor a cookie. */
  | 'no-credentials'
  /** The credential cannot be a session token or a JWT. */
  | 'malformed'
  /** A JWT of another issuer, project, key or algorithm, or a tampered one. */
  | 'untrusted-jwt'
  | 'expired-jwt'
  /** The API has no such session: it ended, was revoked, or never existed. Some servers give this response to every expired JWT. */
  | 'session-ended'
  /** The project now requires a second factor that the session lacks. A login in the browser asks for it. */
  | 'lacks-factor'
  /** The cookies belong to different users, or there are too many of them. */
  | 'ambiguous'
  /**
   * The request has a session token without a matching JWT, or a JWT that leaves out roles, and the verifier has neither `publicToken` nor
   * `secret` for a request to the API.
   */
  | 'cannot-ask'
  /** The session is bound to a key of its page, and the request has no proof of that key (`boundSessions`). */
  | 'proof-required'
  /** The proof is not by the session's key, or not for this request and JWT. */
  | 'invalid-proof'
  /** An earlier request used the proof. */
  | 'used-proof';

/** The request has no signed-in user. */
export interface SignedOut {
  readonly status: 'signed-out';
  readonly reason: SignedOutReason;
}

/** Signed in, but the requirements are not met. */
export interface ForbiddenRequest {
  readonly status: 'forbidden';
  /** If a proof is missing, mount the login with it as `config.stepUp`, and repeat the request afterwards. */
  readonly lacks:
    | { readonly roles: readonly string[] }
    | { readonly permission: Permission }
    | { readonly bound: true }
    | MissingProof;
  readonly who: SignedIn;
}

/** A state-changing request with session cookies that no allowed page sent (CSRF): respond with status 403. The session was not checked. */
export interface CrossOrigin {
  readonly status: 'cross-origin';
  /** The header that reveals the foreign origin, or that is missing. */
  readonly header: 'origin' | 'sec-fetch-site';
  /** The value of that header; null when the request has none. */
  readonly value: string | null;
  /** The origin of the page, as the browser sends it. To allow it, use the option `origins`. */
  readonly origin: string | null;
}

/** An option of `createVerifier` that the API rejects. `secret` may also mean that the secret belongs to another `projectId`. */
export type RefusedSetting = 'projectId' | 'publicToken' | 'secret';

/** The session could not be verified: respond with status 503, and do not sign the user out. */
export interface Unavailable {
  readonly status: 'unavailable';
  /** The resource that could not be read. */
  readonly needs: 'keys' | 'session' | 'policy' | 'proofs';
  readonly error: SDKAPIUnreachableError | SDKAPIError;
  /** The time until the next attempt: the server's value, else a few seconds. */
  readonly retryAfterMs: number;
  /** The option of `createVerifier` that the API rejected. This is not an outage: every request fails until the option is corrected. */
  readonly setting?: RefusedSetting;
}

/** The result of `authenticateRequest`. */
export type Authentication = SignedIn | SignedOut | ForbiddenRequest | CrossOrigin | Unavailable;
