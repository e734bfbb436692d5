import { checkRoom, MOST_OF_A_KIND } from '#server-rules/accounts.ts';
import type { Database, Db } from '#provider/base/db/database.ts';

type Kind = Extract<
  keyof Database,
  'emails' | 'phone_numbers' | 'webauthn_registrations' | 'crypto_wallets' | 'oauth_registrations'
>;

/** Whether a locked user may have another one of this kind. */
export async function hasRoom(tx: Db, kind: Kind, userId: string): Promise<boolean> {
  return (await countUpTo(tx, kind, userId)) < MOST_OF_A_KIND;
}

/** Refuses another one of this kind if a locked user already has the maximum. */
export async function requireRoom(tx: Db, kind: Kind, userId: string): Promise<void> {
  checkRoom(await countUpTo(tx, kind, userId));
}

async function countUpTo(tx: Db, kind: Kind, userId: string): Promise<number> {
  const rows = await tx
    .selectFrom(kind)
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(MOST_OF_A_KIND)
    .execute();
  return rows.length;
}
