import { isRecord } from '#domain/shape.ts';
import { PASSWORD_FACTOR, type SessionFactors } from '#domain/rules/factors.ts';

/** The id of the user's password among the ids of login methods: a user has at most one, and its factor has no id. */
export const PASSWORD_ID = 'password';

/**
 * The fields of a factor's details that contain the id of a login method. A social login can have the id of an address in addition to its
 * account's.
 */
const ID_FIELDS = [
  'email_id',
  'phone_id',
  'totp_id',
  'webauthn_registration_id',
  'crypto_wallet_id',
  'device_id',
  'id',
] as const;

/**
 * The ids of the login methods on which the session is based. A link that the app's own server delivered by itself, a token of a
 * trusted issuer and an impersonation have none.
 */
export function factorIdsOf({ authentication_factors }: SessionFactors): readonly string[] {
  const ids = authentication_factors.flatMap((factor) => {
    if (factor.type === PASSWORD_FACTOR.type) return [PASSWORD_ID];
    return Object.values(factor).flatMap((detail) =>
      isRecord(detail) ? ID_FIELDS.map((field) => detail[field]).filter((id) => typeof id === 'string') : [],
    );
  });
  return [...new Set(ids)];
}

/** The origin of an app's access: the session in which the user granted it. */
export interface Provenance {
  /** Null if the app's own server vouched for the user, who had no session. */
  readonly session_id: string | null;
  /** The login methods on which the session was based. */
  readonly factor_ids: readonly string[];
}

/** The first origin of each scope of a grant. Grants from before this was recorded lack scopes. */
export type GivenIn = Readonly<Record<string, Provenance>>;

/** The sessions that end, and the access that was granted in them. */
export interface AccessEnd {
  /** The session that continues, with the access that was granted in it; null if all sessions end. */
  readonly keptSessionId: string | null;
  /** The sessions that end. */
  readonly session_ids: ReadonlySet<string>;
  /** Access that was granted in a session based on one of these methods ends too, even if that session is over. */
  readonly factor_ids: readonly string[];
}

/** True for access that was granted in a session that ends, or in one based on a removed login method. */
export function endsWith({ keptSessionId, session_ids, factor_ids }: AccessEnd, provenance: Provenance): boolean {
  if (provenance.session_id !== null && provenance.session_id === keptSessionId) return false;
  const isOfEnded = provenance.session_id !== null && session_ids.has(provenance.session_id);
  return isOfEnded || provenance.factor_ids.some((id) => factor_ids.includes(id));
}

/**
 * The origin of each API of a grant, and the origin of each scope at this API: scopes granted for one API are not granted for another. If
 * an API has no recorded scopes, because its grant is older than the records, all scopes of the grant apply to it.
 */
export type Reach = Readonly<Record<string, Provenance & { readonly scopes?: GivenIn }>>;

/** An authorization: the scopes of its tokens, and its origin. */
export type Authorization = Provenance & { readonly scopes: readonly string[] };

/** A grant: all scopes that a user granted to an app. Further authorizations of these scopes need no confirmation. */
export interface ScopeGrant {
  readonly scopes: readonly string[];
  readonly given_in: GivenIn;
}

/**
 * The remainder of a grant after sessions ended. A scope stays if it was granted elsewhere, or if a continuing authorization has it.
 *
 * @param authorizations the authorizations of the grant before the end
 */
export function grantAfter(
  { scopes, given_in }: ScopeGrant,
  authorizations: readonly Authorization[],
  end: AccessEnd,
): ScopeGrant {
  const [over, alive] = [true, false].map((ends) => authorizations.filter((each) => endsWith(end, each) === ends));
  const entries = scopes.flatMap((scope) => {
    const heir = alive?.find((each) => each.scopes.includes(scope));
    const provenance = Object.hasOwn(given_in, scope) ? given_in[scope] : undefined;
    // Without a record, the scope's origin is that of an ending authorization with the scope.
    const isLost =
      provenance === undefined ? over?.some((each) => each.scopes.includes(scope)) : endsWith(end, provenance);
    if (isLost !== true) return [[scope, provenance] as const];
    if (heir === undefined) return [];
    const { session_id, factor_ids } = heir;
    return [[scope, { session_id, factor_ids }] as const];
  });
  const records = entries.filter((each): each is readonly [string, Provenance] => each[1] !== undefined);
  return { scopes: entries.map(([scope]) => scope), given_in: Object.fromEntries(records) };
}

