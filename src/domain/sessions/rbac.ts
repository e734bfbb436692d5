import { isRecord } from '../shape.ts';

/** Role-based access in the client: it decides what to show; only the server decides what is allowed (specification, section 6). */

/** The permissions of a project's roles, indexed once: a check takes the same time for any size of policy. */
export class AccessPolicy {
  /** role -> resource -> actions */
  private readonly roles = new Map<string, Map<string, Set<string>>>();

  /** @param policy bootstrap's `rbac_policy`; a missing or damaged part grants nothing */
  constructor(policy: unknown) {
    for (const [id, role] of entriesOf(policy, 'roles', 'role_id')) {
      const permissions = this.roles.get(id) ?? new Map<string, Set<string>>();
      this.roles.set(id, permissions);
      for (const [resource, { actions }] of entriesOf(role, 'permissions', 'resource_id'))
        permissions.set(resource, new Set([...(permissions.get(resource) ?? []), ...strings(actions)]));
    }
  }

  /** True if one of the roles lists the action, or the wildcard, for the resource. */
  isAuthorized(roles: readonly string[], resource: string, action: string): boolean {
    return roles.some((role) => {
      const actions = this.roles.get(role)?.get(resource);
      return actions !== undefined && (actions.has(action) || actions.has('*'));
    });
  }
}

/**
 * Every action of every resource of the policy, with whether it is allowed. Not a method, because servers do not need it.
 *
 * @param source bootstrap's `rbac_policy`
 */
export function allPermissions(
  source: unknown,
  policy: AccessPolicy,
  roles: readonly string[],
): Readonly<Record<string, Readonly<Record<string, boolean>>>> {
  const rows = entriesOf(source, 'resources', 'resource_id').map(([resource, { actions }]) => {
    const answers = strings(actions).map((action) => [action, policy.isAuthorized(roles, resource, action)] as const);
    return [resource, Object.fromEntries(answers)] as const;
  });
  return Object.fromEntries(rows);
}

type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list by name; objects without a name are left out. */
function entriesOf(value: unknown, list: string, name: string): readonly (readonly [name: string, fields: Fields])[] {
  const items = isRecord(value) && Object.hasOwn(value, list) ? value[list] : undefined;
  if (!Array.isArray(items)) return [];
  return items
    .filter((item) => isRecord(item) && typeof item[name] === 'string')
    .map((item: Fields) => [item[name] as string, item]);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
