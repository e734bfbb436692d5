import { lacksEnrolled } from '../../../../src/domain/rules/mfa-policy.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { checkSecondFactor } from '../../../../src/domain/rules/second-factor.ts';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';
import { readWholeUser } from '../users/read-user.ts';
import { mfaRulesOf, mfaUser } from './policy.ts';
import type { SessionRow } from './tables.ts';

/**
 * Refuses a session that does not prove the user's verified authenticator app, if there is one (`checkSecondFactor`), or, by a policy,
 * two factors of a user who has a second one of any kind (`lacksEnrolled`).
 */
export async function requireSecondFactor(
  services: Pick<Services, 'project'>,
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
  const rules = mfaRulesOf(services);
  const whole = rules === undefined ? undefined : await readWholeUser(db, userId);
  if (rules === undefined || whole === undefined) return;
  const factors = session?.user_id === userId ? session.authentication_factors : [];
  if (lacksEnrolled(rules, mfaUser(services, whole), factors)) throw new Refusal('mfa_required');
}
