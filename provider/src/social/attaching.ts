import { OAUTH_TOKEN_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import { MINUTE_MS } from '../platform.ts';
import { newToken, tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { holdProvenSession } from '../sessions/current.ts';
import { lockUser } from '../users/lock.ts';
import type { NamedUser } from '../users/named-user.ts';

const TOKEN_MS = OAUTH_TOKEN_MINUTES * MINUTE_MS;

/** A token that attaches one account of the provider to the user, whatever its address is. */
export async function issueAttachToken(
  services: Services,
  provider: string,
  { user_id, session }: NamedUser,
): Promise<string> {
  const token = newToken(services.random);
  await transaction(services.db, async (tx) => {
    if (session !== null) await holdProvenSession(services, tx, session);
    else if ((await lockUser(tx, user_id)) === undefined) throw new Refusal('user_not_found');
    const expires_at = new Date(services.clock.now() + TOKEN_MS);
    await tx
      .insertInto('oauth_attach_tokens')
      .values({
        token_hash: tokenHash(token),
        user_id,
        session_id: session?.session_id ?? null,
        provider_type: provider,
        expires_at,
      })
      .execute();
  });
  return token;
}

/** The user to whom an account is attached, and the session in which they asked for it, if any. */
export interface Attachee {
  readonly user_id: string;
  readonly session_id: string | null;
}

/** Spends the token. The user to whom the account is to be attached; refuses an unknown, used or expired token. */
export async function redeemAttachToken(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  provider: string,
  token: string,
): Promise<Attachee> {
  const spent = await db
    .deleteFrom('oauth_attach_tokens')
    .where('token_hash', '=', tokenHash(token))
    .where('provider_type', '=', provider)
    .where('expires_at', '>', new Date(clock.now()))
    .returning(['user_id', 'session_id'])
    .executeTakeFirst();
  if (spent === undefined) throw new Refusal('oauth_token_not_found');
  return spent;
}
