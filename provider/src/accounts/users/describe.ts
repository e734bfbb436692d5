import type { Selectable } from 'kysely';
import { mergeName } from '#server-rules/accounts.ts';
import { isActive, type UserMfaPolicy } from '#server-rules/mfa-policy.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import type { Db } from '#provider/base/db/database.ts';
import { wrongField } from '#provider/project/readers/body-fields.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { checkGivenRoles } from './backend-user.ts';
import type { LockedUser } from './lock.ts';
import type { UsersTable } from './tables.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a user that the app's own server can set. An external id needs `withUniqueExternalId` around the transaction. */
export interface Description {
  readonly name?: Fields | undefined;
  readonly trusted_metadata?: Fields | undefined;
  readonly untrusted_metadata?: Fields | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly external_id?: string | undefined;
  readonly mfa_policy?: string | undefined;
}

type DescribedColumns = Pick<Selectable<UsersTable>, 'name' | 'trusted_metadata' | 'untrusted_metadata'>;

const BLANK: DescribedColumns = { name: {}, trusted_metadata: {}, untrusted_metadata: {} };

/** The columns of a user created by the app's own server. */
export function describedUser(project: Project, description: Description) {
  const columns = describedColumns(project, BLANK, description);
  return { ...columns, roles: columns.given_roles ?? '[]', managed: true, vouched: true };
}

/** Name and metadata are merged with the stored ones; roles replace the app server's earlier ones. */
function describedColumns(
  project: Project,
  before: DescribedColumns,
  { name = {}, trusted_metadata = {}, untrusted_metadata = {}, roles, external_id }: Description,
) {
  if (roles !== undefined) checkGivenRoles(project, roles);
  const trusted = mergeMetadata(before.trusted_metadata, trusted_metadata, 'trusted_metadata');
  const untrusted = mergeMetadata(before.untrusted_metadata, untrusted_metadata, 'untrusted_metadata');
  return {
    name: JSON.stringify(mergeName(before.name, name)),
    trusted_metadata: JSON.stringify(trusted),
    untrusted_metadata: JSON.stringify(untrusted),
    ...(roles === undefined ? {} : { given_roles: JSON.stringify([...new Set(roles)]), roles_named: true }),
    ...(external_id === undefined ? {} : { external_id }),
  };
}

/** Changes the described fields. */
export async function describeUser(
  project: Project,
  tx: Db,
  { user_id }: LockedUser,
  description: Description,
): Promise<void> {
  const before = await tx
    .selectFrom('users')
    .select(['name', 'trusted_metadata', 'untrusted_metadata', 'vouched'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const { name, trusted_metadata, untrusted_metadata, roles, external_id } = description;
  const wrote = name !== undefined || untrusted_metadata !== undefined;
  const gave = [trusted_metadata, roles, external_id].some((field) => field !== undefined);
  await tx
    .updateTable('users')
    .set({
      ...describedColumns(project, before, description),
      ...(wrote && (isBlank(before) || (await hasProven(tx, user_id))) ? { vouched: true } : {}),
      ...(wrote || gave ? { managed: true } : {}),
      ...(description.mfa_policy === undefined ? {} : { mfa_policy: policyIn(project, description.mfa_policy) }),
    })
    .where('user_id', '=', user_id)
    .execute();
}

/** The user's policy; null for the project's. Refuses a policy without effect: the project has none to add it to. */
function policyIn({ mfa }: Project, policy: string): UserMfaPolicy | null {
  if (policy === 'project') return null;
  if (!isActive(mfa)) throw wrongField('mfa_policy', 'project, because the policy of this project is off');
  if (policy === 'when_enrolled' || policy === 'required') return policy;
  throw wrongField('mfa_policy', 'when_enrolled, required or project');
}

/** True if only the app's own server has written name and metadata. */
function isBlank({
  name,
  untrusted_metadata,
  vouched,
}: Pick<Selectable<UsersTable>, 'name' | 'untrusted_metadata' | 'vouched'>) {
  const words = [...Object.values(name), ...Object.keys(untrusted_metadata)];
  return vouched || words.every((word) => word === '');
}

/** True if an address or number of the user is verified. Earlier fields may come from a stranger who signed up with it. */
async function hasProven(tx: Db, user_id: string): Promise<boolean> {
  for (const table of ['emails', 'phone_numbers'] as const) {
    const contact = await tx
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', user_id)
      .where('verified', '=', true)
      .executeTakeFirst();
    if (contact !== undefined) return true;
  }
  return false;
}
