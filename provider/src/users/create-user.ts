import { checkEmail, isTaken, mergeName } from '../../../src/domain/rules/accounts.ts';
import { mergeMetadata } from '../../../src/domain/rules/metadata.ts';
import type { BackendRoutes } from '../backend/mount-backend.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { checkGivenRoles, readBackendUser, withUniqueExternalId } from './backend-user.ts';
import { addPhone, checkPhoneNumber, findPhone } from './phone-numbers.ts';
import { addEmail, findEmail, newUser, removePending } from './store.ts';

/**
 * Makes a user for the app's own server. Address and number are unverified: the first login by one of them verifies it, and
 * ends what else was given, but for the server's own words, roles and metadata.
 */
export const createUser: BackendRoutes['users']['create'] = async (services, { body }) => {
  const { email, phone_number, external_id, roles = [], create_user_as_pending = false } = body;
  const { db, project } = services;
  if (email !== undefined) checkEmail(email);
  if (phone_number !== undefined) checkPhoneNumber(project, phone_number);
  checkGivenRoles(project, roles);
  const words = {
    untrusted_metadata: JSON.stringify(mergeMetadata({}, body.untrusted_metadata ?? {})),
    trusted_metadata: JSON.stringify(mergeMetadata({}, body.trusted_metadata ?? {})),
    given_roles: JSON.stringify([...new Set(roles)]),
  };
  const name = mergeName({}, body.name ?? {});
  return withUniqueExternalId(external_id, () =>
    transaction(db, async (tx) => {
      const { user_id } = await newUser(services, tx, create_user_as_pending ? 'pending' : 'active', name);
      await tx
        .updateTable('users')
        .set({ ...words, managed: true, vouched: true, ...(external_id === undefined ? {} : { external_id }) })
        .where('user_id', '=', user_id)
        .execute();
      const email_id = email === undefined ? '' : await giveEmail(services, tx, user_id, email);
      const phone_id = phone_number === undefined ? '' : await givePhone(services, tx, user_id, phone_number);
      const user = await readBackendUser(project, tx, user_id);
      return { user_id, email_id, phone_id, status: user.status, user };
    }),
  );
};

/** Gives the user an unverified address that nobody else has. One of an unfinished sign-up counts as free. */
export async function giveEmail(services: Services, tx: Db, user_id: string, email: string): Promise<string> {
  const known = await findEmail(tx, email);
  if (known !== undefined) {
    if (isTaken(known)) throw new Refusal('duplicate_email');
    await removePending(tx, known.user_id, 'duplicate_email');
  }
  const made = await addEmail(services, tx, { email_id: newId(services.random, 'email'), user_id, email });
  if (made === undefined) throw new Refusal('duplicate_email');
  return made.email_id;
}

/** Like `giveEmail`, for a number. */
export async function givePhone(services: Services, tx: Db, user_id: string, phone_number: string): Promise<string> {
  const known = await findPhone(tx, phone_number);
  if (known !== undefined) {
    if (isTaken(known)) throw new Refusal('duplicate_phone_number');
    await removePending(tx, known.user_id, 'duplicate_phone_number');
  }
  const phone_id = newId(services.random, 'phone-number');
  const made = await addPhone(services, tx, { phone_id, user_id, phone_number, verified: false });
  if (made === undefined) throw new Refusal('duplicate_phone_number');
  return phone_id;
}
