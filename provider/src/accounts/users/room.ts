import { checkRoom, MOST_OF_A_KIND } from '../../../../server-rules/accounts.ts';
import type { Database, Db } from '../../base/db/database.ts';

type Kind = Extract<
  keyof Database,
  'emails' | 'phone_numbers' | 'webauthn_registrations' | 'crypto_wallets' | 'oauth_registrations'
>;

/** Whether a user, whom the caller has locked, may have one more of the kind. */
export async function hasRoom(tx: Db, kind: Kind, userId: string): Promise<boolean> {
  return (await countUpTo(tx, kind, userId)) < MOST_OF_A_KIND;
}

/** Refuses one more of the kind for a user, whom the caller has locked, beyond as many as a user can have. */
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
