import type { KeyObject } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type CryptoKey,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  type ProtectedHeaderParameters,
} from 'jose';
import { compactJwt } from '#domain/rules/compact-jwt.ts';

/** Only these functions read JWTs, because jose accepts many spellings of one token. */

function checkSpelling(jwt: string): void {
  if (compactJwt(jwt) === null) throw new errors.JWSInvalid('the parts of a JWT must be base64url without unused bits');
}

/** Throws an error of jose for an invalid JWT. */
export async function verifyJwt<Claims = JWTPayload>(
  jwt: string,
  key: CryptoKey | KeyObject | Uint8Array | JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult<Claims>> {
  checkSpelling(jwt);
  return typeof key === 'function' ? jwtVerify<Claims>(jwt, key, options) : jwtVerify<Claims>(jwt, key, options);
}

/** The unverified claims, which can be any JSON. Throws an error of jose for a text that is not a JWT. */
export function unverifiedClaims(jwt: string): JWTPayload {
  checkSpelling(jwt);
  return decodeJwt(jwt);
}

/** The unverified header. Throws an error of jose for a text that is not a JWT. */
export function unverifiedHeader(jwt: string): ProtectedHeaderParameters {
  checkSpelling(jwt);
  return decodeProtectedHeader(jwt);
}
