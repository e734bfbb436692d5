import { CONTACT_KINDS } from '../../../../server-rules/contacts.ts';
import { admits, arrivalOf, isOpenToAll, type Visitor } from '../../../../server-rules/sign-ups.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { decoyId } from '../../base/security/derived-id.ts';
import type { CodeSender } from '../../messages/outbox/senders.ts';
import type { Services } from '../services.ts';
import { noteFirstProof } from './arrivals.ts';
import { newcomerOf } from './came-in.ts';
import { findContact, type ContactValue } from './contacts.ts';
import { findOrCreateContact, type FoundContact } from './store.ts';
import type { UsersTable } from './tables.ts';

/**
 * A request for a message makes a user before anybody has proven anything, and so may a sign-up that the project no longer allows. Such a
 * user has not come in: the project's `sign_up` is applied once more when they first prove something.
 */

const visitorBy = ({ kind, value }: ContactValue): Visitor => ({ email: kind === 'email' ? value : null });

/** Whether the user of the contact has come in, or may. False for an empty id, after the same work. */
export async function isWelcome(
  { clock, project: { sign_up } }: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  userId: string,
  contact: ContactValue,
): Promise<boolean> {
  if (isOpenToAll(sign_up)) return userId !== '';
  const row = await newcomerOf({ clock }, tx, userId);
  if (row === undefined) return false;
  return row.came_in || admits(sign_up, arrivalOf(row, visitorBy(contact).email));
}

/** Refuses the first login of a user whom the project does not let in. */
export async function checkWelcome(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  contact: ContactValue & { readonly user_id: string; readonly verified: boolean },
): Promise<void> {
  if (contact.verified) return;
  if (!(await isWelcome(services, tx, contact.user_id, contact))) throw new Refusal('sign_up_refused');
  await noteFirstProof(services, tx, contact.user_id);
}

/**
 * The contact of a user who may log in by it. A new one is made where the project lets everybody with such a contact in.
 *
 * @param status of a new user; null where no user is to be made
 */
export async function findWelcome(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  contact: ContactValue,
  status: UsersTable['status'] | null,
): Promise<FoundContact | undefined> {
  const arrival = visitorBy(contact);
  if (isOpenToAll(services.project.sign_up) && status !== null) {
    return findOrCreateContact(services, tx, contact, { arrival, status });
  }
  const found = await findContact(tx, contact.kind, contact.value);
  const welcomes = await isWelcome(services, tx, found?.user_id ?? '', contact);
  if (found !== undefined) return welcomes ? { ...found, created: false } : undefined;
  if (status === null || !admits(services.project.sign_up, arrival)) return undefined;
  return findOrCreateContact(services, tx, contact, { arrival, status });
}

/** Whether the reply to a request for a message must not say if there is such a user. The app's own server may know. */
export function hidesUsers({ project }: Pick<Services, 'project'>, sender: CodeSender): boolean {
  return sender.kind === 'page' && !isOpenToAll(project.sign_up);
}

/** The ids in the reply about a contact that lets nobody in. */
export function decoyIds(services: Pick<Services, 'keys' | 'random'>, { kind, value }: ContactValue) {
  const { keyOf, idKind } = CONTACT_KINDS[kind];
  const key = keyOf(value);
  return { user_id: decoyId(services, 'user', key), method_id: decoyId(services, idKind, key) };
}
