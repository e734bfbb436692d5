import { WIRE_CLAIMS } from '#domain/sessions/session-claim.ts';
import { mergeJson } from '#server-rules/metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';

const FIELD = 'session_custom_claims';
/** A cookie can hold 4,096 bytes of JWT. Two factors, some roles and a long user agent leave this much for claims. */
const MOST_BYTES = 1024;

type Claims = Readonly<Record<string, unknown>>;

/** A session's custom claims merged with the given ones; null removes a claim. Refuses reserved names of claims. */
export function mergeClaims(before: Claims, claims: Claims): Claims {
  const reserved = Object.keys(claims).find((name) => WIRE_CLAIMS.has(name));
  if (reserved !== undefined) {
    const message = `${FIELD} must not have the reserved name ${reserved}.`;
    throw new Refusal('invalid_session_custom_claims', message, undefined, { field: FIELD });
  }
  return mergeJson(before, claims, {
    field: FIELD,
    type: 'invalid_session_custom_claims',
    most: MOST_BYTES,
    because: ', so that the session JWT fits into a cookie',
  });
}
