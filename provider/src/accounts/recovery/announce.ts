import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { recordNotice } from '#provider/base/notices/record.ts';
import type { Services } from '../services.ts';
import { linkable, waitingRecoveries } from './store.ts';

const ANNOUNCED_AT_ONCE = 20;

/** Writes the notices of recoveries that have waited long enough and whose start was reported and delivered. One process handles each. */
export async function announceRecoveries({ clock }: Pick<Services, 'clock'>, tx: Db): Promise<number> {
  const now = new Date(clock.now());
  const due = await waitingRecoveries(tx)
    .where('announced_at', 'is', null)
    .where('undelivered', 'is', null)
    .where('available_at', '<=', now)
    .where('recoveries.expires_at', '>', now)
    .where(
      sql<boolean>`not exists (select from notices where notices.user_id = recoveries.user_id
        and event = 'recovery.started' and told_at is null)`,
    )
    .orderBy('available_at')
    .limit(ANNOUNCED_AT_ONCE)
    .execute();
  for (const recovery of due) {
    const { recovery_id, user_id } = recovery;
    const announced = await tx
      .updateTable('recoveries')
      .set({ announced_at: now })
      .where('recovery_id', '=', recovery_id)
      .where('state', '=', 'waiting')
      .where('announced_at', 'is', null)
      .returning('recovery_id')
      .executeTakeFirst();
    if (announced !== undefined) {
      await recordNotice(tx, { user_id, event: 'recovery.available', details: linkable(recovery) });
    }
  }
  return due.length;
}
