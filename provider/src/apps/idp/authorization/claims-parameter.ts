import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { scopeOfClaim } from '../protocol/claims.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

/** The effect of the `claims` parameter on a request (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  /** The scopes that have the requested claims: the user grants claims by scope. */
  readonly scopes: readonly string[];
  /** The user who must log in. */
  readonly subject?: string | undefined;
  /** The values of `acr` that the app requests; absent if it lists none. */
  readonly acr?: RequestedContexts | undefined;
}

/** The authentication contexts that an app requests. */
export interface RequestedContexts {
  readonly values: readonly string[];
  /** Whether a login without one of them must fail (section 5.5.1.1). */
  readonly essential: boolean;
}

/** Where claims can be requested. Both places return the claims of the granted scopes. */
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
  if (!isRecord(member)) throw invalid(`has a member ${describeName(name)} that is neither null nor an object`);
  const { essential, values } = member;
  if (essential !== undefined && typeof essential !== 'boolean')
    throw invalid('has an essential that is not a boolean');
  if (values !== undefined && !Array.isArray(values)) throw invalid('has values that are not a list');
  return member;
}

/** This message can appear on a page of this server, so it must not quote a stranger's text. */
const describeName = (name: string): string => (/^[a-z_]{1,32}$/u.test(name) ? name : 'of another name');

/** The requested contexts of all members; undefined if none has a value. */
function contextsIn(members: readonly (ClaimMember & { readonly name: string })[]): RequestedContexts | undefined {
  const acrMembers = members.filter(
    ({ name, value, values }) => name === 'acr' && (value !== undefined || values !== undefined),
  );
  if (acrMembers.length === 0) return undefined;
  const values = acrMembers.flatMap(({ value, values: more }) => [value, ...(Array.isArray(more) ? more : [])]);
  return {
    values: values.filter((each) => typeof each === 'string'),
    essential: acrMembers.some(({ essential }) => essential === true),
  };
}

/**
 * Reads the parameter. Claims that this server does not have are left out. Requested values of claims other than `sub` and `acr` are only
 * wishes (section 5.5.1).
 *
 * @throws OAuthError for a malformed parameter
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
  for (const { name, value } of members) if (name === 'sub' && value !== undefined) subjects.add(value);
  const [subject, ...others] = subjects;
  if (others.length > 0 || (subject !== undefined && typeof subject !== 'string')) throw invalid('names no one sub');
  const scopes = members.flatMap(({ name }) => scopeOfClaim(name) ?? []);
  return { scopes: [...new Set(scopes)], subject, acr: contextsIn(members) };
}
