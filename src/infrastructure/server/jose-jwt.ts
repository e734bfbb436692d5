import { jwtVerify, type JWTHeaderParameters } from 'jose';
import type { JwtPort, RequiredClaims, VerificationKey, VerifiedJwt } from '#application/ports/index.ts';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { isRecord } from '#domain/shape.ts';

/** Verifies JWTs with the package `jose`. */
export class JoseJwt implements JwtPort {
  async verify(
    jwt: string,
    findKey: (kid: string) => Promise<VerificationKey | undefined>,
    { issuers, audience, type = 'JWT', toleranceSeconds, now }: RequiredClaims,
  ): Promise<VerifiedJwt | null> {
    if (compactJwt(jwt) === null) return null;
    const failures: Error[] = [];
    const keyOf = async ({ kid }: JWTHeaderParameters): Promise<VerificationKey> => {
      try {
        const key = kid && (await findKey(kid));
        if (key) return key;
      } catch (error) {
        failures.push(error as Error);
      }
      throw new Error();
    };
    try {
      const { payload } = await jwtVerify(jwt, keyOf, {
        algorithms: ['RS256'],
        typ: type,
        issuer: [...issuers],
        audience,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return { claims: payload, reason: null };
    } catch (error) {
      if (failures[0]) throw failures[0];
      return untimely(error);
    }
  }
}

/**
 * Checks the error's code, because errors of another copy of the package have another class. Times are checked last, after everything else
 * was valid.
 */
function untimely(error: unknown): VerifiedJwt | null {
  const { code, claim, reason, payload: claims } = isRecord(error) ? error : {};
  if (!isRecord(claims) || reason !== 'check_failed') return null;
  if (code === 'ERR_JWT_EXPIRED') return { claims, reason: 'expired-jwt' };
  return claim === 'nbf' ? { claims, reason: 'premature-jwt' } : null;
}
