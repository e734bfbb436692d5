import type { Session } from '../../domain/sessions/session.ts';
import { boundKeyOfClaims, sessionOfClaims, tokenHashOfClaims } from '../../domain/sessions/session-claim.ts';
import type { ClockPort, JwtPort } from '../ports/index.ts';
import type { SignedOutReason } from './authentication.ts';
import type { KeyRing } from './key-ring.ts';

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
  /** The thumbprint of the key of the page to which the session is bound (RFC 9449, section 6.1); null without one. */
  readonly jkt: string | null;
  /** The reason why the JWT is not valid now; null when it is valid. */
  readonly reason: Extract<SignedOutReason, 'expired-jwt' | 'premature-jwt'> | null;
}

export type JwtVerdict = TrustedJwt | { readonly session: null; readonly reason: 'untrusted-jwt' };

const UNTRUSTED: JwtVerdict = { session: null, reason: 'untrusted-jwt' };

/** Verifies session JWTs (RFC 8725). Only the keys need a request. */
export class SessionJwt {
  constructor(
    private readonly port: JwtPort,
    private readonly keys: KeyRing,
    private readonly clock: ClockPort,
    private readonly expected: SessionJwtRules,
  ) {}

  /** Every result except `untrusted-jwt` means that the signature is valid. Throws an `UnavailableError` without keys. */
  async check(jwt: string): Promise<JwtVerdict> {
    const required = { ...this.expected, now: this.clock.now() };
    const verified = await this.port.verify(jwt, async (kid) => this.keys.find(kid), required);
    const session = verified && sessionOfClaims(verified.claims);
    if (verified === null || session === null) return UNTRUSTED;
    const { claims, reason } = verified;
    return { session, tokenHash: tokenHashOfClaims(claims), jkt: boundKeyOfClaims(claims), reason };
  }
}
