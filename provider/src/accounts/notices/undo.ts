import { sql, type Selectable } from 'kysely';
import { isTaken } from '#server-rules/accounts.ts';
import type { Db } from '#provider/base/db/database.ts';
import { recordNotice, withoutUndo } from '#provider/base/notices/record.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { beginUndo } from '../recovery/store.ts';
import type { Services } from '../services.ts';
import { dispute } from '../sessions/factors/disputes.ts';
import { secondFactorTables } from '../sessions/factors/policy.ts';
import { endAccess } from '../users/belongings.ts';
import { attachContact } from '../users/contact-changes.ts';
import { CONTACT_TABLES, findContact, type ContactValue } from '../users/contacts.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import {
  changesSince,
  contactsBefore,
  contactsNow,
  lastOf,
  UNDO_MS,
  type ContactRecord,
  type Notice,
} from './history.ts';
import type { NoticeLinksTable } from './tables.ts';

export type NoticeLink = Selectable<NoticeLinksTable>;

/** The tables of factors that a link can remove immediately. The removal of second factors waits (`waitsFor`). */
const REMOVABLE = {
  email: ['emails', 'email_id'],
  phone_number: ['phone_numbers', 'phone_id'],
  webauthn: ['webauthn_registrations', 'webauthn_registration_id'],
  crypto_wallet: ['crypto_wallets', 'crypto_wallet_id'],
  oauth: ['oauth_registrations', 'oauth_user_registration_id'],
} as const;

/** What a link does. */
export interface UndoPlan {
  /** The added factors that the link removes. */
  readonly removed: readonly Notice[];
  /** The removed contacts that the link restores. */
  readonly restored: readonly (ContactRecord & { readonly change: Notice })[];
  /** The changes that it does not undo. */
  readonly remains: readonly Notice[];
  /** Whether the password has to be reset. */
  readonly resetsPassword: boolean;
  /** The added second factors. They are removed after a wait; if the project offers no recovery, they stay. */
  readonly waiting: readonly Notice[];
  /** The last replacement of recovery codes: the new codes end. */
  readonly endedCodes: Notice | undefined;
}

/**
 * True for factors that the project accepts as second ones, and always for authenticator apps. A mailbox alone must not remove them: the
 * owner may have added the factor, and a thief of the mailbox may have the link.
 */
function waitsFor(services: Pick<Services, 'project'>, { factor_type }: Notice): boolean {
  if (factor_type === 'totp') return true;
  const [table] = REMOVABLE[factor_type as keyof typeof REMOVABLE] ?? [];
  return secondFactorTables(services).some((each) => each === table);
}

/** The link of the token; undefined if it is used, expired or unknown. */
export async function linkOf(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  token: string,
  purposes: readonly NoticeLink['purpose'][],
): Promise<NoticeLink | undefined> {
  return db
    .selectFrom('notice_links')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
}

