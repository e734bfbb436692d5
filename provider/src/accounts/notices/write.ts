import type { Db } from '#provider/base/db/database.ts';
import type { MessageChannel } from '#provider/messages/channel.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import { post, type Draft } from '#provider/messages/outbox/store.ts';
import {
  noticeShort,
  noticeText,
  noticeValues,
  type NoticeContent,
} from '#provider/messages/texts/notices/notice-wording.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';
import { findApps } from '#provider/project/registry/connected-apps.ts';
import type { NoticeServices } from './services.ts';
import { lastOf, mayUndo, UNDO_MS, type ContactRecord, type Notice } from './history.ts';
import { isOfAll } from '../recovery/store.ts';
import { itemOf, topicOf } from './items.ts';
import { makeLink } from './links.ts';
import { recipientsOf } from './recipients.ts';
import { noticePermit, type NoticePermit } from './notice-permit.ts';

interface NoticeBatch {
  readonly userId: string;
  /** The changes to report, oldest first. */
  readonly changes: readonly Notice[];
  readonly now: readonly ContactRecord[];
  /** The contacts before the changes. */
  readonly before: readonly ContactRecord[];
}

interface Recipient {
  readonly contact: ContactRecord;
  readonly permit: NoticePermit;
}

/**
 * The recipients who can be notified now. Null if the changes must wait, because nobody can be reached or, for a recovery, not everybody.
 */
async function reachable(
  services: NoticeServices,
  tx: Db,
  { now, before, changes }: NoticeBatch,
): Promise<readonly Recipient[] | null> {
  const reached: Recipient[] = [];
  let isSpent = false;
  for (const contact of recipientsOf(now, before, changes)) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    const permit = await noticePermit(services, tx, contact);
    if (typeof permit !== 'string') reached.push({ contact, permit });
    isSpent ||= permit === 'later';
  }
  // Otherwise an intruder could start and stop recoveries until the day's text messages are used up, and then start one unnoticed by the
  // phone.
  const mustReachAll = changes.some(({ event }) => event === 'recovery.started');
  return isSpent && (mustReachAll || reached.length === 0) ? null : reached;
}

/** Writes a message about the changes of one user to every recipient; null if it is too early for that. */
export async function writeNotices(
  services: NoticeServices,
  tx: Db,
  batch: NoticeBatch,
): Promise<readonly InboxMessage[] | null> {
  const { userId, changes, before } = batch;
  const recipients = await reachable(services, tx, batch);
  if (recipients === null) return null;
  const { project, clock } = services;
  const wording = wordingFor(await localeOf(tx, userId), project.delivery.locale);
  const apps = await appNames(services, tx, changes);
  const content = {
    topic: topicOf(changes),
    items: changes.map((change) => itemOf(change, apps)),
    project: project.name,
    at: new Date(clock.now()),
  };
  const messages: InboxMessage[] = [];
  for (const { contact, permit } of recipients) {
    const locale = wording.language;
    const linked = await linkFor(services, tx, { userId, changes, before, contact, locale });
    const whole: NoticeContent = { ...content, ...linked };
    const isEmail = contact.kind === 'email';
    const channel: MessageChannel = isEmail ? 'email' : 'sms';
    const message = isEmail ? noticeText(wording, whole) : { subject: '', text: noticeShort(wording, whole) };
    const draft: Draft<'notice'> = {
      channel,
      kind: 'notice',
      to: contact.value,
      locale,
      values: noticeValues(whole),
      ...message,
    };
    messages.push(await post(services, tx, permit, draft));
  }
  return messages;
}

interface LinkRequest extends Pick<NoticeBatch, 'userId' | 'changes' | 'before'> {
  readonly contact: ContactRecord;
  readonly locale: string;
}

/** The link that the contact gets, if any. */
async function linkFor(
  services: NoticeServices,
  tx: Db,
  { userId, changes, before, contact, locale }: LinkRequest,
): Promise<Pick<NoticeContent, 'action' | 'link'>> {
  const { publicOrigin: origin, clock } = services;
  if (origin === null) return { action: null, link: undefined };
  const link = { user_id: userId, contact, locale, origin };
  const recovery = lastOf(changes, ({ event }) => event.startsWith('recovery.'));
  const { recovery_id, expires_at: until } = recovery?.details ?? {};
  if (recovery_id !== undefined && until !== undefined) {
    if (!(await mayEnd(tx, recovery_id, contact, before))) return { action: null, link: undefined };
    const isAvailable = recovery?.event === 'recovery.available';
    const does = { purpose: isAvailable ? 'finish_recovery' : 'stop_recovery', recovery_id } as const;
    const url = await makeLink(services, tx, { ...link, does, expires_at: new Date(until) });
    return { action: isAvailable ? 'finish' : 'stop', link: url };
  }
  const since = changes.find(({ final }) => !final)?.notice_id;
  if (since === undefined || !mayUndo(contact, before, clock.now())) return { action: null, link: undefined };
  const expires_at = new Date(clock.now() + UNDO_MS);
  const does = { purpose: 'undo', since } as const;
  return { action: 'undo', link: await makeLink(services, tx, { ...link, does, expires_at }) };
}

/**
 * Whether a contact gets the link that ends a recovery. If an undo began the recovery, only contacts that may undo can end it. Otherwise an
 * intruder's address, which was added with the second factor and removed by the undo, could stop the recovery.
 */
async function mayEnd(
  tx: Db,
  recovery_id: string,
  contact: ContactRecord,
  before: readonly ContactRecord[],
): Promise<boolean> {
  const found = await tx
    .selectFrom('recoveries')
    .select(['ends_with_login', 'started_at', 'oldest_contact_at'])
    .where('recovery_id', '=', recovery_id)
    .executeTakeFirst();
  if (found === undefined || isOfAll(found)) return true;
  // Removing the oldest contact does not make the next one the oldest.
  const oldest = found.oldest_contact_at;
  if (oldest !== null && contact.created_at <= oldest.getTime()) return true;
  return mayUndo(contact, oldest === null ? before : [], found.started_at.getTime());
}

/** The language of the last message to the user. The outbox keeps messages for a day. */
export async function localeOf(tx: Db, userId: string): Promise<string | undefined> {
  const last = await tx
    .selectFrom('outbox')
    .select('locale')
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.locale;
}

async function appNames(
  { project }: NoticeServices,
  tx: Db,
  changes: readonly Notice[],
): Promise<ReadonlyMap<string, string>> {
  const ids = changes.flatMap(({ details: { client_id } }) => (client_id === undefined ? [] : [client_id]));
  if (ids.length === 0) return new Map();
  return new Map((await findApps({ db: tx, project }, ids)).map(({ client_id, name }) => [client_id, name]));
}
