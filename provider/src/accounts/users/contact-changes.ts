import { emailKey, isSignedUp, isTaken } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, type Contact } from '#server-rules/contacts.ts';
import type { Delegable } from '#domain/rules/delegates.ts';
import { signUpSession } from '#server-rules/first-proof.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile } from '#provider/base/db/statements/transaction.ts';
import { derivedId } from '#provider/base/security/derived-id.ts';
import type { Services } from '../services.ts';
import { endEverythingBut } from './belongings.ts';
import { comeIn } from './coming-in.ts';
import {
  addContact,
  CONTACT_TABLES,
  findContact,
  type ContactValue,
  type LockedContact,
  type NewContact,
  type StoredContact,
} from './contacts.ts';
import type { HeldUser, LockedUser } from './lock.ts';
import { freeContact } from './release.ts';
import { requireRoom } from './room.ts';
import { forgetWords } from './store.ts';

/** A session of the user, as far as the rules of a first verification need it. */
type SessionOfUser = Delegable & { readonly user_id: string; readonly session_id: string };

/** The user to whom a contact is added. */
export interface Recipient {
  readonly user_id: string;
  readonly needs_session: boolean;
  /** Locks the user in the transaction that begins the addition; refuses if they may no longer begin one. */
  readonly hold: (tx: Db) => Promise<unknown>;
}

/** The session and the user to whom a contact is added. */
export interface AttachTarget extends HeldUser {
  readonly session: SessionOfUser | null;
}

/** A contact that was added to a user. */
interface Attachment {
  readonly contact: Contact;
  /** Whether the user had the contact unverified, so that this was its first verification. */
  readonly first: boolean;
}

/** Gives the user an unverified contact. Takes it from another user who has not verified it, unless the app manages that user. */
export async function giveContact(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  user_id: string,
  { kind, value }: ContactValue,
): Promise<void> {
  const contact = await findContact(tx, kind, value);
  if (contact !== undefined) await freeContact(tx, contact);
  // Another sign-up took it meanwhile; the next attempt finds it.
  if ((await addContact(services, tx, { kind, user_id, value })) === undefined) throw new ChangedMeanwhile();
}

/**
 * Adds a verified contact to a user. Takes it from another user who has not verified it. If the user already has it, it is marked as
 * verified; a first verification ends everything that `confirmContact` ends.
 *
 * @param added `method_id` is the new contact's id if the user does not have it; `created_at` since when they had it before
 */
export async function attachContact(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  { user, session }: AttachTarget,
  { kind, value, method_id, created_at }: ContactValue & Pick<NewContact, 'method_id' | 'created_at'>,
): Promise<Attachment> {
  const { user_id } = user;
  const current = await findContact(tx, kind, value);
  if (current?.user_id === user_id) {
    const contact = await confirmContact(services, tx, { contact: current, user }, session ?? undefined);
    return { contact, first: !current.verified };
  }
  if (current !== undefined) await freeContact(tx, current);
  await requireRoom(tx, CONTACT_TABLES[kind].table, user_id);
  const added_in = session?.session_id ?? null;
  const added = { kind, method_id, user_id, value, verified: true, added_in, created_at };
  const contact = await addContact(services, tx, added);
  // Another sign-up took it meanwhile; the next attempt finds it.
  if (contact === undefined) throw new ChangedMeanwhile();
  return { contact, first: await isFirstProof(tx, contact, user, session ?? undefined) };
}

/**
 * Whether the user entered this address when signing up with a passkey. If so, this proof is its first verification, as in
 * `confirmContact`: the person who proves it need not be the one who entered it.
 */
async function isFirstProof(
  tx: Db,
  { kind, value, method_id }: StoredContact,
  user: LockedUser,
  asker: SessionOfUser | undefined,
): Promise<boolean> {
  if (kind !== 'email') return false;
  const { user_id } = user;
  const claim = await tx
    .selectFrom('users')
    .select(['unproven_email', 'unproven_in as added_in'])
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  const claimed = claim?.unproven_email ?? null;
  if (claim === undefined || claimed === null || emailKey(claimed) !== emailKey(value)) return false;
  await tx
    .updateTable('users')
    .set({ unproven_email: null, unproven_in: null })
    .where('user_id', '=', user_id)
    .execute();
  await endEarlier(tx, user, { user_id, method_id, added_in: claim.added_in }, asker);
  return true;
}

/**
 * Ends everything from before a first verification. If the session of the same sign-up verified it, that session and what was added in it
 * stay.
 */
async function endEarlier(
  tx: Db,
  user: LockedUser,
  { method_id, ...contact }: Pick<StoredContact, 'user_id' | 'method_id' | 'added_in'>,
  asker: SessionOfUser | undefined,
): Promise<void> {
  const own = signUpSession(contact, asker);
  await endEverythingBut(tx, user, { method_id, session_id: own?.session_id });
  if (own === undefined) await forgetWords(tx, user);
}

/**
 * Frees a contact that a stranger has signed up with. The caller vouches for its owner, and continues with a user who has never signed in.
 */
export async function freeSignedUp(tx: Db, { kind, value }: ContactValue): Promise<void> {
  const contact = await findContact(tx, kind, value);
  if (contact !== undefined && !isTaken(contact) && isSignedUp(contact)) await freeContact(tx, contact);
}

/** The id that a contact gets when it is added to the user. */
export function addedId({ keys }: Pick<Services, 'keys'>, userId: string, { kind, value }: ContactValue): string {
  const { idKind, keyOf } = CONTACT_KINDS[kind];
  return derivedId(keys.codeKey, idKind, userId, keyOf(value));
}

/** The contact to add to the user, for a message to it. Refuses another user's contact. */
export async function contactToAdd(
  services: Pick<Services, 'keys'>,
  tx: Db,
  { user_id, needs_session, hold }: Recipient,
  { kind, value }: ContactValue,
) {
  await hold(tx);
  const contact = await findContact(tx, kind, value);
  const mine = contact?.user_id === user_id;
  if (contact !== undefined && !mine && isTaken(contact)) throw new Refusal(CONTACT_KINDS[kind].taken);
  return {
    method_id: mine ? contact.method_id : addedId(services, user_id, { kind, value }),
    user_id,
    value: mine ? contact.value : value.normalize('NFC'),
    adds: { value, needs_session },
  };
}

/**
 * Marks the contact as verified and its user as active.
 *
 * The first verification ends everything that an attacker may have prepared by signing up with a stranger's contact. If the session of the
 * same sign-up verified it (`signUpSession`), that session stays with what was added in it, and everything else ends.
 *
 * @param asker the session that requested the message to this contact, if any; a login has none
 */
export async function confirmContact(
  services: Pick<Services, 'project'>,
  tx: Db,
  { contact, user }: LockedContact,
  asker?: SessionOfUser,
): Promise<StoredContact> {
  if (contact.verified) return contact;
  const { kind, method_id } = contact;
  const { table, id } = CONTACT_TABLES[kind];
  await comeIn(services, tx, user);
  await tx.updateTable(table).set({ verified: true }).where(id, '=', method_id).execute();
  await endEarlier(tx, user, contact, asker);
  return { ...contact, verified: true };
}
