/** The extent of a permission: read; add, change or delete; access while the user is away; or everything that the user can do. */
const SCOPE_ACCESSES = ['view', 'change', 'lasting', 'full'] as const;
export type ScopeAccess = (typeof SCOPE_ACCESSES)[number];

/** The scopes that every server has. A server's description of these scopes is ignored. */
export const STANDARD_ACCESS = {
  openid: 'view',
  profile: 'view',
  email: 'view',
  phone: 'view',
  full_access: 'full',
  offline_access: 'lasting',
} as const satisfies Readonly<Record<string, ScopeAccess>>;

export const isAccess = (value: unknown): value is ScopeAccess => SCOPE_ACCESSES.some((access) => access === value);

const READING = /^(?:read|get|list|view|search)(?:$|[^a-z])/iu;
/** An action such as `read_write` or `get-or-create` begins with a reading verb but does more. */
const MORE =
  /(?<![a-z])(?:and|or|writ(?:e|ing)|create|add|edit|update|upsert|change|modify|set|put|patch|post|send|save|delete|remove|purge|manage|replace|execute|run)(?![a-z])/iu;

/** The extent of a project's scope by its permissions; undefined for a scope without permissions, which has only a description. */
export function accessOf(
  permissions: readonly { readonly actions: readonly string[] }[],
): Exclude<ScopeAccess, 'full' | 'lasting'> | undefined {
  const actions = permissions.flatMap((permission) => permission.actions);
  if (actions.length === 0) return undefined;
  return actions.every((action) => READING.test(action) && !MORE.test(action)) ? 'view' : 'change';
}
