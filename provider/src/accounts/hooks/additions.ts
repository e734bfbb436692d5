import { isActive } from '#server-rules/mfa-policy.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#provider/base/db/database.ts';
import type { HookName } from '#provider/project/settings/hooks.ts';
import type { LockedUser } from '../users/lock.ts';
import { tell, withoutAnswer, type HookServices } from './decide.ts';
import type { HookDecision } from './decision.ts';

/** Gives the user what a hook added. Only a change is written, because a new role ends what the user has begun elsewhere. */
export async function addToUser(
  services: HookServices,
  tx: Db,
  name: HookName,
  { user_id }: LockedUser,
  { roles, trusted_metadata }: HookDecision,
): Promise<void> {
  if (roles.length === 0 && Object.keys(trusted_metadata).length === 0) return;
  const before = await tx
    .selectFrom('users')
    .select(['given_roles', 'trusted_metadata'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const allRoles = [...new Set([...before.given_roles, ...roles])];
  const merged = merge(services, name, before.trusted_metadata, trusted_metadata);
  if (merged === null) return;
  const changes = {
    ...(allRoles.length > before.given_roles.length && { given_roles: JSON.stringify(allRoles) }),
    ...(!isDeepStrictEqual(merged, before.trusted_metadata) && { trusted_metadata: JSON.stringify(merged) }),
  };
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable('users').set(changes).where('user_id', '=', user_id).execute();
}

/** Null for metadata that would be too long together with the user's own, which counts as no answer. */
function merge(
  services: HookServices,
  name: HookName,
  before: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  try {
    return mergeMetadata(before, added, 'trusted_metadata');
  } catch (error) {
    const settings = services.project.hooks[name];
    if (!(error instanceof Refusal) || settings === null) throw error;
    withoutAnswer(services, name, settings, 'answered with more trusted_metadata than users can have');
    return null;
  }
}

/** Refuses a login that needs a factor in a project that has none. */
export function requireActivePolicy({ project, warn }: HookServices, name: HookName): void {
  if (isActive(project.mfa)) return;
  tell(warn, `the hook ${name} requires a factor, but mfa of the project is off: what it decides about is refused`);
  throw new Refusal('mfa_required');
}
