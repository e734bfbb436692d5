import { parseJson } from '../json.ts';
import { isRecord } from '../shape.ts';

/** The claims of a JWT, without a check of its signature; empty for a text that is not a JWT. Never throws. */
export function unverifiedClaims(jwt: string): Readonly<Record<string, unknown>> {
  try {
    const claims = parseJson(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}
