import { jwtVerify, type JWTHeaderParameters } from 'jose';
import type { Session } from '../../domain/session.ts';
import { sessionOfClaims } from '../../domain/session-claim.ts';
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

export type JwtVerdict =
  | { readonly session: Session }
  | { readonly reason: Extract<SignedOutReason, 'untrusted-jwt' | 'expired-jwt' | 'premature-jwt'> };

const UNTRUSTED: JwtVerdict = { reason: 'untrusted-jwt' };

/** Checks session JWTs without a request, but for the keys (RFC 8725). */
export class SessionJwt {
  constructor(
    private readonly keys: KeyRing,
    private readonly clock: ClockPort,
    private readonly expected: Expected,
  ) {}

  /** A verdict of `expired-jwt` means that the signature is good. Throws an `UnavailableError` without keys. */
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
      const session = sessionOfClaims(payload);
      return session === null ? UNTRUSTED : { session };
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

/** By code: errors of another copy of the package have another class. */
function verdictOf(error: unknown): JwtVerdict {
  const { code, claim, reason } = isRecord(error) ? error : {};
  if (code === 'ERR_JWT_EXPIRED') return { reason: 'expired-jwt' };
  return claim === 'nbf' && reason === 'check_failed' ? { reason: 'premature-jwt' } : UNTRUSTED;
}
