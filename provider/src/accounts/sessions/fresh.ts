import { checkFreshProof } from '../../../../src/domain/rules/fresh-proof.ts';
import { lacksEnrolled } from '../../../../src/domain/rules/mfa-policy.ts';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';
import { readWholeUser } from '../users/read-user.ts';
import { holdProvenSession, type CurrentSession, type HeldSession } from './current.ts';
import { mfaRulesOf, mfaUser } from './policy.ts';

/** Like `holdProvenSession`, for what cannot be undone: the last proof of the session is at most ten minutes old. */
export async function holdFreshSession(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  current: CurrentSession,
): Promise<HeldSession> {
  const held = await holdProvenSession(services, tx, current);
  const whole = await readWholeUser(tx, held.user.user_id);
  const rules = mfaRulesOf(services);
  const hasApp = whole?.user.totps.some(({ verified }) => verified) === true;
  const hasOther = rules !== undefined && whole !== undefined && lacksEnrolled(rules, mfaUser(services, whole), []);
  checkFreshProof(held.session, hasApp || hasOther, services.clock.now());
  return held;
}
