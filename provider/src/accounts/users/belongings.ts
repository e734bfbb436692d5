import { sql } from 'kysely';
import type { Db, Database } from '#provider/base/db/database.ts';
import { withoutUndo } from '#provider/base/notices/record.ts';
import { withdrawWaiting } from '#provider/messages/outbox/store.ts';
import type { LockedUser } from './lock.ts';
import type { EmailsTable } from './tables.ts';

/**
 * The belongings of a user: the tables that reference `users`. Rows that reference one of these are deleted with it (`on delete cascade`).
 * A test compares the list with the schema's foreign keys, so that no new table is forgotten.
 *
 * - `access`: lets its holder act as the user, or will once it is completed. Every change of the password ends it.
 * - `factor`: a login method. The first verification of an address, and a reset by email, also end it.
 * - `address`, `password`: see the rules below.
 *
 * Rows are locked in this order: an app that redeems a code locks its grant before the code.
 */
export const BELONGINGS = {
  oauth_grants: 'access',
  sessions: 'access',
  intermediate_sessions: 'access',
  trusted_devices: 'access',
  magic_links: 'access',
  passcodes: 'access',
  known_networks: 'access',
  impersonation_tokens: 'access',
  webauthn_challenges: 'access',
  wallet_challenges: 'access',
  oauth_attach_tokens: 'access',
  oauth_flows: 'access',
  oauth_tokens: 'access',
  outbox: 'access',
  webauthn_registrations: 'factor',
  crypto_wallets: 'factor',
  oauth_registrations: 'factor',
  totps: 'factor',
  phone_numbers: 'factor',
  emails: 'address',
  passwords: 'password',
} as const satisfies Partial<Record<keyof Database, 'access' | 'factor' | 'address' | 'password'>>;

type BelongingTable = keyof typeof BELONGINGS;
type BelongingKind = (typeof BELONGINGS)[BelongingTable];
type OfKind<K extends BelongingKind> = {
  [T in BelongingTable]: (typeof BELONGINGS)[T] extends K ? T : never;
}[BelongingTable];

function tablesOf<K extends BelongingKind>(kind: K): readonly OfKind<K>[] {
  return (Object.keys(BELONGINGS) as BelongingTable[]).filter(
    (table): table is OfKind<K> => BELONGINGS[table] === kind,
  );
}

type Address = Pick<EmailsTable, 'email_id' | 'email'>;

/** Access that is kept in addition to the named session. */
interface SparedAccess {
  /** The addresses whose pending links and codes stay valid, except those that add an address. */
  readonly unproven?: readonly Address[];
  /** Whether to keep the grants that were given in the named session. */
  readonly grants?: boolean;
}

/** Sessions of the system from which the user came no longer become sessions here. */
export async function endOldSessions(tx: Db, { user_id }: LockedUser): Promise<void> {
  await tx
    .updateTable('users')
    .set({ access_ended_at: sql<Date>`now()` })
    .where('user_id', '=', user_id)
    .execute();
}

/** Removes all `access` of the user, except the named session. */
export async function endAccess(
  tx: Db,
  user: LockedUser,
  keptSessionId: string | null,
  { unproven = [], grants = false }: SparedAccess = {},
): Promise<void> {
  const { user_id } = user;
  await endOldSessions(tx, user);
  const emailIds = unproven.map(({ email_id }) => email_id);
  // These tokens become sessions. Versions before 0023 stored only the registration, which a password change keeps, and no `user_id`.
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
    } else if (table === 'oauth_grants' && grants && keptSessionId !== null) {
      await endGrantsBut(tx, user, keptSessionId);
    } else if (table === 'sessions' && keptSessionId !== null) {
      await tx.deleteFrom(table).where('user_id', '=', user_id).where('session_id', '!=', keptSessionId).execute();
    } else if (table === 'magic_links' && emailIds.length > 0) {
      // A link that adds an address, or that the app's own server delivers itself, does not reference a stored address.
      await tx
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where((where) => where.or([where('email_id', 'is', null), where('email_id', 'not in', emailIds)]))
        .execute();
    } else if (table === 'passcodes' && emailIds.length > 0) {
      await tx
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where((where) => where.or([where('adds_to', 'is not', null), where('method_id', 'not in', emailIds)]))
        .execute();
    } else {
      await tx.deleteFrom(table).where('user_id', '=', user_id).execute();
    }
  }
  await dropUnverifiedTotp(tx, user);
}

