import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload } from 'jose';
import type { LoginServices } from '#provider/accounts/services.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { PublicKeys } from '#provider/project/readers/public-keys.ts';
import { unverifiedClaims, unverifiedHeader, verifyJwt } from '#provider/base/security/jwts.ts';
import { keysOf, readKeys } from './client-keys.ts';
import type { Form } from '../protocol/form.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { UnreadJson } from '#provider/project/readers/outside-json.ts';
import { spendOnce } from '#provider/accounts/sessions/proofs/spend-once.ts';

/** RFC 7523, section 2.2. */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

export const UNPROVEN = 'The client is unknown, or not proven.';

const TOLERANCE_SECONDS = 30;
/** The maximum lifetime: whoever finds an assertion could use it until it expires. */
const LONGEST_SECONDS = 10 * 60;

/** An assertion, and the client that it claims to be from. */
export interface ClaimedAssertion {
  readonly id: string;
  readonly assertion: string;
}

/** The unverified assertion of a form; null if there is none. */
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
    const sub: unknown = unverifiedClaims(assertion).sub;
    return typeof sub === 'string' ? sub : '';
  } catch {
    return '';
  }
}

/**
 * True for an assertion that the client signed for this server, the first time that it is presented (RFC 7523, section 3; `private_key_jwt`
 * of OpenID Connect Core, section 9).
 *
 * @param issuer this server's URL
 * @param tokenEndpoint also accepted as the audience, because clients from before RFC 7523bis use it
 */
export async function provesByAssertion(
  services: LoginServices,
  client: ConnectedAppSettings,
  assertion: string,
  { issuer, tokenEndpoint }: { readonly issuer: string; readonly tokenEndpoint: string },
): Promise<boolean> {
  const { client_id } = client;
  const { clock, db } = services;
  const check = { audience: [issuer, tokenEndpoint], client_id, now: clock.now() };
  const claims = await withReasons(async () => {
    const found = await keysOf(services, client);
    if (found === null) return null;
    const first = await verified(assertion, { ...check, keys: found.keys });
    if (first !== 'unknown key') return first;
    if ((client.jwks_uri ?? null) === null) return null;
    // The client may have a new key.
    const again = found.isOld ? await verified(assertion, { ...check, keys: await readKeys(services, client) }) : first;
    if (again !== 'unknown key') return again;
    throw new UnreadJson('The key set of the app does not have the key of the assertion.', false);
  });
  if (claims === null) return false;
  const endsAt = claims.exp + TOLERANCE_SECONDS + 1;
  return spendOnce(db, { kind: 'client assertion', signer: client_id, id: claims.jti, endsAt });
}

/** The answer to the client does not reveal what is wrong with its key set. The record for its developer does. */
async function withReasons<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnreadJson)) throw error;
    throw new OAuthError('invalid_client', UNPROVEN, { rule: 'client_keys', reason: error.message });
  }
}

type OneTimeClaims = JWTPayload & { readonly jti: string; readonly exp: number };

async function verified(
  assertion: string,
  by: {
    readonly keys: PublicKeys;
    readonly audience: string[];
    readonly client_id: string;
    readonly now: number;
  },
): Promise<OneTimeClaims | 'unknown key' | null> {
  try {
    const { payload } = await verifyJwt(assertion, createLocalJWKSet(by.keys as unknown as JSONWebKeySet), {
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
    // If an assertion is for two servers, the other one could present it here.
    const isShared = Array.isArray(aud) && aud.length !== 1;
    return isLong || isShared || typeof jti !== 'string' ? null : { ...payload, exp, jti };
  } catch (error) {
    return isOfUnknownKey(error, assertion) ? 'unknown key' : null;
  }
}

/** True if another key of the client could verify the assertion. Without `kid` it may be signed by a key that is unknown here. */
function isOfUnknownKey(error: unknown, assertion: string): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return error instanceof errors.JWSSignatureVerificationFailed && unverifiedHeader(assertion).kid === undefined;
}
