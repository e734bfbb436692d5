import { parseJson } from '../../../../src/domain/json.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import { scopeOfClaim } from './claims.ts';
import { OAuthError } from './oauth-error.ts';

/** The effect of the `claims` parameter on a request (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  /** The scopes that have the requested claims: the user grants claims by scope. */
  readonly scopes: readonly string[];
  /** The user who must log in. */
  readonly subject?: string | undefined;
}

/** The places of claims. Both give the claims of the granted scopes. */
const PLACES = ['userinfo', 'id_token'] as const;

const invalid = (what: string): OAuthError => new OAuthError('invalid_request', `claims ${what}.`);

interface ClaimMember {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
}

/** Null or an object with `essential`, `value` and `values`. */
function checkMember(name: string, member: unknown): ClaimMember {
  if (member === null) return {};
  if (!isRecord(member)) throw invalid(`has a member ${shown(name)} that is neither null nor an object`);
  const { essential, values } = member;
  if (essential !== undefined && typeof essential !== 'boolean')
    throw invalid('has an essential that is not a boolean');
  if (values !== undefined && !Array.isArray(values)) throw invalid('has values that are not a list');
  return member;
}

const shown = (name: string): string => (/^[!-~]{1,64}$/u.test(name) ? name : 'of another name');

/**
 * Reads the parameter. Claims that this server does not have are left out, and requested values of others than `sub` and
 * `acr` are wishes (section 5.5.1).
 *
 * @throws OAuthError for a malformed parameter, and for an essential `acr`, which no login here has (section 5.5.1.1)
 */
export function readClaims(text: string | undefined): ClaimsRequest {
  if (text === undefined) return { scopes: [] };
  const json = parseJson(text);
  if (!isRecord(json)) throw invalid('must be a JSON object');
  const members = PLACES.flatMap((place) => {
    const requested = json[place] ?? {};
    if (!isRecord(requested)) throw invalid(`has a ${place} that is not an object`);
    return Object.entries(requested).map(([name, member]) => ({ ...checkMember(name, member), name }));
  });
  const subjects = new Set<unknown>();
  for (const { name, value, values, essential } of members) {
    if (name === 'sub' && value !== undefined) subjects.add(value);
    if (name === 'acr' && essential === true && (value !== undefined || values !== undefined)) {
      throw new OAuthError('unmet_authentication_requirements', 'No login here has an acr.');
    }
  }
  const [subject, ...others] = subjects;
  if (others.length > 0 || (subject !== undefined && typeof subject !== 'string')) throw invalid('names no one sub');
  const scopes = members.flatMap(({ name }) => scopeOfClaim(name) ?? []);
  return { scopes: [...new Set(scopes)], subject };
}
