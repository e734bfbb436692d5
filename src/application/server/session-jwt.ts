import type { Session } from '#domain/sessions/session.ts';
import { boundKeyOfClaims, isPartialJwt, sessionOfClaims, tokenHashOfClaims } from '#domain/sessions/session-claim.ts';
import { unverifiedClaims } from '#domain/sessions/unverified-claims.ts';
import type { ClockPort, JwtPort } from '../ports/index.ts';
import type { SignedOutReason } from './authentication.ts';
import { UnknownKeyError, type KeyRing } from './key-ring.ts';

/** The required claims of a session JWT. */
export interface SessionJwtRules {
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly toleranceSeconds: number;
}

/** A JWT that the project signed. */
export interface TrustedJwt {
  readonly session: Session;
  /** The hash of the session token that was issued with the JWT; null when the issuer omits it. */
  readonly tokenHash: string | null;
  /** The thumbprint of the page's key that the session is bound to (RFC 9449, section 6.1); null without one. */
  readonly jkt: string | null;
  /** The reason why the JWT is not valid now; null when it is valid. */
  readonly reason: Extract<SignedOutReason, 'expired-jwt'> | 'premature-jwt' | 'partial-jwt' | null;
  /** For a premature JWT, the time until it becomes valid, in milliseconds; else 0. */
  readonly startsInMs: number;
}

/** A JWT of an unknown key. */
export interface UnknownJwt {
  readonly session: null;
  readonly reason: 'unknown-key';
  readonly error: UnknownKeyError;
}

export type JwtVerdict = TrustedJwt | UnknownJwt | { readonly session: null; readonly reason: 'untrusted-jwt' };

const UNTRUSTED: JwtVerdict = { session: null, reason: 'untrusted-jwt' };

/** Verifies session JWTs (RFC 8725). Only the keys need a request. */
export class SessionJwt {
  constructor(
    private readonly port: JwtPort,
    private readonly keys: KeyRing,
    private readonly clock: ClockPort,
    private readonly expected: SessionJwtRules,
  ) {}

  /** A result with a session means that the signature is valid. Throws an `UnavailableError` without keys. */
  async check(jwt: string): Promise<JwtVerdict> {
    try {
      return await this.verdict(jwt);
    } catch (error) {
      if (error instanceof UnknownKeyError) return { session: null, reason: 'unknown-key', error };
      throw error;
    }
  }

  /** Like `check`, for a JWT that the API accepts. */
  async checkAgain(jwt: string, { error }: UnknownJwt): Promise<JwtVerdict> {
    await this.keys.confirm(error.kid);
    return this.check(jwt);
  }

  /**
   * The token hash of a JWT of another project, whose cookies have the same names; null for all other texts. It is unverified, but can only
   * hide a session token that its writer knows.
   */
  hashOfAnother(jwt: string): string | null {
    const claims = unverifiedClaims(jwt);
    const { aud } = claims;
    return aud === undefined || [aud].flat().includes(this.expected.audience) ? null : tokenHashOfClaims(claims);
  }

  private async verdict(jwt: string): Promise<JwtVerdict> {
    const now = this.clock.now();
    const verified = await this.port.verify(jwt, async (kid) => this.keys.find(kid), { ...this.expected, now });
    const session = verified && sessionOfClaims(verified.claims);
    if (verified === null || session === null) return UNTRUSTED;
    const { claims } = verified;
    const reason = verified.reason ?? (isPartialJwt(claims) ? 'partial-jwt' : null);
    const startsInMs = reason === 'premature-jwt' ? Math.max(0, Number(claims['nbf']) * 1000 - now) : 0;
    return { session, tokenHash: tokenHashOfClaims(claims), jkt: boundKeyOfClaims(claims), reason, startsInMs };
  }
}
