import type { Db } from '../../base/db/database.ts';
import { tokenHash } from '../../base/security/secrets.ts';

/** A token that a client signed for one use, or a challenge that it answered: its kind, its signer, and its id (`jti`). */
export interface OneTimeToken {
  readonly kind: 'client assertion' | 'dpop' | 'bound session';
  readonly signer: string;
  readonly jti: string;
  /** The time after which it is useless, in seconds. */
  readonly endsAt: number;
}

/** Uses the token up. True for only one caller. */
export async function spendOnce(db: Db, { kind, signer, jti, endsAt }: OneTimeToken): Promise<boolean> {
  const first = await db
    .insertInto('used_trusted_tokens')
    .values({ token_key: tokenHash(JSON.stringify([kind, signer, jti])), expires_at: new Date(endsAt * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst();
  return first !== undefined;
}
