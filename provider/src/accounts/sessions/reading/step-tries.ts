import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import { isReached, tryTake, take } from '../../../base/security/limits.ts';
import type { RateLimitServices } from '../../../project/services.ts';
import type { Caller } from './current.ts';
import { endStep, type IntermediateSession } from '../factors/intermediate.ts';

/** The name under which the tries of a login that lacks a factor are counted. */
export const triesOfStep = ({ token_hash }: Pick<IntermediateSession, 'token_hash'>): string =>
  `totp-tries:${token_hash}`;

const wrongTriesOf = ({ token_hash }: Pick<IntermediateSession, 'token_hash'>): string => `wrong-tries:${token_hash}`;

/** Counts a try that was wrong, after `triesOfStep` counted it as a try. */
export async function countWrongTry(
  services: RateLimitServices,
  row: Pick<IntermediateSession, 'token_hash'>,
): Promise<void> {
  await tryTake(services, wrongTriesOf(row), services.limits.triesPerTotp);
}

/**
 * Too many wrong tries end the login that lacks a factor: the first one must be proved again. Of more requests at once than there are
 * tries, the last ones are refused while the first are still checked: they end nothing, as one of those may have the right code.
 */
export async function endAtLimit(
  services: RateLimitServices,
  row: IntermediateSession | undefined,
  error: unknown,
): Promise<never> {
  if (row === undefined || !(error instanceof Refusal) || error.status !== 429) throw error;
  const wrong = { name: wrongTriesOf(row), limit: services.limits.triesPerTotp };
  if (await isReached(services, wrong)) await endStep(services.db, row);
  throw new Refusal('too_many_mfa_attempts', undefined, error.retryAfterSeconds);
}

/** Counts a wrong code by text of a login that lacks a factor, with those of the authenticator app. */
export async function countWrongText(services: RateLimitServices, { step }: Pick<Caller, 'step'>): Promise<void> {
  const row = await step.find(services.db);
  if (row === undefined) return;
  const limit = services.limits.triesPerTotp;
  await take(services, triesOfStep(row), limit, 'user_lock_limit_reached').catch((error: unknown) =>
    endAtLimit(services, row, error),
  );
  await countWrongTry(services, row);
}
