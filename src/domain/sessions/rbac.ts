import { isRecord } from '../shape.ts';

/** Role-based access in the client: it decides what to show; only the server decides what is allowed (specification, section 6). */

/** The permissions of a project's roles, indexed once. */
export class AccessPolicy {
  /** role -> resource -> actions */
  private readonly roles = new Map<string, Map<string, Set<string>>>();
  /** resource -> actions */
  private readonly resources = new Map<string, readonly string[]>();
  private readonly merged = new WeakMap<readonly string[], Map<string, Set<string>>>();

  /** @param policy bootstrap's `rbac_policy`; a missing or damaged part grants nothing */
  constructor(policy: unknown) {
    for (const role of records(policy, 'roles')) {
      const id = role['role_id'];
      if (typeof id === 'string') this.roles.set(id, mergeInto(this.roles.get(id) ?? new Map(), permissionsOf(role)));
    }
    for (const resource of records(policy, 'resources')) {
      const id = resource['resource_id'];
      if (typeof id === 'string') this.resources.set(id, strings(resource['actions']));
    }
  }

  /** Looks up the resource's actions, then the action or the wildcard in them: constant time for any size of policy. */
  isAuthorized(roles: readonly string[], resource: string, action: string): boolean {
    const actions = this.permissions(roles).get(resource);
    return actions !== undefined && (actions.has(action) || actions.has('*'));
  }

  /** Every action of every resource of the policy, and whether it is allowed. */
  all(roles: readonly string[]): Readonly<Record<string, Readonly<Record<string, boolean>>>> {
    const permissions = this.permissions(roles);
    const entries = [...this.resources].map(([resource, actions]) => {
      const allowed = permissions.get(resource);
      const rows = actions.map(
        (action) => [action, allowed?.has(action) === true || allowed?.has('*') === true] as const,
      );
      return [resource, Object.fromEntries(rows)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** The union of the roles' permissions. Cached by the identity of the list, which is the user's and stays the same. */
  private permissions(roles: readonly string[]): Map<string, Set<string>> {
    const known = this.merged.get(roles);
    if (known !== undefined) return known;
    const merged = new Map<string, Set<string>>();
    for (const role of roles) mergeInto(merged, this.roles.get(role) ?? new Map());
    this.merged.set(roles, merged);
    return merged;
  }
}

function mergeInto(target: Map<string, Set<string>>, source: ReadonlyMap<string, ReadonlySet<string>>) {
  for (const [resource, actions] of source) {
    const merged = target.get(resource) ?? new Set<string>();
    for (const action of actions) merged.add(action);
    target.set(resource, merged);
  }
  return target;
}

function permissionsOf(role: Readonly<Record<string, unknown>>): Map<string, Set<string>> {
  const permissions = new Map<string, Set<string>>();
  for (const { resource_id: resource, actions } of records(role, 'permissions')) {
    if (typeof resource === 'string') mergeInto(permissions, new Map([[resource, new Set(strings(actions))]]));
  }
  return permissions;
}

function records(value: unknown, field: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
