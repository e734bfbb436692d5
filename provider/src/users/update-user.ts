import { mergeName } from '../../../src/domain/rules/accounts.ts';
import { mergeMetadata } from '../../../src/domain/rules/metadata.ts';
import type { BackendRoutes } from '../backend/mount-backend.ts';
import { transaction } from '../db/transaction.ts';
import { checkGivenRoles, lockUserOf, readBackendUser, withUniqueExternalId } from './backend-user.ts';
import { readUserWithRoles } from './read-user.ts';

/**
 * Changes what the body names. Name and metadata are merged with what there is; roles replace those that the app's server gave
 * before. Sessions have the new roles at once, their JWTs from the next one on.
 */
export const updateUser: BackendRoutes['users']['update'] = async ({ db, project }, { params, body }) => {
  const { external_id, roles } = body;
  if (roles !== undefined) checkGivenRoles(project, roles);
  return withUniqueExternalId(external_id, () =>
    transaction(db, async (tx) => {
      const { user_id } = await lockUserOf(tx, params.user_id);
      const before = await tx
        .selectFrom('users')
        .select(['name', 'trusted_metadata', 'untrusted_metadata'])
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow();
      const wrote = body.name !== undefined || body.untrusted_metadata !== undefined;
      await tx
        .updateTable('users')
        .set({
          name: JSON.stringify(mergeName(before.name, body.name ?? {})),
          trusted_metadata: JSON.stringify(mergeMetadata(before.trusted_metadata, body.trusted_metadata ?? {})),
          untrusted_metadata: JSON.stringify(mergeMetadata(before.untrusted_metadata, body.untrusted_metadata ?? {})),
          ...(roles === undefined ? {} : { given_roles: JSON.stringify([...new Set(roles)]) }),
          ...(external_id === undefined ? {} : { external_id }),
          ...(wrote ? { vouched: true } : {}),
          managed: true,
        })
        .where('user_id', '=', user_id)
        .execute();
      await readUserWithRoles(project, tx, user_id);
      const user = await readBackendUser(project, tx, user_id);
      const { emails, phone_numbers, crypto_wallets } = user;
      return { user_id, emails, phone_numbers, crypto_wallets, user };
    }),
  );
};
