import type { BackendUser } from '../../../src/application/backend-api/reply.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import type { Project } from '../project/project.ts';
import { readWholeUser, withRoles, type WholeUser } from './read-user.ts';

/** The user's id, for what stands in its place in a request: the id itself, or the external id. */
export async function userIdOf(db: Db, given: string): Promise<string> {
  const found = await db
    .selectFrom('users')
    .select('user_id')
    .where((where) => where.or([where('user_id', '=', given), where('external_id', '=', given)]))
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('user_not_found');
  return found.user_id;
}

/** The user as the app's own server sees them, with their current roles. */
export async function readBackendUser(project: Project, db: Db, userId: string): Promise<BackendUser> {
  const found = await readWholeUser(db, userId);
  if (found === undefined) throw new Refusal('user_not_found');
  return backendUser(project, found);
}

export function backendUser(project: Project, whole: WholeUser): BackendUser {
  return { ...withRoles(project, whole), external_id: whole.external_id, is_locked: false };
}
