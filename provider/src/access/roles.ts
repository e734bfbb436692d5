import type { User } from '../../../src/domain/user.ts';
import type { Db } from '../db/database.ts';
import type { Permission } from '../project/access.ts';
import type { Project } from '../project/project.ts';
import { emailKey } from '../users/store.ts';

/** The roles that the project gives this user: by id, and by email address once that is verified. */
export function rolesOf(
  { role_assignments }: Pick<Project, 'role_assignments'>,
  user: Pick<User, 'user_id' | 'emails'>,
): readonly string[] {
  const verified = new Set(user.emails.filter((email) => email.verified).map(({ email }) => emailKey(email)));
  const roles = role_assignments
    .filter(({ user_id, email }) => user_id === user.user_id || (email !== null && verified.has(emailKey(email))))
    .flatMap((assignment) => assignment.roles);
  return [...new Set(roles)];
}

/** The user with the roles that the project gives now; they are kept for whoever reads the user next. */
export async function withRoles(project: Project, db: Db, user: User): Promise<User> {
  const roles = rolesOf(project, user);
  if (roles.join('\n') === user.roles.join('\n')) return user;
  await db
    .updateTable('users')
    .set({ roles: JSON.stringify(roles) })
    .where('user_id', '=', user.user_id)
    .execute();
  return { ...user, roles: [...roles] };
}

/** True when the roles together have every one of the permissions. */
export function permits(
  { rbac_policy }: Pick<Project, 'rbac_policy'>,
  roles: readonly string[],
  permissions: readonly Permission[],
): boolean {
  const held = rbac_policy.roles.filter(({ role_id }) => roles.includes(role_id)).flatMap((role) => role.permissions);
  const actionsOn = (resource: string): readonly string[] =>
    held.filter(({ resource_id }) => resource_id === resource).flatMap(({ actions }) => actions);
  return permissions.every(({ resource_id, actions }) => {
    const mine = actionsOn(resource_id);
    return mine.includes('*') || actions.every((action) => mine.includes(action));
  });
}
