import { FACTORS } from '#domain/rules/factors.ts';
import { IMPERSONATION_MINUTES, OPERATOR_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isReferenceGone } from '#provider/base/db/database-errors.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { LoginServices, Services } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { logIn } from '../sessions/login/log-in.ts';
import type { LoginOutcome } from '../sessions/login/login-policy.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';

export interface Impersonation {
  readonly user_id: string;
  readonly impersonator_id: string;
  readonly impersonator_email_address: string;
}

type TokenServices = Pick<Services, 'db' | 'clock' | 'random'>;

/** A token that makes a session of the user, once, within five minutes. */
export async function issueImpersonationToken(
  { db, clock, random }: TokenServices,
  impersonation: Impersonation,
): Promise<{ readonly impersonation_token: string; readonly expires_at: string }> {
  const token = newToken(random);
  const expires_at = new Date(clock.now() + OPERATOR_TOKEN_MINUTES * MINUTE_MS);
  await db
    .insertInto('impersonation_tokens')
    .values({ ...impersonation, token_hash: tokenHash(token), expires_at })
    .execute()
    .catch((error: unknown) => {
      throw isReferenceGone(error) ? new Refusal('user_not_found') : error;
    });
  return { impersonation_token: token, expires_at: expires_at.toISOString() };
}

/** Locks the token's user and spends the token. Only one caller succeeds. */
async function redeemImpersonationToken(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  token: string,
): Promise<{ readonly impersonation: Impersonation; readonly user: LockedUser } | undefined> {
  const found = await tx
    .selectFrom('impersonation_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst();
  const user = found === undefined ? undefined : await lockUser(tx, found.user_id);
  if (user === undefined) return undefined;
  const impersonation = await tx
    .deleteFrom('impersonation_tokens')
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date(clock.now()))
    .returning(['user_id', 'impersonator_id', 'impersonator_email_address'])
    .executeTakeFirst();
  return impersonation === undefined ? undefined : { impersonation, user };
}

/** Starts a session of the token's user that names the impersonator. It never joins a session that was presented. */
export async function impersonate(services: LoginServices, token: string, caller: Caller): Promise<LoginOutcome> {
  const reply = await transaction(services.db, async (tx) => {
    const redeemed = await redeemImpersonationToken(services, tx, token);
    if (redeemed === undefined) return undefined;
    return logIn(services, tx, {
      user: redeemed.user,
      factor: FACTORS.impersonated(redeemed.impersonation),
      minutes: IMPERSONATION_MINUTES,
      caller,
      presented: undefined,
    });
  });
  if (reply !== undefined) return reply;
  await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
  throw new Refusal('unable_to_auth_impersonation_token');
}
