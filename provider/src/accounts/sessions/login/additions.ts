import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '../../services.ts';
import type { Db } from '#provider/base/db/database.ts';
import { holdSession, type AdmittedSession } from '../reading/admission.ts';
import type { Caller, CurrentSession } from '../reading/current.ts';
import type { Recipient } from '../../users/contact-changes.ts';
import { userIdOf } from '../../users/backend-user.ts';
import { lockUser, type LockedUser } from '../../users/lock.ts';
import type { UsersTable } from '../../users/tables.ts';

/** A contact that a link or code adds to a user. */
export interface Addition {
  readonly value: string;
  /** Whether it must be opened or entered in a session of the user. */
  readonly needs_session: boolean;
}

/**
 * The user to whom the app's own server adds a contact: the user of the session it presents, or a user that it names and vouches for.
 * Undefined if the message should log in the contact's user instead.
 */
export async function recipientOf(
  services: Pick<Services, 'db' | 'clock' | 'project'>,
  body: { readonly user_id?: string | undefined },
  session: AdmittedSession | undefined,
): Promise<Recipient | undefined> {
  const userId = body.user_id === undefined ? undefined : await userIdOf(services.db, body.user_id);
  if (session === undefined) {
    if (userId === undefined) return undefined;
    return { user_id: userId, needs_session: false, hold: (tx) => lockUser(tx, userId) };
  }
  const { user_id } = session;
  if (userId !== undefined && userId !== user_id) throw new Refusal('session_of_another_user');
  return { user_id, needs_session: true, hold: (tx) => holdSession(services, tx, session) };
}

/** The user that the app's own server vouches for, and the presented session, if any. */
export async function vouchedFor(
  tx: Db,
  userId: string,
  caller: Caller,
): Promise<{ readonly user: LockedUser; readonly session: CurrentSession | null } | undefined> {
  const user = await lockUser(tx, userId);
  return user === undefined ? undefined : { user, session: (await caller.session.findIn(tx)) ?? null };
}

/** The status of a user that a call of the backend API creates. */
export function statusOfNew(body: { readonly create_user_as_pending?: boolean | undefined }): UsersTable['status'] {
  return body.create_user_as_pending === true ? 'pending' : 'active';
}
