/** A permission of a role or a scope: some of a resource's actions, or `*` for all. */
export interface Permission {
  readonly resource_id: string;
  readonly actions: readonly string[];
}

export interface Role {
  readonly role_id: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

export interface Resource {
  readonly resource_id: string;
  readonly description: string;
  readonly actions: readonly string[];
}

/** A scope that a connected app may request. A user can grant it if they have all of its permissions. */
export interface Scope {
  readonly scope: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

export interface RbacPolicy {
  readonly roles: readonly Role[];
  readonly resources: readonly Resource[];
  readonly scopes: readonly Scope[];
}
