import { base64url } from '../base64url.ts';
import { isSession, SESSION_CLAIM, type Session } from './session.ts';
import { isRecord } from '../shape.ts';

/** The claims of every session JWT. Further claims are the project's own. */
export const WIRE_CLAIMS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'sub',
  'iat',
  'nbf',
  'exp',
  'jti',
  'cnf',
  'generation',
  SESSION_CLAIM,
]);

/** The claims of a project with a policy for the second factor. In other projects, claims of these names may be custom ones. */
const ASSURANCE_CLAIMS: ReadonlySet<string> = new Set(['amr', 'acr', 'auth_time']);
const ACR_PREFIX = 'urn:portico:aal';

/** The field of the session claim that binds the JWT to its session token. */
export const TOKEN_HASH = 'token_hash';

/**
 * The field of the session claim that is true in a JWT without roles, factors and custom claims, or without the claims of
 * the project's template, because the full JWT is too long for a cookie. The rest comes from the API.
 */
export const PARTIAL = 'partial';

/** True if the JWT's claims are incomplete: the rest must be requested from the API. */
export function isPartialJwt(claims: Readonly<Record<string, unknown>>): boolean {
  const claim = Object.hasOwn(claims, SESSION_CLAIM) ? claims[SESSION_CLAIM] : undefined;
  return isRecord(claim) && Object.hasOwn(claim, PARTIAL) && claim[PARTIAL] === true;
}

/**
 * The JWT's hash of the session token that was issued with it: base64url of the left half of the token's SHA-256, like `at_hash`
 * (OpenID Connect Core 1.0, section 3.1.3.6). It reveals nothing about the token, but shows whether two cookies belong together.
 *
 * @param sha256 the 32 bytes of the hash of the token
 */
export function tokenHashOf(sha256: Uint8Array): string {
  return base64url(sha256.subarray(0, 16));
}

/** The token hash in a JWT's claims; null if the server does not write one. */
export function tokenHashOfClaims(claims: Readonly<Record<string, unknown>>): string | null {
  const claim = Object.hasOwn(claims, SESSION_CLAIM) ? claims[SESSION_CLAIM] : undefined;
  const hash = isRecord(claim) && Object.hasOwn(claim, TOKEN_HASH) ? claim[TOKEN_HASH] : undefined;
  return typeof hash === 'string' ? hash : null;
}

/**
 * The thumbprint in a JWT's claims of the key to which its session is bound (RFC 9449, section 6.1); null without one. For a claim `cnf` of
 * another kind, a value that no proof can match.
 */
export function boundKeyOfClaims({ cnf }: Readonly<Record<string, unknown>>): string | null {
  if (cnf === undefined) return null;
  return isRecord(cnf) && typeof cnf['jkt'] === 'string' ? cnf['jkt'] : '';
}

/** The session of a JWT's claims, with the custom claims in `custom_claims`; null if they contain none. */
export function sessionOfClaims(claims: Readonly<Record<string, unknown>>): Session | null {
  const claim = Object.hasOwn(claims, SESSION_CLAIM) ? claims[SESSION_CLAIM] : undefined;
  const { sub: user_id } = claims;
  if (!isRecord(claim) || typeof user_id !== 'string' || user_id === '') return null;
  const { id: session_id, roles, generation: _, [TOKEN_HASH]: _hash, [PARTIAL]: _partial, ...rest } = claim;
  const isAssured = typeof claims['acr'] === 'string' && claims['acr'].startsWith(ACR_PREFIX);
  const isOurs = (name: string): boolean => WIRE_CLAIMS.has(name) || (isAssured && ASSURANCE_CLAIMS.has(name));
  const custom_claims = Object.fromEntries(Object.entries(claims).filter(([name]) => !isOurs(name)));
  const session = { ...rest, session_id, user_id, roles: rolesOf(roles), custom_claims };
  return isSession(session) ? session : null;
}

/** The roles of a list that a server sent; invalid entries are left out. */
export function rolesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((role) => typeof role === 'string') : [];
}
