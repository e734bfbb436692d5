import { jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { Session } from '../../domain/session.ts';
import { sessionOfClaims, tokenHashOfClaims } from '../../domain/session-claim.ts';
import { isRecord } from '../../domain/shape.ts';
import type { ClockPort } from '../ports/index.ts';
import type { SignedOutReason } from './authentication.ts';
import type { KeyRing } from './key-ring.ts';
import { UnavailableError } from './remembered.ts';

/** What a session JWT must say of itself. */
export interface Expected {
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly toleranceSeconds: number;
}

/** A JWT that the project signed. */
export interface TrustedJwt {
  readonly session: Session;
  /** The hash of the session token that was issued with it; null when its issuer writes none. */
  readonly tokenHash: string | null;
  /** Why it does not count by itself; null for one that does. */
  readonly reason: Extract<SignedOutReason, 'expired-jwt' | 'premature-jwt'> | null;
}

export type JwtVerdict = TrustedJwt | { readonly session: null; readonly reason: 'untrusted-jwt' };

const UNTRUSTED: JwtVerdict = { session: null, reason: 'untrusted-jwt' };

/** Checks session JWTs without a request, but for the keys (RFC 8725). */
export class SessionJwt {
  constructor(
    private readonly keys: KeyRing,
    private readonly clock: ClockPort,
    private readonly expected: Expected,
  ) {}

  /** Every verdict but `untrusted-jwt` means that the signature is good. Throws an `UnavailableError` without keys. */
  async check(jwt: string): Promise<JwtVerdict> {
    const { issuers, audience, toleranceSeconds } = this.expected;
    try {
      const { payload } = await jwtVerify(jwt, async (header: JWTHeaderParameters) => this.keyOf(header), {
        algorithms: ['RS256'],
        typ: 'JWT',
        issuer: [...issuers],
        audience,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return verdictOn(payload, null);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      return verdictOf(error);
    }
  }

  private async keyOf({ kid }: JWTHeaderParameters) {
    const key = typeof kid === 'string' ? await this.keys.find(kid) : undefined;
    if (key === undefined) throw new Error('no such key');
    return key;
  }
}

function verdictOn(claims: JWTPayload, reason: TrustedJwt['reason']): JwtVerdict {
  const session = sessionOfClaims(claims);
  return session === null ? UNTRUSTED : { session, tokenHash: tokenHashOfClaims(claims), reason };
}

/** By code: errors of another copy of the package have another class. Times are checked last, after everything else was good. */
function verdictOf(error: unknown): JwtVerdict {
  const { code, claim, reason, payload } = isRecord(error) ? error : {};
  if (!isRecord(payload) || reason !== 'check_failed') return UNTRUSTED;
  if (code === 'ERR_JWT_EXPIRED') return verdictOn(payload, 'expired-jwt');
  return claim === 'nbf' ? verdictOn(payload, 'premature-jwt') : UNTRUSTED;
}
