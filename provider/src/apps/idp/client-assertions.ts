import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import type { Services } from '../../accounts/services.ts';
import type { ConnectedAppSettings } from '../../project/access.ts';
import type { Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { spendOnce } from './spend-once.ts';

/** RFC 7523, section 2.2. */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const TOLERANCE_SECONDS = 30;
/** A finder of an assertion could use it for as long as it is valid. */
const LONGEST_SECONDS = 10 * 60;

/** An assertion and the client that it claims to be of. */
export interface ClaimedAssertion {
  readonly id: string;
  readonly assertion: string;
}

/** The assertion of a form, not verified; null without one. */
export function claimedAssertion({
  client_id,
  client_assertion: assertion,
  client_assertion_type: type,
}: Form): ClaimedAssertion | null {
  if (assertion === undefined && type === undefined) return null;
  if (assertion === undefined || type !== ASSERTION_TYPE) {
    throw new OAuthError('invalid_request', `client_assertion needs the client_assertion_type ${ASSERTION_TYPE}.`);
  }
  const id = subjectOf(assertion);
  if (client_id !== undefined && client_id !== id) throw new OAuthError('invalid_request', 'Two clients are named.');
  return { id, assertion };
}

function subjectOf(assertion: string): string {
  try {
    return decodeJwt(assertion).sub ?? '';
  } catch {
    return '';
  }
}

/**
 * True for an assertion that the client signed for this server, the first time that it is presented (RFC 7523, section 3;
 * `private_key_jwt` of OpenID Connect Core, section 9).
 *
 * @param issuer the address of this server
 * @param tokenEndpoint may be the audience, too: clients of before RFC 7523bis name it
 */
export async function provesByAssertion(
  services: Pick<Services, 'db' | 'clock'>,
  { client_id, jwks }: Pick<ConnectedAppSettings, 'client_id' | 'jwks'>,
  assertion: string,
  { issuer, tokenEndpoint }: { readonly issuer: string; readonly tokenEndpoint: string },
): Promise<boolean> {
  if (jwks === null || jwks === undefined) return false;
  const now = services.clock.now();
  const claims = await verified(assertion, {
    keys: jwks as unknown as JSONWebKeySet,
    audience: [issuer, tokenEndpoint],
    client_id,
    now,
  });
  if (claims === null) return false;
  const endsAt = claims.exp + TOLERANCE_SECONDS + 1;
  return spendOnce(services.db, { kind: 'client assertion', signer: client_id, jti: claims.jti, endsAt });
}

type OneTimeClaims = JWTPayload & { readonly jti: string; readonly exp: number };

async function verified(
  assertion: string,
  by: {
    readonly keys: JSONWebKeySet;
    readonly audience: string[];
    readonly client_id: string;
    readonly now: number;
  },
): Promise<OneTimeClaims | null> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(by.keys), {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: by.client_id,
      subject: by.client_id,
      audience: by.audience,
      requiredClaims: ['exp', 'jti'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(by.now),
    });
    const { aud, exp = Infinity, jti } = payload;
    const isLong = exp - by.now / 1000 > LONGEST_SECONDS + TOLERANCE_SECONDS;
    // An assertion for two servers could be presented by the other one.
    const isShared = Array.isArray(aud) && aud.length !== 1;
    return isLong || isShared || typeof jti !== 'string' ? null : { ...payload, exp, jti };
  } catch {
    return null;
  }
}