/** The grant with further scopes added; the first origin of each scope is kept. */
export function extendedGrant(
  { scopes, given_in }: ScopeGrant,
  more: readonly string[],
  provenance: Provenance,
): ScopeGrant {
  const added = more.filter((scope) => !scopes.includes(scope));
  const { session_id, factor_ids } = provenance;
  return {
    scopes: [...new Set([...scopes, ...more])],
    given_in: { ...given_in, ...Object.fromEntries(added.map((scope) => [scope, { session_id, factor_ids }])) },
  };
}

const provenanceOf = ({ session_id, factor_ids }: Provenance): Provenance => ({ session_id, factor_ids });

/** The scopes of a grant at an API without recorded scopes. */
function scopesBefore({ scopes, given_in }: ScopeGrant, first: Provenance): GivenIn {
  const originOf = (scope: string) => (Object.hasOwn(given_in, scope) ? given_in[scope] : undefined);
  return Object.fromEntries(scopes.map((scope) => [scope, originOf(scope) ?? provenanceOf(first)]));
}

/**
 * The APIs of a grant after these scopes were granted for these APIs.
 *
 * @param before the scopes of the grant before the change
 */
export function extendedReach(
  reach: Reach,
  {
    before,
    scopes,
    audiences,
  }: { readonly before: ScopeGrant } & Readonly<Record<'scopes' | 'audiences', readonly string[]>>,
  provenance: Provenance,
): Reach {
  const all = new Set([...Object.keys(reach), ...audiences]);
  const entries = [...all].map((audience) => {
    const had = Object.hasOwn(reach, audience) ? reach[audience] : undefined;
    const origins = had === undefined ? {} : (had.scopes ?? scopesBefore(before, had));
    const more = audiences.includes(audience) ? scopes : [];
    const { given_in } = extendedGrant({ scopes: Object.keys(origins), given_in: origins }, more, provenance);
    return [audience, { ...provenanceOf(had ?? provenance), scopes: given_in }] as const;
  });
  return Object.fromEntries(entries);
}

/** The scopes of a grant that it has at every one of these APIs. */
export function scopesAtAll(scopes: readonly string[], reach: Reach, audiences: readonly string[]): readonly string[] {
  const recorded = audiences.map((audience) => (Object.hasOwn(reach, audience) ? reach[audience]?.scopes : undefined));
  return scopes.filter((scope) => recorded.every((each) => each === undefined || Object.hasOwn(each, scope)));
}

/** The remaining APIs of a grant after sessions ended, with their remaining scopes. */
export function reachAfter(
  reach: Reach,
  authorizations: readonly (Authorization & { readonly audiences: readonly string[] })[],
  end: AccessEnd,
): Reach {
  const apis = authorizations.map((each) => ({ ...each, scopes: each.audiences }));
  const rest = grantAfter({ scopes: Object.keys(reach), given_in: reach }, apis, end).given_in;
  const entries = Object.entries(rest).map(([audience, provenance]) => {
    const origins = reach[audience]?.scopes;
    if (origins === undefined) return [audience, provenanceOf(provenance)] as const;
    const there = authorizations.filter(({ audiences }) => audiences.includes(audience));
    const { given_in } = grantAfter({ scopes: Object.keys(origins), given_in: origins }, there, end);
    return [audience, { ...provenanceOf(provenance), scopes: given_in }] as const;
  });
  return Object.fromEntries(entries);
}
