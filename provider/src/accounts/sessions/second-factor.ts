import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { checkSecondFactor } from '../../../../src/domain/rules/second-factor.ts';
import type { Db } from '../../base/db/database.ts';
import type { SessionRow } from './tables.ts';

/** Refuses a session that does not prove the user's verified authenticator app, if there is one (`checkSecondFactor`). */
export async function requireSecondFactor(
  db: Db,
  userId: string,
  session: Pick<SessionRow, 'user_id' | 'authentication_factors'> | undefined,
): Promise<void> {
  const app = await db
    .selectFrom('totps')
    .select('totp_id')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst();
  checkSecondFactor(app?.totp_id, userId, session);
}

/** Whether `requireSecondFactor` lets the session pass. */
export async function provesSecondFactor(...asked: Parameters<typeof requireSecondFactor>): Promise<boolean> {
  try {
    await requireSecondFactor(...asked);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
