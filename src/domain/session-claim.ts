import { isSession, type Session } from './session.ts';
import { isRecord } from './shape.ts';

/** The claim under which backends of this wire look for the session. */
const SESSION_CLAIM = 'https://stytch.com/session';

/** The claims of every session JWT. What stands beside them is the project's own. */
export const WIRE_CLAIMS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'sub',
  'iat',
  'nbf',
  'exp',
  'jti',
  'generation',
  SESSION_CLAIM,
]);

/** The session of a JWT's claims, with the custom claims in `custom_claims`; null when they hold none. */
export function sessionOfClaims(claims: Readonly<Record<string, unknown>>): Session | null {
  const claim = Object.hasOwn(claims, SESSION_CLAIM) ? claims[SESSION_CLAIM] : undefined;
  const { sub: user_id } = claims;
  if (!isRecord(claim) || typeof user_id !== 'string' || user_id === '') return null;
  const { id: session_id, roles, generation: _, ...rest } = claim;
  const custom_claims = Object.fromEntries(Object.entries(claims).filter(([name]) => !WIRE_CLAIMS.has(name)));
  const session = { ...rest, session_id, user_id, roles: rolesOf(roles), custom_claims };
  return isSession(session) ? session : null;
}

/** The roles of a list that a server sent; what is no role is left out. */
export function rolesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((role) => typeof role === 'string') : [];
}