/** Ends the unfinished enrolment of an authenticator app. */
export async function dropUnverifiedTotp(tx: Db, { user_id }: LockedUser): Promise<void> {
  await tx.deleteFrom('totps').where('user_id', '=', user_id).where('verified', '=', false).execute();
}

/** Ends the grants that were not given in this session, and the tokens of other sessions. */
async function endGrantsBut(tx: Db, { user_id }: LockedUser, sessionId: string): Promise<void> {
  await tx
    .deleteFrom('oauth_grants')
    .where('user_id', '=', user_id)
    .where('added_in', 'is distinct from', sessionId)
    .execute();
  await tx
    .deleteFrom('oauth_token_families')
    .where('grant_id', 'in', (query) =>
      query.selectFrom('oauth_grants').select('grant_id').where('user_id', '=', user_id),
    )
    .where('session_id', 'is distinct from', sessionId)
    .execute();
}

/**
 * Ends all `access` of the user after a change of the password, except pending messages to an unverified address. Otherwise an attacker who
 * signed up with a stranger's address could again and again invalidate the link with which the owner verifies it.
 */
export async function endAccessForPassword(tx: Db, user: LockedUser, keptSessionId: string | null): Promise<void> {
  const unproven = await tx
    .selectFrom('emails')
    .select(['email_id', 'email'])
    .where('user_id', '=', user.user_id)
    .where('verified', '=', false)
    .execute();
  await endAccess(tx, user, keptSessionId, { unproven });
}

/**
 * What a verification keeps: the verified contact and, if the session of the sign-up verified it, that session with what was added in it.
 */
interface RetainedItems {
  readonly method_id: string;
  readonly session_id?: string | undefined;
}

/**
 * Ends everything from before the first verification of an address or number: all access, every factor and every other address. If the
 * password remains, it must be reset before it can be used.
 */
export async function endEverythingBut(tx: Db, user: LockedUser, items: RetainedItems): Promise<void> {
  await endAccess(tx, user, items.session_id ?? null, { grants: true });
  await endFactorsBut(tx, user, items);
  // Whoever prepared the account must not get a link that takes it back.
  await withoutUndo(tx, user.user_id);
  let query = tx.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', user.user_id);
  if (items.session_id !== undefined) query = query.where('added_in', 'is distinct from', items.session_id);
  await query.execute();
}

/** The tables of second factors, which a mailbox alone must not remove. */
export type SecondFactorTable = 'totps' | 'webauthn_registrations' | 'phone_numbers';

/**
 * Ends everything from before a password reset by a link to a verified address. The named session stays, and so do the second factors,
 * because a mailbox alone must not remove them. What was never verified ends.
 */
export async function endEverythingForReset(
  tx: Db,
  user: LockedUser,
  emailId: string,
  { keptSessionId, spared }: { readonly keptSessionId: string | null; readonly spared: readonly SecondFactorTable[] },
): Promise<void> {
  await endAccess(tx, user, keptSessionId);
  await endFactorsBut(tx, user, { method_id: emailId }, spared);
}

async function endFactorsBut(
  tx: Db,
  { user_id }: LockedUser,
  { method_id, session_id }: RetainedItems,
  spared: readonly BelongingTable[] = [],
): Promise<void> {
  for (const table of [...tablesOf('factor'), ...tablesOf('address')]) {
    // Passkeys are stored only once they are proved.
    if (table === 'webauthn_registrations' && spared.includes(table)) continue;
    let query = tx.deleteFrom(table).where('user_id', '=', user_id);
    if (session_id !== undefined) query = query.where('added_in', 'is distinct from', session_id);
    if (table === 'emails') query = query.where(tx.dynamic.ref('email_id'), '!=', method_id);
    if (table === 'phone_numbers') query = query.where(tx.dynamic.ref('phone_id'), '!=', method_id);
    if (table !== 'emails' && spared.includes(table)) query = query.where(tx.dynamic.ref('verified'), '=', false);
    await query.execute();
  }
}
