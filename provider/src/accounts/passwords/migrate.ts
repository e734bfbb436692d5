import type { passwords as endpoints } from '#provider/base/backend-api/passwords.ts';
import type { BodyFor } from '#application/api/endpoint.ts';
import { checkEmail, isSignedUp, isTaken } from '#server-rules/accounts.ts';
import { migratedHash } from './migrated-hashes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import type { Services, SessionServices } from '../services.ts';
import { readBackendUser, withUniqueExternalId } from '../users/backend-user.ts';
import { describeUser } from '../users/describe.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { attachContact, confirmContact, freeSignedUp, giveContact } from '../users/contact-changes.ts';
import { takeOver } from '../users/coming-in.ts';
import { findContact } from '../users/contacts.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import { findOrCreateContact } from '../users/store.ts';
import { createPassword } from './store.ts';
import { storedForm } from './stored.ts';

type Migration = BodyFor<typeof endpoints.migrate>;

/**
 * Gives an address the password that its user has in another system, and creates the user if the address is new. Refuses a user who has a
 * password already. The policy cannot be applied, because only a hash is known; a breached password must be reset at its first use.
 */
export async function migratePassword(services: SessionServices, migration: Migration) {
  const { project, db } = services;
  const { email, phone_number, external_id } = migration;
  checkEmail(email);
  if (phone_number !== undefined) checkPhoneNumber(project, phone_number);
  const migrated = migratedHash(migration);
  return withUniqueExternalId(external_id, () =>
    transaction(db, async (tx) => {
      const address = { kind: 'email', value: email } as const;
      await freeSignedUp(tx, address);
      const newcomer = { arrival: 'made', status: 'active' } as const;
      const { user_id, created: user_created } = await findOrCreateContact(services, tx, address, newcomer);
      const user = await lockUser(tx, user_id);
      // Reads again under the lock: the address may have been verified or moved in the meantime.
      const contact = await findContact(tx, 'email', email);
      if (user === undefined || contact?.user_id !== user_id) throw new ChangedMeanwhile();
      // A stranger signed up meanwhile: the next try removes the sign-up.
      if (!user_created && !isTaken(contact) && isSignedUp(contact)) throw new ChangedMeanwhile();
      // The app vouches for the user, who has not proven anything here yet.
      await takeOver(tx, user);
      // The first verification ends everything that a stranger may have prepared with the address.
      if (migration.set_email_verified === true) await confirmContact(services, tx, { contact: contact, user });
      if (!(await createPassword(services, tx, user_id, storedForm(services, user_id, migrated)))) {
        throw new Refusal('duplicate_email', 'The user of the email address has a password already.');
      }
      if (phone_number !== undefined) await addNumber(services, tx, user, migration, phone_number);
      const { name, trusted_metadata, untrusted_metadata, roles } = migration;
      const description = { name, trusted_metadata, untrusted_metadata, roles };
      // An existing user keeps their external id.
      await describeUser(project, tx, user, user_created ? { ...description, external_id } : description);
      return { user_id, email_id: contact.method_id, user_created, user: await readBackendUser(project, tx, user_id) };
    }),
  );
}

async function addNumber(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  user: LockedUser,
  { set_phone_number_verified }: Migration,
  phoneNumber: string,
): Promise<void> {
  const phone = { kind: 'phone', value: phoneNumber } as const;
  if (set_phone_number_verified === true) {
    await attachContact(services, tx, { user, session: null }, phone);
  } else if ((await findContact(tx, 'phone', phoneNumber))?.user_id !== user.user_id) {
    await giveContact(services, tx, user.user_id, phone);
  }
}
