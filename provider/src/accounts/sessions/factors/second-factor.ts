import { lacksProof } from '#server-rules/mfa-policy.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { lacksApp } from '#domain/rules/second-factor.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../../services.ts';
import { readWholeUser } from '../../users/read-user.ts';
import { withoutDisputed } from './disputes.ts';
import { mfaRulesOf, mfaUser } from './policy.ts';

/** The factors of a session or of a login that lacks one, and the user they belong to. */
interface Proofs {
  readonly user_id: string;
  readonly authentication_factors: readonly AuthenticationFactor[];
}

/**
 * Whether the factors are too few to change the user's account (`lacksProof`). Another user's factors prove nothing. Neither does a factor
 * that a link disputes: whoever added it could replace it by an undisputed one.
 */
export async function lacksSecondFactor(
  services: Pick<Services, 'project' | 'clock'>,
  db: Db,
  userId: string,
  proofs: Proofs | undefined,
): Promise<boolean> {
  const factors = proofs?.user_id === userId ? proofs.authentication_factors : [];
  if (await areTooFew(services, db, userId, factors)) return true;
  const undisputed = await withoutDisputed(services, db, userId, factors);
  return undisputed.length < factors.length && areTooFew(services, db, userId, undisputed);
}

async function areTooFew(
  services: Pick<Services, 'project'>,
  db: Db,
  userId: string,
  factors: readonly AuthenticationFactor[],
): Promise<boolean> {
  const rules = mfaRulesOf(services);
  if (rules !== undefined) {
    const whole = await readWholeUser(db, userId);
    return whole !== undefined && lacksProof(rules, mfaUser(services, whole), factors);
  }
  const totps = await db.selectFrom('totps').select(['totp_id', 'verified']).where('user_id', '=', userId).execute();
  return lacksApp({ totps }, factors);
}

/** Refuses factors that are too few to change the user's account. */
export async function requireSecondFactor(...of: Parameters<typeof lacksSecondFactor>): Promise<void> {
  if (await lacksSecondFactor(...of)) throw new Refusal('mfa_required');
}