/** Uses up a link. The user must be locked. True for one caller only. */
export async function spendLink(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  { token_hash }: Pick<NoticeLink, 'token_hash'>,
): Promise<boolean> {
  const now = new Date(clock.now());
  const used = await tx
    .updateTable('notice_links')
    .set({ used_at: now })
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('token_hash')
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * What a link undoes, to bring the account as far as possible back to its state before the change. Undefined if the link's contact now
 * belongs to another user, or was removed and is not the oldest.
 */
export async function planUndo(
  services: Pick<Services, 'project' | 'clock'>,
  db: Db,
  link: NoticeLink,
): Promise<UndoPlan | undefined> {
  const { user_id, since, method_id } = link;
  const changes = await changesSince(db, user_id, Number(since));
  const undoable = changes.filter(({ final }) => !final);
  const now = await contactsNow(db, user_id);
  const before = contactsBefore(now, undoable);
  const seniority = before.findIndex((each) => each.method_id === method_id);
  // A removed contact cannot return by a link for an earlier change, unless it is the oldest.
  if (seniority < 0 || (seniority > 0 && before[seniority]?.removed === true)) return undefined;
  const back = before.filter(({ removed }, place) => removed && place >= seniority);
  const restored: (ContactRecord & { readonly change: Notice })[] = [];
  for (const contact of back) {
    const isItsRemoval = ({ event, factor_id }: Notice) =>
      event === 'factor.removed' && factor_id === contact.method_id;
    const change = lastOf(undoable, isItsRemoval);
    const holder = await findContact(db, contact.kind, contact.value);
    const isFree = holder === undefined || holder.user_id === user_id || !isTaken(holder);
    if (isFree && change !== undefined) restored.push({ ...contact, change });
  }
  const isThere = (contact: Pick<ContactRecord, 'method_id'>): boolean => contact.method_id === method_id;
  if (!now.some(isThere) && !restored.some(isThere)) return undefined;
  const present = await factorsThere(db, undoable);
  const added = undoable.filter(({ event, factor_id }) => event === 'factor.added' && present.has(factor_id ?? ''));
  const waiting = added.filter((change) => waitsFor(services, change));
  const removed = added.filter(
    (change) => change.factor_type !== null && change.factor_type in REMOVABLE && !waiting.includes(change),
  );
  const undone = new Set([...removed, ...restored.map(({ change }) => change)]);
  return {
    removed,
    restored,
    remains: [
      ...(await addedBefore(services, db, link)),
      ...undoable.filter((change) => change.event === 'factor.removed' && !undone.has(change)),
    ],
    resetsPassword: await hasPassword(db, user_id),
    waiting,
    endedCodes: lastOf(undoable, ({ event }) => event === 'recovery_codes.renewed'),
  };
}

/**
 * What was added shortly before the change, and still exists. The link of an earlier message undoes it. An intruder who adds an address and
 * then removes the owner's causes two messages. The page of the second one must not look as if it restored the whole account.
 */
async function addedBefore(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { user_id, since }: NoticeLink,
): Promise<readonly Notice[]> {
  const changes = await db
    .selectFrom('notices')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('notice_id', '<', Number(since))
    .where('event', '=', 'factor.added')
    .where('final', '=', false)
    .where('told_at', '>', new Date(clock.now() - UNDO_MS))
    .orderBy('notice_id')
    .execute();
  const present = await factorsThere(db, changes);
  return changes.filter(({ factor_id }) => present.has(factor_id ?? ''));
}

const TOTP = { totp: ['totps', 'totp_id'] } as const;

/** The ids of the added factors that the user still has. */
async function factorsThere(db: Db, changes: readonly Notice[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [type, [table, id]] of Object.entries({ ...REMOVABLE, ...TOTP })) {
    const ids = changes.flatMap(({ event, factor_type, factor_id }) =>
      event === 'factor.added' && factor_type === type && factor_id !== null ? [factor_id] : [],
    );
    if (ids.length === 0) continue;
    const { rows } = await sql<{ readonly id: string }>`
      select ${sql.ref(id)} as id from ${sql.table(table)} where ${sql.ref(id)} in (${sql.join(ids)})`.execute(db);
    for (const row of rows) found.add(row.id);
  }
  return found;
}

async function hasPassword(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('passwords').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

type UndoServices = Pick<Services, 'clock' | 'random' | 'project'>;

/**
 * Carries out the link within a transaction: ends all access, removes what was added since, restores removed contacts, and requires a new
 * password. The user's other links for the same or later changes end, too.
 *
 * @param hours how long the removal of a second factor waits; null if the project offers no recovery
 * @returns false for a link that is used or expired
 */
export async function undo(services: UndoServices, tx: Db, link: NoticeLink, hours: number | null): Promise<boolean> {
  const user = await lockUser(tx, link.user_id);
  if (user === undefined || !(await spendLink(services, tx, link))) return false;
  const plan = await planUndo(services, tx, link);
  if (plan === undefined) return false;
  const { user_id } = user;
  for (const { factor_type, factor_id } of plan.removed) await removeFactor(tx, user, factor_type, factor_id);
  if (plan.endedCodes !== undefined) await dropRecoveryCodes(tx, user_id);
  // The contact keeps its age. As a new contact it would get no link if the intruder, who may have an older one by then, removed it again.
  for (const { kind, value, method_id, created_at } of plan.restored) {
    await dropOwn(tx, user, { kind, value });
    await attachContact(services, tx, { user, session: null }, { kind, value, method_id, created_at });
  }
  await endAccess(tx, user, null);
  await tx.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', user_id).execute();
  await tx
    .updateTable('notice_links')
    .set({ used_at: new Date(services.clock.now()) })
    .where('user_id', '=', user_id)
    .where('purpose', '=', 'undo')
    .where('since', '>=', Number(link.since))
    .where('used_at', 'is', null)
    .execute();
  await withoutUndo(tx, user_id);
  await recordNotice(tx, { user_id, event: 'account.restored' });
  if (plan.waiting.length > 0 && hours !== null) {
    await dispute(tx, await beginUndo(services, tx, user, hours), {
      totps: idsOf(plan.waiting, 'totp'),
      webauthn_registrations: idsOf(plan.waiting, 'webauthn'),
      phone_numbers: idsOf(plan.waiting, 'phone_number'),
    });
  }
  return true;
}

const idsOf = (changes: readonly Notice[], type: Notice['factor_type']): readonly string[] =>
  changes.flatMap(({ factor_type, factor_id }) => (factor_type === type && factor_id !== null ? [factor_id] : []));

/** Deletes the user's recovery codes, whoever made them. The authenticator app stays, and its owner can make new codes. */
async function dropRecoveryCodes(tx: Db, userId: string): Promise<void> {
  const apps = tx.selectFrom('totps').select('totp_id').where('user_id', '=', userId);
  await tx.deleteFrom('recovery_codes').where('totp_id', 'in', apps).execute();
}

/** Removes an unverified contact with this value that the user got meanwhile: the link proves the value. */
async function dropOwn(tx: Db, { user_id }: LockedUser, { kind, value }: ContactValue): Promise<void> {
  const contact = await findContact(tx, kind, value);
  if (contact?.user_id !== user_id) return;
  const { table, id } = CONTACT_TABLES[kind];
  await tx.deleteFrom(table).where(tx.dynamic.ref(id), '=', contact.method_id).execute();
}

async function removeFactor(
  tx: Db,
  { user_id }: LockedUser,
  type: Notice['factor_type'],
  id: string | null,
): Promise<void> {
  const [table, column] = REMOVABLE[type as keyof typeof REMOVABLE];
  await tx.deleteFrom(table).where('user_id', '=', user_id).where(tx.dynamic.ref(column), '=', id).execute();
}
