import type { QueryCreator } from 'kysely';
import type { BackendUser } from '#provider/base/backend-api/reply.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { checkExternalId } from './external-ids.ts';
import { sqlState } from '#provider/base/db/database-errors.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { lockUser, type LockedUser } from './lock.ts';
import { readWholeUser, withRoles, type WholeUser } from './read-user.ts';

/** The user's id for a path or field of a request: the id itself, or the external id. */
export async function userIdOf(db: Db, id: string): Promise<string> {
  const found = await db
    .selectFrom('users')
    .select('user_id')
    .where((where) => where.or([where('user_id', '=', id), where('external_id', '=', id)]))
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('user_not_found');
  return found.user_id;
}

/** Locks the user of this id or external id. */
export async function lockUserOf(tx: Db, id: string): Promise<LockedUser> {
  const user = await lockUser(tx, await userIdOf(tx, id));
  if (user === undefined) throw new Refusal('user_not_found');
  return user;
}

/** Refuses roles that are not in the policy. */
export function checkGivenRoles({ rbac_policy }: Project, roles: readonly string[]): void {
  const strange = roles.find((role) => rbac_policy.roles.every(({ role_id }) => role_id !== role));
  if (strange !== undefined) throw new Refusal('invalid_role', undefined, undefined, { role: strange.slice(0, 128) });
}

const UNIQUE_VIOLATION = '23505';

/** Writes a user with this external id. The database decides whether another user has it already. */
export async function withUniqueExternalId<R>(id: string | undefined, write: () => Promise<R>): Promise<R> {
  if (id !== undefined) checkExternalId(id);
  try {
    return await write();
  } catch (error) {
    const { constraint } = isRecord(error) ? error : {};
    if (sqlState(error) === UNIQUE_VIOLATION && constraint === 'users_external_id_key') {
      throw new Refusal('duplicate_external_id');
    }
    throw error;
  }
}

/** The user as the app's own server sees them, with their current roles. */
export async function readBackendUser(
  project: Project,
  db: QueryCreator<Database>,
  userId: string,
): Promise<BackendUser> {
  const found = await readWholeUser(db, userId);
  if (found === undefined) throw new Refusal('user_not_found');
  return backendUser(project, found);
}

export function backendUser(project: Project, whole: WholeUser): BackendUser {
  const { external_id, locked: is_locked, mfa_policy, accepted_terms } = whole;
  return {
    ...withRoles(project, whole),
    external_id,
    is_locked,
    ...(mfa_policy === null ? {} : { mfa_policy }),
    ...(Object.keys(accepted_terms).length === 0 ? {} : { accepted_terms }),
  };
}
