/** The public part of an RSA key (RFC 7518, section 6.3.1), in base64url. */
export interface VerificationKey {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
}

/** The claims that a JWT must have (RFC 7519, section 4.1). */
export interface RequiredClaims {
  /** The accepted values of `iss`. */
  readonly issuers: readonly string[];
  /** `aud` must be or contain this value. */
  readonly audience: string;
  /** The `typ` of the header. Default: `JWT`. */
  readonly type?: string;
  /** The tolerance for `exp`, `nbf` and `iat`. */
  readonly toleranceSeconds: number;
  /** The time of the check, in milliseconds since 1970. */
  readonly now: number;
}

/** A JWT with a good signature and the required claims. */
export interface VerifiedJwt {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The reason why the JWT is not valid now: it is past `exp` or before `nbf`. Null when it is valid. */
  readonly reason: 'expired-jwt' | 'premature-jwt' | null;
}

/**
 * Verifies JWTs that are signed with RS256 (RFC 7515, RFC 8725).
 *
 * - resolves with null for a JWT that is malformed, has another `typ` or `alg`, a wrong signature, or lacks a required claim;
 * - the times are checked last, so a time error means that every other check passed;
 * - rejects only with the error of `findKey`.
 */
export interface JwtPort {
  /** @param findKey finds the key of an unchecked `kid`; undefined when it is unknown */
  verify(
    jwt: string,
    findKey: (kid: string) => Promise<VerificationKey | undefined>,
    required: RequiredClaims,
  ): Promise<VerifiedJwt | null>;
}
