import { passkeysWalletsSocialOf } from './parts/passkeys-wallets-social.ts';
import { passwordsAndPhonesOf } from './parts/passwords-and-phones.ts';
import { isEmail } from '../../../src/domain/email.ts';
import type { User } from '../../../src/domain/user.ts';
import type { Db, EmailsTable, UsersTable } from '../db/tables.ts';
import { Refusal } from '../http/refusal.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';

export interface KnownEmail extends EmailsTable {
  readonly status: UsersTable['status'];
}

/** Control and formatting characters: they could end a mail header or show another address than they are. */
const INVISIBLE = /\p{C}/u;

/** Refuses what is not an email address. */
export function checkEmail(email: string): void {
  if (!isEmail(email) || INVISIBLE.test(email)) throw new Refusal('invalid_email');
}

/** ASCII only: folding all of Unicode would let one mailbox pass for another (K and the Kelvin sign). */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
}

export async function findEmail(db: Db, email: string): Promise<KnownEmail | undefined> {
  return db
    .selectFrom('emails')
    .innerJoin('users', 'users.user_id', 'emails.user_id')
    .selectAll('emails')
    .select('users.status')
    .where('emails.email_key', '=', emailKey(email))
    .executeTakeFirst();
}

/** The user's address, made with a new user when nobody has it. One winner, however many ask at once. */
export async function findOrCreateEmail(
  services: Services,
  tx: Db,
  email: string,
  status: UsersTable['status'],
): Promise<KnownEmail> {
  const known = await findEmail(tx, email);
  if (known !== undefined) return known;
  const created_at = new Date(services.clock.now());
  const user_id = newId(services.random, 'user');
  await tx
    .insertInto('users')
    .values({
      user_id,
      created_at,
      status,
      name: '{}',
      trusted_metadata: '{}',
      untrusted_metadata: '{}',
      roles: '[]',
    })
    .execute();
  const made = await tx
    .insertInto('emails')
    .values({
      email_id: newId(services.random, 'email'),
      user_id,
      email,
      email_key: emailKey(email),
      verified: false,
      created_at,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made !== undefined) return { ...made, status };
  await tx.deleteFrom('users').where('user_id', '=', user_id).execute();
  const winner = await findEmail(tx, email);
  if (winner === undefined) throw new Refusal('service_unavailable');
  return winner;
}

/** Whoever reads the address's mail owns it: the address is verified, its user active. */
export async function confirmEmail(tx: Db, emailId: string): Promise<EmailsTable | undefined> {
  const email = await tx
    .updateTable('emails')
    .set({ verified: true })
    .where('email_id', '=', emailId)
    .returningAll()
    .executeTakeFirst();
  if (email !== undefined) {
    await tx.updateTable('users').set({ status: 'active' }).where('user_id', '=', email.user_id).execute();
  }
  return email;
}

/** The user as the wire shows one: every list is present. */
export async function readUser(db: Db, userId: string): Promise<User> {
  const user = await db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();
  const emails = await db
    .selectFrom('emails')
    .select(['email_id', 'email', 'verified'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return {
    user_id: user.user_id,
    created_at: user.created_at.toISOString(),
    status: user.status,
    roles: user.roles,
    name: { first_name: '', middle_name: '', last_name: '', ...user.name },
    trusted_metadata: user.trusted_metadata,
    untrusted_metadata: user.untrusted_metadata,
    emails,
    biometric_registrations: [],
    ...(await passwordsAndPhonesOf(db, userId)),
    ...(await passkeysWalletsSocialOf(db, userId)),
  };
}
