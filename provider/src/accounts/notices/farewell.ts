import type { Db } from '../../base/db/database.ts';
import type { InboxMessage } from '../../messages/inbox-hub.ts';
import { post } from '../../messages/outbox/store.ts';
import { noticeShort, noticeText, noticeValues } from '../../messages/texts/notices/notice-wording.ts';
import { wordingFor } from '../../messages/texts/wording.ts';
import type { LockedUser } from '../users/lock.ts';
import { contactsNow } from './history.ts';
import { recipientsOf } from './recipients.ts';
import type { NoticeServices } from './services.ts';
import { mayText } from './text-limits.ts';
import { localeOf } from './write.ts';

/**
 * Writes the last message to a user who deletes the account: to every verified address, or by text where there is none. It belongs to no
 * user, so that it outlives this one. The caller must publish the messages after the commit.
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
  const contacts = await contactsNow(tx, user_id);
  const messages: InboxMessage[] = [];
  for (const { kind, value } of recipientsOf(contacts, contacts, [])) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    if (kind === 'phone' && !(await mayText(services, tx, value))) continue;
    const written =
      kind === 'email' ? noticeText(wording, content) : { subject: '', text: noticeShort(wording, content) };
    const draft = { kind: 'notice', to: value, locale: wording.language, values: noticeValues(content) } as const;
    // oxlint-disable-next-line no-await-in-loop
    messages.push(await post(services, tx, { ...draft, ...written, channel: kind === 'email' ? 'email' : 'sms' }));
  }
  return messages;
}
