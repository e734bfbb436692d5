import { expect } from 'vitest';
import { beginRecovery } from '#provider/accounts/recovery/store.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { tellDue } from '#provider/accounts/notices/tell.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import type { Provider } from '../kit/harness.ts';

/** What the worker does: writes the messages that are due. */
export async function tell({ services }: Provider, publicOrigin = ISSUER): Promise<void> {
  while ((await tellDue({ ...services, publicOrigin })) > 0);
}

/** Begins the recovery of a user, as an operator does. */
export async function beginRecoveryOf({ services }: Provider, user_id: string): Promise<void> {
  await transaction(services.db, async (tx) => {
    const user = await lockUser(tx, user_id);
    if (user !== undefined) await beginRecovery(services, tx, user);
  });
}

const LINK = /^https?:\/\/\S+$/mu;

/** The notices to a recipient with their links, the oldest first. */
export async function noticesTo(provider: Provider, to: string, issuer?: string): Promise<readonly InboxMessage[]> {
  await tell(provider, issuer);
  const rows = await provider.services.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'notice')
    .where('recipient', '=', to)
    .orderBy('seq')
    .execute();
  const ids = rows.map(({ id }) => id);
  const inbox = await provider.inbox();
  const notices = ids.flatMap((id) => inbox.filter((message) => message.id === id));
  return notices.map((notice) => {
    expect(notice.link).toBeUndefined();
    const [link] = LINK.exec(notice.text) ?? [];
    return link === undefined ? notice : { ...notice, link };
  });
}

/** The link of the newest notice to a recipient; null where it has none. */
export async function newestLink(provider: Provider, to: string, issuer?: string): Promise<URL | null> {
  const link = (await noticesTo(provider, to, issuer)).at(-1)?.link;
  return link === undefined ? null : new URL(link);
}

export interface PageReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Opens a page as a browser or a mail scanner does. */
export async function open({ app }: Provider, link: URL): Promise<PageReply> {
  const { status, headers, ...reply } = await answered(app.request(link.href));
  return { status, headers, ...reply };
}

/** Presses a button of the page behind the link. */
export async function press({ app }: Provider, link: URL, what: 'undo' | 'stop' | 'finish'): Promise<PageReply> {
  const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '', do: what });
  return answered(app.request(`${link.origin}${link.pathname}`, { method: 'POST', body }));
}

async function answered(request: Response | Promise<Response>): Promise<PageReply> {
  const reply = await request;
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}
