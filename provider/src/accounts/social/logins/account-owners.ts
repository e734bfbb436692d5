import { ownOf } from '#domain/rules/delegates.ts';
import type { UserName } from '#domain/users/user.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile } from '#provider/base/db/statements/transaction.ts';
import { passes } from '#provider/base/passes.ts';
import type { Services } from '../../services.ts';
import type { Caller } from '../../sessions/reading/current.ts';
import { requireSecondFactor } from '../../sessions/factors/second-factor.ts';
import { lockUser, type LockedUser } from '../../users/lock.ts';
import { requireRoom } from '../../users/room.ts';
import { confirmContact } from '../../users/contact-changes.ts';
import { lockContact, type LockedContact } from '../../users/contacts.ts';
import { checkWelcome } from '../../users/newcomers.ts';
import { findOrCreateContact, newUser } from '../../users/store.ts';
import {
  findRegistration,
  findVerifiedAddress,
  insertRegistration,
  newRegistration,
  refreshRegistration,
  type SocialIdentity,
} from '../../social-accounts/registrations.ts';
import type { AccountProfile, OAuthRegistrationsTable } from '../../social-accounts/tables.ts';

/** The user who logs in with a provider's account. */
export interface AccountOwner {
  readonly user: LockedUser;
  readonly registration: OAuthRegistrationsTable;
  /** False if the account waits for the user's second factor. */
  readonly isStored: boolean;
  /**
   * False if this login links the account by its address: whoever has the mailbox can make such an account, with two factors of their
   * choice.
   */
  readonly isKnown: boolean;
}

interface Entry {
  readonly identity: SocialIdentity;
  readonly session: Caller['session'];
  /** Spends the proof. Called once the user is locked, because a change of the account ends proofs under that lock. */
  readonly spend: () => Promise<void>;
}

/**
 * The user of a provider's account: found by the subject, linked by a verified email address, or created. The account is stored as the
 * user's. It is not stored yet if it was linked by its address and the user's own session has not proved a required second factor: a
 * mailbox alone must not add a login method.
 */
export async function findOrCreateOwner(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  entry: Entry,
): Promise<AccountOwner> {
  const { identity, session, spend } = entry;
  const match = await lockRegistered(tx, identity);
  if (match !== undefined) {
    await spend();
    const registration = await refreshRegistration(tx, match.registration, identity.profile);
    return { user: match.user, registration, isStored: true, isKnown: true };
  }
  const address = await lockAddress(tx, identity.profile);
  await spend();
  if (address !== undefined) {
    await checkWelcome(services, tx, address.contact);
    await confirmContact(services, tx, address);
  }
  const user = address?.user ?? (await createUser(services, tx, identity.profile));
  const own = ownOf(user, await session.findIn(tx));
  const owner = { user_id: user.user_id, session_id: own?.session_id ?? null };
  const registration = newRegistration(services, owner, identity);
  const isKnown = address === undefined;
  if (!(await passes(requireSecondFactor(services, tx, user.user_id, own)))) {
    return { user, registration, isStored: false, isKnown };
  }
  await requireRoom(tx, 'oauth_registrations', user.user_id);
  // Another user registered it meanwhile; the next attempt finds it.
  if (!(await insertRegistration(tx, registration))) throw new ChangedMeanwhile();
  return { user, registration, isStored: true, isKnown };
}

/** The account's registration and its user, read under the user's lock: the registration may have been removed or moved meanwhile. */
async function lockRegistered(tx: Db, identity: SocialIdentity) {
  const before = await findRegistration(tx, identity);
  const user = before === undefined ? undefined : await lockUser(tx, before.user_id);
  const registration = user === undefined ? undefined : await findRegistration(tx, identity);
  if (user === undefined || registration === undefined) return undefined;
  if (registration.user_id !== user.user_id) throw new ChangedMeanwhile();
  return { user, registration };
}

/** Locks the user of the address, if the provider verified it. */
async function lockAddress(tx: Db, profile: AccountProfile): Promise<LockedContact | undefined> {
  const contact = await findVerifiedAddress(tx, profile);
  if (contact === undefined) return undefined;
  const found = await lockContact(tx, 'email', contact.method_id);
  if (found === undefined) throw new ChangedMeanwhile();
  return found;
}

/** Creates a user with the account's name, and with its address if the provider verified it. */
async function createUser(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  profile: AccountProfile,
): Promise<LockedUser> {
  const name = JSON.stringify(nameOf(profile));
  const { email } = profile;
  if (!profile.email_verified || email === '') {
    return newUser(services, tx, { email: null }, { status: 'active', name });
  }
  const newcomer = { arrival: { email }, status: 'active' } as const;
  const { created, method_id } = await findOrCreateContact(services, tx, { kind: 'email', value: email }, newcomer);
  const found = created ? await lockContact(tx, 'email', method_id) : undefined;
  if (found === undefined) throw new ChangedMeanwhile();
  await confirmContact(services, tx, found);
  await tx.updateTable('users').set({ name }).where('user_id', '=', found.user.user_id).execute();
  return found.user;
}

function nameOf({ given_name, family_name }: AccountProfile): UserName {
  return { first_name: given_name, middle_name: '', last_name: family_name };
}
