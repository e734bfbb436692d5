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
  const user_id = await newUser(services, tx, status);
  const made = await addEmail(services, tx, { email_id: newId(services.random, 'email'), user_id, email });
  if (made !== undefined) return { ...made, status };
  await removeUser(tx, user_id);
  const winner = await findEmail(tx, email);
  if (winner === undefined) throw new Refusal('service_unavailable');
  return winner;
}

/** A user without a way in: give one in the same transaction. */
export async function newUser(services: Services, tx: Db, status: UsersTable['status']): Promise<string> {
  const user_id = newId(services.random, 'user');
  await tx
    .insertInto('users')
    .values({
      user_id,
      created_at: new Date(services.clock.now()),
      status,
      name: '{}',
      trusted_metadata: '{}',
      untrusted_metadata: '{}',
      roles: '[]',
    })
    .execute();
  return user_id;
}

export async function removeUser(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('user_id', '=', userId).execute();
}

/** Undefined when somebody has the address. */
async function addEmail(
  services: Services,
  tx: Db,
  {
    email_id,
    user_id,
    email,
    verified = false,
  }: Pick<EmailsTable, 'email_id' | 'user_id' | 'email'> & { verified?: boolean },
): Promise<EmailsTable | undefined> {
  return tx
    .insertInto('emails')
    .values({
      email_id,
      user_id,
      email,
      email_key: emailKey(email),
      verified,
      created_at: new Date(services.clock.now()),
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export interface Added {
  readonly user_id: string;
  /** The id that the address or number gets when it is new to the user. */
  readonly id: string;
  readonly address: string;
}

/**
 * Gives a proven address to a user; refuses one that another user has. What somebody only began to sign up with, and
 * never proved, is nobody's.
 */
export async function attachEmail(services: Services, tx: Db, { user_id, id, address }: Added): Promise<EmailsTable> {
  const known = await findEmail(tx, address);
  if (known !== undefined && known.user_id !== user_id) {
    if (isTaken(known)) throw new Refusal('duplicate_email');
    await removeUser(tx, known.user_id);
  }
  const mine = known?.user_id === user_id ? await verify(tx, known.email_id) : undefined;
  const email = mine ?? (await addEmail(services, tx, { email_id: id, user_id, email: address, verified: true }));
  if (email === undefined) throw new Refusal('duplicate_email');
  return email;
}

/** False for an address or number that nobody ever proved to have. */
export function isTaken({ verified, status }: { readonly verified: boolean; readonly status: string }): boolean {
  return verified || status === 'active';
}

/** Whoever signs in is no longer pending. */
export async function activate(tx: Db, userId: string): Promise<void> {
  await tx.updateTable('users').set({ status: 'active' }).where('user_id', '=', userId).execute();
}

async function verify(tx: Db, emailId: string): Promise<EmailsTable | undefined> {
  return tx
    .updateTable('emails')
    .set({ verified: true })
    .where('email_id', '=', emailId)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Whoever reads the address's mail owns it: the address is verified, its user active.
 *
 * The first proof ends what anyone else may have prepared who signed up with the address of a stranger: unless `keep`
 * is a live session of that very user, the password must be reset, what else was added goes and the sessions end.
 */
export async function confirmEmail(
  tx: Db,
  emailId: string,
  keep?: { readonly user_id: string },
): Promise<EmailsTable | undefined> {
  const before = await tx
    .selectFrom('emails')
    .selectAll()
    .where('email_id', '=', emailId)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined || before.verified) return before;
  const email = await verify(tx, emailId);
  await activate(tx, before.user_id);
  if (keep?.user_id === before.user_id) return email;
  const { user_id } = before;
  await tx.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', user_id).execute();
  await tx.deleteFrom('phone_numbers').where('user_id', '=', user_id).execute();
  await tx.deleteFrom('totps').where('user_id', '=', user_id).execute();
  for (const table of ['webauthn_registrations', 'oauth_registrations', 'crypto_wallets'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user_id).execute();
  }
  await tx.deleteFrom('emails').where('user_id', '=', user_id).where('email_id', '!=', emailId).execute();
  await tx.deleteFrom('sessions').where('user_id', '=', user_id).execute();
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
    roles: [...user.roles],
    name: { first_name: '', middle_name: '', last_name: '', ...user.name },
    trusted_metadata: user.trusted_metadata,
    untrusted_metadata: user.untrusted_metadata,
    emails,
    biometric_registrations: [],
    ...(await passwordsAndPhonesOf(db, userId)),
    ...(await passkeysWalletsSocialOf(db, userId)),
  };
}
