import type { Delegable } from '../../../../src/domain/rules/delegates.ts';
import { sql } from 'kysely';
import type { UserName } from '../../../../src/domain/users/user.ts';
import { emailKey, emailKeys, isSignedUp, isTaken } from '../../../../src/domain/rules/accounts.ts';
import { signUpSession } from '../../../../src/domain/rules/first-proof.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { ChangedMeanwhile } from '../../base/db/transaction.ts';
import type { EmailsTable, UsersTable } from './tables.ts';
import { derivedId } from '../../base/security/derived-id.ts';
import { newId } from '../../base/security/secrets.ts';
import type { Services } from '../services.ts';
import { held, type HeldUser, type LockedUser } from './lock.ts';
import { endEverythingBut } from './belongings.ts';
import { proofDueAt } from './proof-due.ts';
import { release } from './release.ts';
import { requireRoom } from './room.ts';

export interface KnownEmail extends EmailsTable {
  readonly status: UsersTable['status'];
  readonly managed: boolean;
}

/** An address that was looked up or made. */
export interface FoundEmail extends KnownEmail {
  /** Whether its user was made for it. */
  readonly created: boolean;
}

/** The place of a stored key among the keys of an address: the spelling that is given comes first. */
export const placeOfKey = (email: string) =>
  sql<number>`array_position(array[${sql.join(emailKeys(email))}]::text[], emails.email_key)`;

/** Where the address is stored under several keys, it is that of the user who verified it. */
export async function findEmail(db: Db, email: string): Promise<KnownEmail | undefined> {
  return db
    .selectFrom('emails')
    .innerJoin('users', 'users.user_id', 'emails.user_id')
    .selectAll('emails')
    .select(['users.status', 'users.managed'])
    .where('emails.email_key', 'in', emailKeys(email))
    .orderBy('emails.verified', 'desc')
    .orderBy(placeOfKey(email))
    .executeTakeFirst();
}

/** The address and its user; both are created if nobody has the address. Of simultaneous calls only one creates them. */
export async function findOrCreateEmail(
  services: Services,
  tx: Db,
  email: string,
  status: UsersTable['status'],
): Promise<FoundEmail> {
  const known = await findEmail(tx, email);
  if (known !== undefined) return { ...known, created: false };
  const { user_id } = await newUser(services, tx, status);
  const made = await addEmail(services, tx, { email_id: newId(services.random, 'email'), user_id, email });
  if (made !== undefined) return { ...made, status, managed: false, created: true };
  await removeUser(tx, user_id);
  const winner = await findEmail(tx, email);
  if (winner === undefined) throw new ChangedMeanwhile();
  return { ...winner, created: false };
}

/** Makes a user without a login factor; add one in the same transaction. */
export async function newUser(
  services: Services,
  tx: Db,
  status: UsersTable['status'],
  name: UserName = {},
): Promise<LockedUser> {
  const user_id = newId(services.random, 'user');
  const now = services.clock.now();
  await tx
    .insertInto('users')
    .values({
      user_id,
      created_at: new Date(now),
      proof_due_at: proofDueAt(now),
      status,
      name: JSON.stringify(name),
      trusted_metadata: '{}',
      untrusted_metadata: '{}',
      roles: '[]',
    })
    .execute();
  return held(user_id);
}

export async function removeUser(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('user_id', '=', userId).execute();
}

