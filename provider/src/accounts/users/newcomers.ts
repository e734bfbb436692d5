import { CONTACT_KINDS } from '#server-rules/contacts.ts';
import { admits, arrivalOf, isOpenToAll, type Visitor } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { decoyId } from '#provider/base/security/derived-id.ts';
import type { CodeSender } from '#provider/messages/outbox/senders.ts';
import type { Services } from '../services.ts';
import { newcomerOf, noteFirstProof } from './coming-in.ts';
import { findContact, type ContactValue } from './contacts.ts';
import { findOrCreateContact, type FoundContact } from './store.ts';
import type { UsersTable } from './tables.ts';

const visitorBy = ({ kind, value }: ContactValue): Visitor => ({ email: kind === 'email' ? value : null });

/**
 * Whether the user has come in, or may. False for an empty id, after the same work.
 *
 * @param contact by which they come; null for none
 */
export async function isWelcome(
  { clock, project: { sign_up } }: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  userId: string,
  contact: ContactValue | null,
): Promise<boolean> {
  if (isOpenToAll(sign_up)) return userId !== '';
  const row = await newcomerOf({ clock }, tx, userId);
  if (row === undefined) return false;
  return row.has_come_in || admits(sign_up, arrivalOf(row, contact === null ? null : visitorBy(contact).email));
}

/** Refuses the first login of a user whom the project does not let in. */
export async function checkWelcome(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  contact: ContactValue & { readonly user_id: string; readonly verified: boolean },
): Promise<void> {
  if (!contact.verified) await checkWelcomeUser(services, tx, contact.user_id, contact);
}

/** Refuses a user who has not come in, and whom the project does not let in by this contact, or by none. */
export async function checkWelcomeUser(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  userId: string,
  contact: ContactValue | null,
): Promise<void> {
  if (!(await isWelcome(services, tx, userId, contact))) throw new Refusal('sign_up_refused');
  await noteFirstProof(services, tx, userId);
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
