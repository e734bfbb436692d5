import { Refusal } from '#domain/rules/refusal.ts';
import { isReached, tryTake, take } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Caller } from './current.ts';
import { endStep, type IntermediateSession } from '../factors/intermediate.ts';

/** The bucket that counts the tries of a login that lacks a factor. */
export const triesOfStep = ({ token_hash }: Pick<IntermediateSession, 'token_hash'>): string =>
  `totp-tries:${token_hash}`;

const wrongTriesOf = ({ token_hash }: Pick<IntermediateSession, 'token_hash'>): string => `wrong-tries:${token_hash}`;

/** Counts a wrong try, after `triesOfStep` counted it as a try. */
export async function countWrongTry(
  services: RateLimitServices,
  row: Pick<IntermediateSession, 'token_hash'>,
): Promise<void> {
  await tryTake(services, wrongTriesOf(row), services.limits.triesPerTotp);
}

/**
 * Too many wrong tries end the login that lacks a factor, and the first factor must be proved again. If there are more simultaneous
 * requests than tries, the last ones are refused while the first are still being checked. They end nothing, because one of the first may
 * have the right code.
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

/** Counts a wrong text-message code of a login that lacks a factor, together with wrong codes of the authenticator app. */
export async function countWrongText(services: RateLimitServices, { step }: Pick<Caller, 'step'>): Promise<void> {
  const row = await step.find(services.db);
  if (row === undefined) return;
  const limit = services.limits.triesPerTotp;
  await take(services, triesOfStep(row), limit, 'user_lock_limit_reached').catch((error: unknown) =>
    endAtLimit(services, row, error),
  );
  await countWrongTry(services, row);
}
