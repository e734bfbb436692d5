/** The public part of an RSA key (RFC 7518, section 6.3.1), in base64url. */
export interface VerificationKey {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
}

/** The claims that a JWT must have (RFC 7519, section 4.1). */
export interface RequiredClaims {
  /** `iss` is one of these. */
  readonly issuers: readonly string[];
  /** `aud` is or contains this. */
  readonly audience: string;
  /** How far `exp`, `nbf` and `iat` may be off. */
  readonly toleranceSeconds: number;
  /** The time of the check, in milliseconds since 1970. */
  readonly now: number;
}

/** A JWT with a good signature and the required claims. */
export interface VerifiedJwt {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Why it does not count by itself: it is past `exp`, or before `nbf`. Null for one that does. */
  readonly reason: 'expired-jwt' | 'premature-jwt' | null;
}

/**
 * Verifies JWTs that are signed with RS256 (RFC 7515, RFC 8725).
 *
 * - resolves with null for a JWT that is malformed, has another `typ` or `alg`, a wrong signature, or lacks a required claim;
 * - the times are checked last, so that a verdict about them means that everything else is good;
 * - rejects with the error of `findKey` and with no other.
 */
export interface JwtPort {
  /** @param findKey finds the key of a `kid`, which is not checked; undefined for one that is not known */
  verify(
    jwt: string,
    findKey: (kid: string) => Promise<VerificationKey | undefined>,
    required: RequiredClaims,
  ): Promise<VerifiedJwt | null>;
}
