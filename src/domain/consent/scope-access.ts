/**
 * What a permission lets an app do: only see; add, change or delete; stay when its user is away; or everything that its user can.
 */
const SCOPE_ACCESSES = ['view', 'change', 'lasting', 'full'] as const;
export type ScopeAccess = (typeof SCOPE_ACCESSES)[number];

/** Of the scopes that every server knows. What a server says about these is not asked. */
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
/** An action such as `read_write` or `get-or-create` begins with reading and does more. */
const MORE =
  /(?<![a-z])(?:and|or|writ(?:e|ing)|create|add|edit|update|upsert|change|modify|set|put|patch|post|send|save|delete|remove|purge|manage|replace|execute|run)(?![a-z])/iu;

/** Judges a scope of the project by its permissions; undefined for one without any, of which only its words are known. */
export function accessOf(
  permissions: readonly { readonly actions: readonly string[] }[],
): Exclude<ScopeAccess, 'full' | 'lasting'> | undefined {
  const actions = permissions.flatMap((permission) => permission.actions);
  if (actions.length === 0) return undefined;
  return actions.every((action) => READING.test(action) && !MORE.test(action)) ? 'view' : 'change';
}
