import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { lockUserOf, readBackendUser, withUniqueExternalId } from '../users/backend-user.ts';
import { describeUser } from '../users/describe.ts';

/** Changes the fields of the body. Sessions have the new roles at once, JWTs from the next one on. */
export const updateUser: BackendRoutes['users']['update'] = async ({ db, project }, { params, body }) =>
  withUniqueExternalId(body.external_id, () =>
    transaction(db, async (tx) => {
      const locked = await lockUserOf(tx, params.user_id);
      await describeUser(project, tx, locked, body);
      const user = await readBackendUser(project, tx, locked.user_id);
      const { user_id, emails, phone_numbers, crypto_wallets } = user;
      return { user_id, emails, phone_numbers, crypto_wallets, user };
    }),
  );
