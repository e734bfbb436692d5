import { WIRE_CLAIMS } from '#domain/sessions/session-claim.ts';
import { mergeJson, type Refuse } from '#server-rules/metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';

const FIELD = 'session_custom_claims';
/** A cookie can hold 4,096 bytes of JWT. Two factors, some roles and a long user agent leave this much for claims. */
const MOST_BYTES = 1024;

const refuse: Refuse = (must) => {
  throw new Refusal('invalid_session_custom_claims', `${FIELD} must ${must}.`, undefined, { field: FIELD });
};

type Claims = Readonly<Record<string, unknown>>;

/** A session's custom claims merged with the given ones; null removes a claim. Refuses reserved names of claims. */
export function mergeClaims(before: Claims, claims: Claims): Claims {
  const reserved = Object.keys(claims).find((name) => WIRE_CLAIMS.has(name));
  if (reserved !== undefined) refuse(`not have the reserved name ${reserved}`);
  return mergeJson(before, claims, refuse, {
    most: MOST_BYTES,
    because: ', so that the session JWT fits into a cookie',
  });
}
