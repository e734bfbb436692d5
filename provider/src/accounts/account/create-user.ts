import { checkEmail } from '#server-rules/accounts.ts';
import { auditRow, entryOf } from '#provider/base/audit/record.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { withWrites } from '#provider/base/db/statements/with-writes.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { readBackendUser, withUniqueExternalId } from '../users/backend-user.ts';
import { findContacts, type ContactValue } from '../users/contacts.ts';
import { describedUser } from '../users/describe.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import { freeContact } from '../users/release.ts';
import { newUser } from '../users/store.ts';

/**
 * Creates a user for the app's own server. The address and number are unverified. The first login by one of them verifies it and removes
 * everything else that was added, except the name, roles and metadata that the server set.
 */
export const createUser: BackendRoutes['users']['create'] = async (services, { body, caller }) => {
  const { email, phone_number, external_id, create_user_as_pending = false } = body;
  const { db, project } = services;
  if (email !== undefined) checkEmail(email);
  if (phone_number !== undefined) checkPhoneNumber(project, phone_number);
  const contacts: readonly ContactValue[] = [
    ...(email === undefined ? [] : [{ kind: 'email', value: email } as const]),
    ...(phone_number === undefined ? [] : [{ kind: 'phone', value: phone_number } as const]),
  ];
  return withUniqueExternalId(external_id, async () => {
    const description = {
      ...describedUser(project, body),
      status: create_user_as_pending ? 'pending' : 'active',
    } as const;
    return transaction(db, async (tx) => {
      for (const contact of await findContacts(tx, contacts)) await freeContact(tx, contact);
      const { user_id } = await newUser(services, tx, 'made', description, contacts);
      const actor = { kind: 'server', id: caller.credential.secret_id } as const;
      const entry = entryOf(caller, { user_id, actor });
      const audited = entry === null ? [] : [tx.insertInto('audit_log').values(auditRow(services, entry))];
      const user = await readBackendUser(project, withWrites(tx, audited), user_id);
      const { emails, phone_numbers, status } = user;
      // Another sign-up took one of them meanwhile; the next attempt finds it.
      if (emails.length + phone_numbers.length < contacts.length) throw new ChangedMeanwhile();
      const [email_id = '', phone_id = ''] = [emails[0]?.email_id, phone_numbers[0]?.phone_id];
      return { user_id, email_id, phone_id, status, user };
    });
  });
};
