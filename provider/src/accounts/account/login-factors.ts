import type { User } from '#domain/users/user.ts';
import { checkCanEnter } from '#server-rules/accounts.ts';
import { PASSWORD_ID } from '#server-rules/provenance.ts';
import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { dropAddingLinks } from '../links/store.ts';
import { dropPasscodes } from '../passcodes/store.ts';
import { dropPassword } from '../passwords/store.ts';
import { endSessionsOfFactors } from '../sessions/rows/ending.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { readUser } from '../users/read-user.ts';

/** The factors that a user can remove: the table of each kind, its key, and the refusal for an unknown id. */
const FACTORS = {
  email: ['emails', 'email_id', 'email_not_found'],
  phoneNumber: ['phone_numbers', 'phone_id', 'phone_number_not_found'],
  totp: ['totps', 'totp_id', 'totp_not_found'],
  cryptoWallet: ['crypto_wallets', 'crypto_wallet_id', 'crypto_wallet_not_found'],
  oauth: ['oauth_registrations', 'oauth_user_registration_id', 'oauth_registration_not_found'],
  webauthn: ['webauthn_registrations', 'webauthn_registration_id', 'webauthn_registration_not_found'],
} as const satisfies Record<string, readonly [string, string, RefusalType]>;

export type FactorKind = keyof typeof FACTORS;

/** Locks the user who has the factor. */
export async function ownerOf(tx: Db, kind: FactorKind, id: string): Promise<LockedUser> {
  const [table, column, unknown] = FACTORS[kind];
  const row = await tx.selectFrom(table).select('user_id').where(tx.dynamic.ref(column), '=', id).executeTakeFirst();
  const user = row === undefined ? undefined : await lockUser(tx, row.user_id);
  if (user === undefined) throw new Refusal(unknown);
  return user;
}

/**
 * Removes a factor with its pending codes and links, and returns the updated user. The last login factor cannot be removed. The
 * password is removed with the last address.
 *
 * Logins by it end: the sessions that depend on it, and the grants and actions that were given or begun in them.
 *
 * @param keptSessionId the session in which the user removes it, which continues; null if the app's own server does
 */
export async function removeFactor(
  tx: Db,
  user: LockedUser,
  {
    kind,
    id,
    keptSessionId,
  }: { readonly kind: FactorKind; readonly id: string; readonly keptSessionId: string | null },
): Promise<User> {
  const { user_id } = user;
  const [table, column, unknown] = FACTORS[kind];
  if (/\0|\p{Surrogate}/u.test(id)) throw new Refusal(unknown);
  if (kind === 'email') {
    const address = await tx.selectFrom('emails').select('email_key').where('email_id', '=', id).executeTakeFirst();
    if (address !== undefined) await dropAddingLinks(tx, user_id, address.email_key);
  }
  const removed = await tx
    .deleteFrom(table)
    .where(tx.dynamic.ref(column), '=', id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst();
  if (removed === undefined) throw new Refusal(unknown);
  if (kind === 'email' || kind === 'phoneNumber') await dropPasscodes(tx, id);
  const current = await readUser(tx, user_id);
  checkCanEnter(current);
  const losesPassword = current.emails.length === 0 && current.password !== null;
  if (losesPassword) await dropPassword(tx, user_id);
  await endSessionsOfFactors(tx, user, losesPassword ? [id, PASSWORD_ID] : [id], keptSessionId);
  return losesPassword ? { ...current, password: null } : current;
}
