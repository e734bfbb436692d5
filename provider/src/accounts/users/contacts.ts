import { sql, type QueryCreator } from 'kysely';
import { emailKey, emailKeys } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, type Contact, type ContactKind } from '#server-rules/contacts.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { lockedUser, type LockedUser } from './lock.ts';
import type { UsersTable } from './tables.ts';

/** How each kind of contact is stored: its table, its columns, and its possible keys. */
export const CONTACT_TABLES = {
  email: {
    table: 'emails',
    underLock: 'email_under_lock',
    id: 'email_id',
    value: 'email',
    key: 'email_key',
    keysOf: emailKeys,
    columnsOf: (email_id: string, email: string) => ({ email_id, email, email_key: emailKey(email) }),
  },
  phone: {
    table: 'phone_numbers',
    underLock: 'phone_number_under_lock',
    id: 'phone_id',
    value: 'phone_number',
    key: 'phone_number',
    keysOf: (phoneNumber: string): readonly string[] => [phoneNumber],
    columnsOf: (phone_id: string, phone_number: string) => ({ phone_id, phone_number }),
  },
} as const;

/** A contact as it is stored. */
export interface StoredContact extends Contact {
  /** The session that added it. An unverified contact has one only if a sign-up with a password added it (`signUpSession`). */
  readonly added_in: string | null;
}

/** A contact, with the data that decide whether another user can have it. */
export interface KnownContact extends StoredContact {
  readonly status: UsersTable['status'];
  readonly managed: boolean;
}

/** A contact whose user is locked. */
export interface LockedContact {
  readonly contact: StoredContact;
  readonly user: LockedUser;
}

/** An email address or phone number, known or not. */
export type ContactValue = Pick<Contact, 'kind' | 'value'>;

const columns = (kind: ContactKind) => {
  const { table, id, value } = CONTACT_TABLES[kind];
  const kindColumn = sql.lit(kind).$castTo<ContactKind>().as('kind');
  return [kindColumn, `${id} as method_id`, `${table}.user_id`, `${value} as value`, 'verified', 'added_in'] as const;
};

/** The contact with this value. If several keys are stored, the one whose user verified it. */
export function selectContact(db: QueryCreator<Database>, { kind, value }: ContactValue) {
  const { table, key, keysOf } = CONTACT_TABLES[kind];
  const keys = keysOf(value);
  const spelling = sql<number>`array_position(array[${sql.join(keys)}]::text[], ${sql.ref(key)})`;
  return db
    .selectFrom(table)
    .select(columns(kind))
    .where(key, 'in', keys)
    .orderBy('verified', 'desc')
    .orderBy(spelling)
    .limit(1);
}

function selectKnown(db: QueryCreator<Database>, contact: ContactValue) {
  return selectContact(db, contact)
    .innerJoin('users', 'users.user_id', `${CONTACT_TABLES[contact.kind].table}.user_id`)
    .select(['status', 'managed']);
}

export async function findContact(db: Db, kind: ContactKind, value: string): Promise<KnownContact | undefined> {
  return selectKnown(db, { kind, value }).executeTakeFirst();
}

/** Looks up these contacts in one statement. */
export async function findContacts(db: Db, contacts: readonly ContactValue[]): Promise<readonly KnownContact[]> {
  const [first, ...others] = contacts.map((contact) => selectKnown(db, contact));
  if (first === undefined) return [];
  const all = db.selectFrom(first.as('first')).selectAll();
  return others.reduce((found, each) => found.unionAll((query) => query.parens(each)), all).execute();
}

/**
 * Locks the contact's user, and then reads the contact and the user, as other transactions have left them. Undefined if the contact was
 * removed or moved to another user meanwhile. Every change of a contact locks its user, so the contact does not change while this
 * transaction runs.
 */
export async function lockContact(tx: Db, kind: ContactKind, methodId: string): Promise<LockedContact | undefined> {
  const { rows } = await sql<
    Omit<StoredContact, 'kind'> & { readonly locked_at: Date | null }
  >`select method_id, user_id, value,
    verified, added_in, locked_at from ${sql.raw(CONTACT_TABLES[kind].underLock)}(${methodId})`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { locked_at, ...contact } = row;
  return { contact: { kind, ...contact }, user: lockedUser(contact.user_id, locked_at !== null) };
}

export interface NewContact extends ContactValue {
  readonly user_id: string;
  /** If absent, a new id is made. */
  readonly method_id?: string | undefined;
  readonly verified?: boolean | undefined;
  readonly added_in?: string | null | undefined;
  /** In milliseconds, for a contact that the user had before. Default: now. */
  readonly created_at?: number | undefined;
}

/** The row of a new contact, for the table of its kind. */
export function contactRow(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  { kind, user_id, value, method_id, verified = false, added_in = null, created_at = clock.now() }: NewContact,
) {
  const id = method_id ?? newId(random, CONTACT_KINDS[kind].idKind);
  // Emails go to this normalized form, so that no look-alike address gets them.
  const own = CONTACT_TABLES[kind].columnsOf(id, value.normalize('NFC'));
  return { ...own, user_id, verified, created_at: new Date(created_at), added_in };
}

/** Inserts nothing if a user already has the contact. */
export function insertContact(
  services: Pick<Services, 'clock' | 'random'>,
  db: QueryCreator<Database>,
  contact: NewContact,
) {
  const { table, key } = CONTACT_TABLES[contact.kind];
  return db
    .insertInto(table)
    .values(contactRow(services, contact))
    .onConflict((conflict) => conflict.column(key).doNothing())
    .returning(columns(contact.kind));
}

/** Undefined if a user already has the contact. */
export async function addContact(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  contact: NewContact,
): Promise<StoredContact | undefined> {
  return insertContact(services, tx, contact).executeTakeFirst();
}

/** Records the session that begins with a password sign-up for the address (`signUpSession`). */
export async function markSignUp(tx: Db, emailId: string, sessionId: string): Promise<void> {
  await tx.updateTable('emails').set({ added_in: sessionId }).where('email_id', '=', emailId).execute();
}
