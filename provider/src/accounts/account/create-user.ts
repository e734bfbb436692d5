import { checkEmail } from '../../../../src/domain/rules/accounts.ts';
import type { BackendRoutes } from '../sessions/contract.ts';
import { transaction } from '../../base/db/transaction.ts';
import { readBackendUser, withUniqueExternalId } from '../users/backend-user.ts';
import { describeUser } from '../users/describe.ts';
import { giveEmail, givePhone } from '../users/give-contact.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import { newUser } from '../users/store.ts';

/**
 * Makes a user for the app's own server. Address and number are unverified: the first login by one of them verifies it, and
 * ends what else was given, but for the server's own words, roles and metadata.
 */
export const createUser: BackendRoutes['users']['create'] = async (services, { body }) => {
  const { email, phone_number, external_id, create_user_as_pending = false } = body;
  const { db, project } = services;
  if (email !== undefined) checkEmail(email);
  if (phone_number !== undefined) checkPhoneNumber(project, phone_number);
  return withUniqueExternalId(external_id, () =>
    transaction(db, async (tx) => {
      const made = await newUser(services, tx, create_user_as_pending ? 'pending' : 'active');
      const { user_id } = made;
      await tx.updateTable('users').set({ managed: true, vouched: true }).where('user_id', '=', user_id).execute();
      await describeUser(project, tx, made, body);
      const email_id = email === undefined ? '' : await giveEmail(services, tx, user_id, email);
      const phone_id = phone_number === undefined ? '' : await givePhone(services, tx, user_id, phone_number);
      const user = await readBackendUser(project, tx, user_id);
      return { user_id, email_id, phone_id, status: user.status, user };
    }),
  );
};
