import type { Insertable } from 'kysely';
import { checkArrival, storedArrival, type Arrival } from '#server-rules/sign-ups.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile, sameInEachAttempt } from '#provider/base/db/statements/transaction.ts';
import { withWrites } from '#provider/base/db/statements/with-writes.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { noteArrival } from './coming-in.ts';
import { findContact, insertContact, type ContactValue, type KnownContact, type NewContact } from './contacts.ts';
import { lockedUser, type LockedUser } from './lock.ts';
import type { UsersTable } from './tables.ts';

/** How long a new user may stay unverified before the sweep checks them. */
const UNPROVEN_KEPT_MS = 7 * 24 * 60 * MINUTE_MS;

/** When the sweep checks a user who is created now. */
export const proofDueAt = (now: number): Date => new Date(now + UNPROVEN_KEPT_MS);

/** The columns of a new user that can differ from those of a sign-up. */
type NewUser = Pick<UsersTable, 'status'> & Partial<Omit<Insertable<UsersTable>, 'created_at' | 'status'>>;

/**
 * Makes a user with the contacts, except those that another user has. The caller adds a login factor in the same transaction
 * if there is no contact.
 *
 * Every way to become a user ends here (except an import by an operator), so that none passes the project's `sign_up`.
 */
export async function newUser(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  arrival: Arrival,
  description: NewUser,
  contacts: readonly Omit<NewContact, 'user_id'>[] = [],
): Promise<LockedUser> {
  const { sign_up } = services.project;
  checkArrival(sign_up, arrival);
  const freshId = (): string => newId(services.random, 'user');
  // A hook decides about a visitor, by id. A transaction may make several users of the app's own server.
  const user_id =
    description.user_id ??
    (arrival === 'made' ? freshId() : sameInEachAttempt(tx, `the user of ${JSON.stringify(contacts)}`, freshId));
  if (arrival !== 'made') noteArrival(tx, user_id, arrival);
  const now = services.clock.now();
  const writes = contacts.map((contact) => insertContact(services, tx, { ...contact, user_id }));
  await withWrites(tx, writes)
    .insertInto('users')
    .values({
      created_at: new Date(now),
      proof_due_at: proofDueAt(now),
      name: '{}',
      trusted_metadata: '{}',
      untrusted_metadata: '{}',
      roles: '[]',
      // The app's own server names the roles of those whom it makes.
      given_roles: JSON.stringify(arrival === 'made' ? [] : sign_up.roles),
      // Whoever has no contact comes in by a login factor.
      came_in: typeof arrival === 'object' && contacts.length === 0,
      ...description,
      arrival: storedArrival(arrival),
      user_id,
    })
    .execute();
  return lockedUser(user_id);
}

export async function removeUser(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('user_id', '=', userId).execute();
}

/** A contact that was found or created. */
export interface FoundContact extends KnownContact {
  /** Whether its user was made for it. */
  readonly created: boolean;
}

/** A user who is made for a contact. */
interface Newcomer extends Pick<UsersTable, 'status'> {
  readonly arrival: Arrival;
}

/** The contact and its user; both are created if the contact is new. Of concurrent calls only one creates them. */
export async function findOrCreateContact(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  { kind, value }: ContactValue,
  { arrival, status }: Newcomer,
): Promise<FoundContact> {
  const contact = await findContact(tx, kind, value);
  if (contact !== undefined) return { ...contact, created: false };
  const { user_id } = await newUser(services, tx, arrival, { status }, [{ kind, value }]);
  const found = await findContact(tx, kind, value);
  if (found === undefined) throw new ChangedMeanwhile();
  if (found.user_id === user_id) return { ...found, created: true };
  await removeUser(tx, user_id);
  return { ...found, created: false };
}

/** Removes what an unverified sign-up wrote and accepted, because it may not be the owner's. */
export async function forgetWords(tx: Db, { user_id }: LockedUser): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name: '{}', untrusted_metadata: '{}' })
    .where('user_id', '=', user_id)
    .where('vouched', '=', false)
    .execute();
  await tx.updateTable('users').set({ accepted_terms: '{}' }).where('user_id', '=', user_id).execute();
}
