import type { Permission, RbacPolicy } from '#domain/project/rbac-policy.ts';
import type { User } from '#domain/users/user.ts';
import { emailKey } from './accounts.ts';

/** Roles of the user with this id, or with this verified email address. */
export interface RoleAssignment {
  readonly user_id: string | null;
  readonly email: string | null;
  readonly roles: readonly string[];
}

/** The roles that the project gives this user: by id, and by verified email address. */
export function rolesOf(
  assignments: readonly RoleAssignment[],
  user: Pick<User, 'user_id' | 'emails'>,
): readonly string[] {
  if (assignments.length === 0) return [];
  const verified = new Set(user.emails.filter((email) => email.verified).map(({ email }) => emailKey(email)));
  const roles = assignments
    .filter(({ user_id, email }) => user_id === user.user_id || (email !== null && verified.has(emailKey(email))))
    .flatMap((assignment) => assignment.roles);
  return [...new Set(roles)];
}

/** True if the roles together have all of the permissions. */
export function permits(policy: RbacPolicy, roles: readonly string[], permissions: readonly Permission[]): boolean {
  const grants = policy.roles.filter(({ role_id }) => roles.includes(role_id)).flatMap((role) => role.permissions);
  const actionsOn = (resource: string): readonly string[] =>
    grants.filter(({ resource_id }) => resource_id === resource).flatMap(({ actions }) => actions);
  return permissions.every(({ resource_id, actions }) => {
    const mine = actionsOn(resource_id);
    return mine.includes('*') || actions.every((action) => mine.includes(action));
  });
}

/** The roles with this permission. */
export function grantingRoles(
  policy: RbacPolicy,
  roles: readonly string[],
  { resource_id, action }: { readonly resource_id: string; readonly action: string },
): readonly string[] {
  return roles.filter((role) => permits(policy, [role], [{ resource_id, actions: [action] }]));
}
