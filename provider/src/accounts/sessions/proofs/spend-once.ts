import type { Db } from '../../../base/db/database.ts';
import { tokenHash } from '../../../base/security/secrets.ts';

/** A token that somebody signed for one use, or a challenge that was answered. */
export interface OneTimeToken {
  readonly kind: 'client assertion' | 'dpop' | 'bound session' | 'one tap';
  readonly signer: string;
  /** A part of what is signed: an id (`jti`), or the whole text. Never the signature, of which one text can have several. */
  readonly id: string;
  /** The time after which it is useless, in seconds. */
  readonly endsAt: number;
}

/** Uses the token up. True for only one caller. */
export async function spendOnce(db: Db, { kind, signer, id, endsAt }: OneTimeToken): Promise<boolean> {
  const first = await db
    .insertInto('used_trusted_tokens')
    .values({ token_key: tokenHash(JSON.stringify([kind, signer, id])), expires_at: new Date(endsAt * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst();
  return first !== undefined;
}
