import { checkEmail } from '#server-rules/accounts.ts';
import { CONTACT_KINDS } from '#server-rules/contacts.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import type { User } from '#domain/users/user.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { withoutUndo } from '#provider/base/notices/record.ts';
import { dropPassword } from '../passwords/store.ts';
import { lockUserOf, readBackendUser } from '../users/backend-user.ts';
import { endAccess } from '../users/belongings.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { giveContact } from '../users/contact-changes.ts';
import type { ContactValue } from '../users/contacts.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import { readUser } from '../users/read-user.ts';

/** True for a user whose only login method is one address or one number. */
function hasOneContact(user: User): boolean {
  const { emails, phone_numbers, providers, webauthn_registrations, crypto_wallets } = user;
  const others = [providers, webauthn_registrations, crypto_wallets];
  return emails.length + phone_numbers.length === 1 && others.every((list) => list.length === 0);
}

/**
 * Replaces the only address or number of a user. All sessions, codes and links of the user end, so that the holder of the old contact is
 * locked out. The new contact is unverified until the first login by it. The password is kept only if the new contact is an address.
 */
export const exchangePrimaryFactor: BackendRoutes['users']['exchangePrimaryFactor'] = async (
  services,
  { params, body },
) => {
  const contact = contactIn(services.project, body);
  return transaction(services.db, async (tx) => {
    const user = await lockUserOf(tx, params.user_id);
    const { user_id } = user;
    const before = await readUser(tx, user_id);
    if (!hasOneContact(before)) throw new Refusal('not_exactly_one_factor');
    if (!isContactOf(before, contact)) {
      await endAccess(tx, user, null);
      await tx.deleteFrom('emails').where('user_id', '=', user_id).execute();
      await tx.deleteFrom('phone_numbers').where('user_id', '=', user_id).execute();
      await giveContact(services, tx, user_id, contact);
      await withoutUndo(tx, user_id);
      if (contact.kind === 'phone') await dropPassword(tx, user_id);
      // If the user had proved the old contact, their name is kept at the first login by the new one.
      const wasVerified = [...before.emails, ...before.phone_numbers].some(({ verified }) => verified);
      await tx
        .updateTable('users')
        .set({ managed: true, ...(wasVerified ? { vouched: wasVerified } : {}) })
        .where('user_id', '=', user_id)
        .execute();
    }
    return { user_id, user: await readBackendUser(services.project, tx, user_id) };
  });
};

interface NewFactorBody {
  readonly email_address?: string | undefined;
  readonly phone_number?: string | undefined;
}

/** The contact that the body names; refuses a body with none or both. */
function contactIn(project: Project, { email_address, phone_number }: NewFactorBody): ContactValue {
  if (email_address !== undefined && phone_number === undefined) {
    checkEmail(email_address, 'email_address');
    return { kind: 'email', value: email_address };
  }
  if (phone_number !== undefined && email_address === undefined) {
    checkPhoneNumber(project, phone_number);
    return { kind: 'phone', value: phone_number };
  }
  const message = 'exactly one of email_address and phone_number must be given';
  throw new SchemaRefusal([{ dataPath: ['email_address'], message }]);
}

function isContactOf({ emails, phone_numbers }: User, { kind, value }: ContactValue): boolean {
  const { keyOf } = CONTACT_KINDS[kind];
  const values =
    kind === 'email' ? emails.map(({ email }) => email) : phone_numbers.map(({ phone_number }) => phone_number);
  return values.some((each) => keyOf(each) === keyOf(value));
}
