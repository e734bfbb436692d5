import type { Db } from '#provider/base/db/database.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import { post } from '#provider/messages/outbox/store.ts';
import { noticeShort, noticeText, noticeValues } from '#provider/messages/texts/notices/notice-wording.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';
import type { LockedUser } from '../users/lock.ts';
import { contactsBefore, contactsNow, UNDO_MS, type ContactRecord } from './history.ts';
import { recipientsOf } from './recipients.ts';
import type { NoticeServices } from './services.ts';
import { noticePermit } from './notice-permit.ts';
import { localeOf } from './write.ts';

/**
 * The contacts to notify when the account ends: the current ones, and those from before the changes of the last week. The messages about
 * those changes may not be written yet, and their links end with the user. An address that was added in this time does not count as another
 * contact: a number gets its text message as if the address did not exist.
 */
async function contactsOfWeek(
  { clock }: Pick<NoticeServices, 'clock'>,
  tx: Db,
  userId: string,
): Promise<readonly ContactRecord[]> {
  const changes = await tx
    .selectFrom('notices')
    .selectAll()
    .where('user_id', '=', userId)
    // Changes by the app's own server, and those that a link undid, are not an intruder's.
    .where('final', '=', false)
    .where((where) => where.or([where('told_at', 'is', null), where('told_at', '>', new Date(clock.now() - UNDO_MS))]))
    .orderBy('notice_id')
    .execute();
  const now = await contactsNow(tx, userId);
  const contacts = [...recipientsOf(now, contactsBefore(now, changes), changes), ...recipientsOf(now, now, [])];
  return [...new Map(contacts.map((contact) => [contact.value, contact])).values()];
}

/**
 * Writes the last message to a user who deletes the account. It goes to every verified address, including those removed in the last week.
 * If no address is older than that, it goes to the numbers by text message. The message belongs to no user, so it survives the deletion.
 * The caller must publish the messages after the commit.
 */
export async function writeFarewell(
  services: Omit<NoticeServices, 'publicOrigin'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<readonly InboxMessage[]> {
  const { project, clock } = services;
  const wording = wordingFor(await localeOf(tx, user_id), project.delivery.locale);
  const content = {
    topic: 'deleted',
    items: [{ line: 'account_deleted' }],
    project: project.name,
    at: new Date(clock.now()),
    action: null,
    link: undefined,
  } as const;
  const messages: InboxMessage[] = [];
  for (const contact of await contactsOfWeek(services, tx, user_id)) {
    const { kind, value } = contact;
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    const permit = await noticePermit(services, tx, contact);
    if (typeof permit === 'string') continue;
    const message =
      kind === 'email' ? noticeText(wording, content) : { subject: '', text: noticeShort(wording, content) };
    const draft = { kind: 'notice', to: value, locale: wording.language, values: noticeValues(content) } as const;
    // oxlint-disable-next-line no-await-in-loop
    messages.push(
      await post(services, tx, permit, { ...draft, ...message, channel: kind === 'email' ? 'email' : 'sms' }),
    );
  }
  return messages;
}
