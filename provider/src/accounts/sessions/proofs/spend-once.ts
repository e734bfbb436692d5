import type { Db } from '#provider/base/db/database.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';

/** A signed one-time token, or an answered challenge. */
export interface OneTimeToken {
  readonly kind: 'client assertion' | 'dpop' | 'bound session' | 'one tap';
  readonly signer: string;
  /** A part of the signed content: an id (`jti`) or the whole text. Never the signature, because one text can have several. */
  readonly id: string;
  /** When it expires, in seconds. */
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
