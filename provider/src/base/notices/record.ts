import { sql, type QueryCreator } from 'kysely';
import type { Database, Db } from '../db/database.ts';
import type { NoticeEvent } from './events.ts';
import type { NoticeDetails } from './tables.ts';

/** A notice for the owner of an account, if no trigger of the changed table writes it. */
interface NewNotice {
  readonly user_id: string;
  readonly event: NoticeEvent;
  readonly details?: NoticeDetails;
  /** Whether it cannot be undone by a link. */
  readonly final?: boolean;
}

/** Writes a notice, in the transaction of the change that it is about. */
export async function recordNotice(
  tx: QueryCreator<Database>,
  { user_id, event, details = {}, final = true }: NewNotice,
): Promise<void> {
  await tx
    .insertInto('notices')
    .values({ user_id, event, details: JSON.stringify(details), final })
    .execute();
}

/**
 * Makes the changes of this transaction, which has locked the user, impossible to undo by a link. This is for changes that the app's own
 * server makes for a user who lost the contact, and for those that undo others.
 */
export async function withoutUndo(tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ final: true })
    .where('user_id', '=', userId)
    .where(sql<boolean>`notices.xmin = pg_current_xact_id()::xid`)
    .execute();
}
