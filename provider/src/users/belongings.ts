import type { Db, Database } from '../db/database.ts';
import { withdrawWaiting } from '../outbox/store.ts';
import type { LockedUser } from './lock.ts';
import type { EmailsTable } from './tables.ts';

/**
 * The belongings of a user: the tables that reference `users`. Rows that reference one of these are deleted with it (`on
 * delete cascade`). A test compares the list with the schema's foreign keys, so that a new table cannot be forgotten.
 *
 * - `access`: lets its holder act as the user, or is pending to do so. Every change of the password ends it.
 * - `factor`: a login method. The first verification of an address, and a reset by email, end it as well.
 * - `address`, `password`: see the rules below.
 *
 * Rows are locked in this order: an app that redeems a code locks its grant before the code.
 */
export const BELONGINGS = {
  oauth_grants: 'access',
  sessions: 'access',
  magic_links: 'access',
  passcodes: 'access',
  known_networks: 'access',
  impersonation_tokens: 'access',
  webauthn_challenges: 'access',
  wallet_challenges: 'access',
  oauth_attach_tokens: 'access',
  oauth_flows: 'access',
  outbox: 'access',
  webauthn_registrations: 'factor',
  crypto_wallets: 'factor',
  oauth_registrations: 'factor',
  totps: 'factor',
  phone_numbers: 'factor',
  emails: 'address',
  passwords: 'password',
} as const satisfies Partial<Record<keyof Database, 'access' | 'factor' | 'address' | 'password'>>;

type Owned = keyof typeof BELONGINGS;
type Kind = (typeof BELONGINGS)[Owned];
type OfKind<K extends Kind> = { [T in Owned]: (typeof BELONGINGS)[T] extends K ? T : never }[Owned];

function tablesOf<K extends Kind>(kind: K): readonly OfKind<K>[] {
  return (Object.keys(BELONGINGS) as Owned[]).filter((table): table is OfKind<K> => BELONGINGS[table] === kind);
}

type Address = Pick<EmailsTable, 'email_id' | 'email'>;

/**
 * Removes all `access` of the user, except the named session.
 *
 * @param unproven the addresses whose pending links and codes stay valid, except those that add an address
 */
export async function endAccess(
  tx: Db,
  user: LockedUser,
  keptSessionId: string | null,
  unproven: readonly Address[] = [],
): Promise<void> {
  const { user_id } = user;
  const kept = unproven.map(({ email_id }) => email_id);
  // These tokens become sessions. They reference a factor that a change of the password keeps, so they are removed
  // here.
  await tx
    .deleteFrom('oauth_tokens')
    .where('oauth_user_registration_id', 'in', (query) =>
      query.selectFrom('oauth_registrations').select('oauth_user_registration_id').where('user_id', '=', user_id),
    )
    .execute();
  for (const table of tablesOf('access')) {
    if (table === 'outbox') {
      const recipients = unproven.map(({ email }) => email);
      await withdrawWaiting(tx, user_id, recipients);
    } else if (table === 'sessions' && keptSessionId !== null) {
      await tx.deleteFrom(table).where('user_id', '=', user_id).where('session_id', '!=', keptSessionId).execute();
    } else if (table === 'magic_links' && kept.length > 0) {
      // A link that adds an address, or that the app's own server sent in its own way, is to no stored address.
      await tx
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where((where) => where.or([where('email_id', 'is', null), where('email_id', 'not in', kept)]))
        .execute();
    } else if (table === 'passcodes' && kept.length > 0) {
      await tx
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where((where) => where.or([where('adds_to', 'is not', null), where('method_id', 'not in', kept)]))
        .execute();
    } else {
      await tx.deleteFrom(table).where('user_id', '=', user_id).execute();
    }
  }
}

/**
 * Ends all `access` of the user after a change of the password, except pending messages to an address that is not verified:
 * an attacker who signed up with a stranger's address must not be able to invalidate, again and again, the link with which the
 * owner verifies it.
 */
export async function endAccessForPassword(tx: Db, user: LockedUser, keptSessionId: string | null): Promise<void> {
  const unproven = await tx
    .selectFrom('emails')
    .select(['email_id', 'email'])
    .where('user_id', '=', user.user_id)
    .where('verified', '=', false)
    .execute();
  await endAccess(tx, user, keptSessionId, unproven);
}

/**
 * Ends everything from before the first verification of an address: all access, every factor and every other address. The
 * remaining password cannot be used until it is reset.
 */
export async function endEverythingBut(
  tx: Db,
  user: LockedUser,
  kept: { readonly email_id: string } | { readonly phone_id: string },
  keptSessionId: string | null = null,
): Promise<void> {
  const { user_id } = user;
  await endAccess(tx, user, keptSessionId);
  for (const table of tablesOf('factor')) {
    if (table === 'phone_numbers' && 'phone_id' in kept) {
      await tx.deleteFrom(table).where('user_id', '=', user_id).where('phone_id', '!=', kept.phone_id).execute();
    } else {
      await tx.deleteFrom(table).where('user_id', '=', user_id).execute();
    }
  }
  let others = tx.deleteFrom('emails').where('user_id', '=', user_id);
  if ('email_id' in kept) others = others.where('email_id', '!=', kept.email_id);
  await others.execute();
  await tx.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', user_id).execute();
}