/** Undefined if a user has the address already. */
export async function addEmail(
  services: Services,
  tx: Db,
  {
    email_id,
    user_id,
    email,
    verified = false,
    added_in = null,
  }: Pick<EmailsTable, 'email_id' | 'user_id' | 'email'> & { verified?: boolean; added_in?: string | null },
): Promise<EmailsTable | undefined> {
  return tx
    .insertInto('emails')
    .values({
      email_id,
      user_id,
      // Mails go to this form, so nobody gets those of an address that only looks the same.
      email: email.normalize('NFC'),
      email_key: emailKey(email),
      verified,
      created_at: new Date(services.clock.now()),
      added_in,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export interface AddedContact {
  /** The id of the address or number after it is added to the user. */
  readonly id: string;
  readonly address: string;
}

/** An address or number that was added to a user. */
export interface Attachment<Row> {
  readonly added: Row;
  /** Whether the user had it unverified, so that this was its first verification. */
  readonly first: boolean;
}

/** A session of the user, as the rules of a first proof read it. */
type SessionOfUser = Delegable & { readonly user_id: string; readonly session_id: string };

/** The user to whom an address or number is added. */
export interface Recipient {
  readonly user_id: string;
  readonly needs_session: boolean;
}

/** The session and the user to whom an address or number is added. */
export interface AttachTarget extends HeldUser {
  readonly session: SessionOfUser | null;
}

/**
 * Adds a verified address to a user. Takes it from another user who has not verified it. One that the user has is verified: if
 * that is the first time, everything ends that `confirmEmail` ends.
 */
export async function attachEmail(
  services: Services,
  tx: Db,
  { user, session }: AttachTarget,
  { id, address }: AddedContact,
): Promise<Attachment<EmailsTable>> {
  const { user_id } = user;
  const known = await findEmail(tx, address);
  if (known !== undefined && known.user_id !== user_id) {
    await freeEmail(tx, known);
  }
  if (known?.user_id === user_id) {
    const { email } = await confirmEmail(tx, { email: known, user }, session ?? undefined);
    return { added: email, first: !known.verified };
  }
  await requireRoom(tx, 'emails', user_id);
  const added_in = session?.session_id ?? null;
  const made = await addEmail(services, tx, { email_id: id, user_id, email: address, verified: true, added_in });
  // Somebody else signed up with it meanwhile: the next try finds them.
  if (made === undefined) throw new ChangedMeanwhile();
  return { added: made, first: false };
}

/** Frees an address for a caller who vouches for another user; refuses one that stays with its user. */
export async function freeEmail(tx: Db, known: KnownEmail): Promise<void> {
  if (isTaken(known)) throw new Refusal('duplicate_email');
  await release(tx, { user_id: known.user_id, kind: 'email', id: known.email_id });
}

/**
 * Frees an address with which a stranger has signed up, for a caller who vouches for its owner and goes on with a user who has
 * never signed in.
 */
export async function freeSignedUpEmail(tx: Db, email: string): Promise<void> {
  const known = await findEmail(tx, email);
  if (known !== undefined && !isTaken(known) && isSignedUp(known)) await freeEmail(tx, known);
}

/** The address to add to the user; refuses an address of another user. */
export async function addressOf(services: Services, tx: Db, { user_id, needs_session }: Recipient, email: string) {
  const known = await findEmail(tx, email);
  const mine = known?.user_id === user_id;
  if (known !== undefined && !mine && isTaken(known)) throw new Refusal('duplicate_email');
  const key = emailKey(email);
  const method_id = mine ? known.email_id : derivedId(services.keys.codeKey, 'email', user_id, key);
  return {
    method_id,
    user_id,
    to: mine ? known.email : email.normalize('NFC'),
    adds: { address: email, needs_session },
  };
}

/** Marks a user as active: the first login ends `pending`. */
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

/** An address whose owner used a link or code from its mailbox, and its user, locked. */
export interface ProvenEmail {
  readonly email: EmailsTable;
  readonly user: LockedUser;
}

/**
 * Locks the address's user and then the address, and reads both as they are once they are locked: where another transaction
 * held them, as it left them. Undefined when the address was removed or moved to another user in the meantime.
 */
export async function lockEmail(tx: Db, emailId: string): Promise<ProvenEmail | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('emails', 'emails.user_id', 'users.user_id')
    .selectAll('emails')
    .select('users.locked_at')
    .where('emails.email_id', '=', emailId)
    .forUpdate('users')
    .forNoKeyUpdate('emails')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { locked_at, ...email } = row;
  return { email, user: held(email.user_id, locked_at !== null) };
}

/**
 * Marks the address as verified and its user as active.
 *
 * The first verification ends everything that an attacker may have prepared by signing up with a stranger's address. The
 * exception is the session of that very sign-up (`signUpSession`): it stays, with what was added in it, and all the rest ends.
 *
 * @param asker the session that requested the message to this address, if one did; a login has none
 */
export async function confirmEmail(tx: Db, { email, user }: ProvenEmail, asker?: SessionOfUser): Promise<ProvenEmail> {
  if (email.verified) return { email, user };
  const verified = await verify(tx, email.email_id);
  await activate(tx, user.user_id);
  const { email_id } = email;
  const own = signUpSession(email, asker);
  await endEverythingBut(tx, user, { email_id, ...(own === undefined ? {} : { session_id: own.session_id }) });
  if (own === undefined) await forgetWords(tx, user);
  return { email: verified ?? email, user };
}

/** Records the session that a sign-up with a password for the address begins (`signUpSession`). */
export async function markSignUp(tx: Db, emailId: string, sessionId: string): Promise<void> {
  await tx.updateTable('emails').set({ added_in: sessionId }).where('email_id', '=', emailId).execute();
}

/** Removes the name and metadata that an unverified sign-up wrote, because they may not be the owner's. */
export async function forgetWords(tx: Db, { user_id }: LockedUser): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name: '{}', untrusted_metadata: '{}' })
    .where('user_id', '=', user_id)
    .where('vouched', '=', false)
    .execute();
}
