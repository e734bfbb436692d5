import { isRecord } from '../../../src/domain/shape.ts';
import type { Db } from '../db/database.ts';
import { Refusal } from '../http/refusal.ts';
import type { SessionRow } from './tables.ts';

/** The session's factors that prove an authenticator app, and where each names the app. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['totp', 'authenticator_app_factor'],
  ['recovery_codes', 'recovery_code_factor'],
]);

/**
 * Refuses when the user has a verified authenticator app that the session does not prove (by its code or a recovery
 * code). A person who has only the password or the mail cannot see, add, remove or change a factor.
 *
 * @param session the session that was presented; undefined when there was none
 */
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
  if (app === undefined) return;
  const proven =
    session?.user_id === userId &&
    session.authentication_factors.some((factor) => {
      const detail = factor[PROOFS.get(factor.type) ?? ''];
      return isRecord(detail) && detail['totp_id'] === app.totp_id;
    });
  if (!proven) throw new Refusal('mfa_required');
}
