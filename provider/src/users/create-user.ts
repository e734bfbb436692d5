import { checkEmail } from '../../../src/domain/rules/accounts.ts';
import type { BackendRoutes } from '../backend/mount-backend.ts';
import type { Db } from '../db/database.ts';
import { ChangedMeanwhile, transaction } from '../db/transaction.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { readBackendUser, withUniqueExternalId } from './backend-user.ts';
import { describeUser } from './describe.ts';
import { addPhone, checkPhoneNumber, findPhone, freePhone } from './phone-numbers.ts';
import { addEmail, findEmail, freeEmail, newUser } from './store.ts';

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

/** Gives the user an unverified address. Takes it from another user who has not verified it, unless the app manages them. */
export async function giveEmail(services: Services, tx: Db, user_id: string, email: string): Promise<string> {
  const known = await findEmail(tx, email);
  if (known !== undefined) await freeEmail(tx, known);
  const made = await addEmail(services, tx, { email_id: newId(services.random, 'email'), user_id, email });
  // Somebody else signed up with it meanwhile: the next try finds them.
  if (made === undefined) throw new ChangedMeanwhile();
  return made.email_id;
}

/** Like `giveEmail`, for a number. */
export async function givePhone(services: Services, tx: Db, user_id: string, phone_number: string): Promise<string> {
  const known = await findPhone(tx, phone_number);
  if (known !== undefined) await freePhone(tx, known);
  const phone_id = newId(services.random, 'phone-number');
  const made = await addPhone(services, tx, { phone_id, user_id, phone_number, verified: false });
  if (made === undefined) throw new ChangedMeanwhile();
  return phone_id;
}
