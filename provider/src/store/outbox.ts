import type { Db, OutboxTable } from '../db/tables.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import type { InboxMessage } from './inbox-hub.ts';

export type Draft = Omit<InboxMessage, 'id' | 'at'>;

/** Writes a message in the caller's transaction. Publish what it returns after the commit. */
export async function post(services: Services, tx: Db, draft: Draft): Promise<InboxMessage> {
  const at = new Date(services.clock.now());
  const id = newId(services.random, 'message');
  const { to, code, link, ...rest } = draft;
  await tx
    .insertInto('outbox')
    .values({ ...rest, id, recipient: to, code: code ?? null, link: link ?? null, at })
    .execute();
  return { id, ...draft, at: at.toISOString() };
}

/** Takes back a message before anybody sees it, in the transaction that posted it; null takes back none, at its cost. */
export async function withdraw(tx: Db, id: string | null): Promise<void> {
  await tx
    .deleteFrom('outbox')
    .where('id', '=', id ?? '')
    .execute();
}

export interface Selection {
  readonly to?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function messages(db: Db, { to, limit }: Selection): Promise<readonly InboxMessage[]> {
  let query = db.selectFrom('outbox').selectAll().orderBy('seq', 'desc').limit(limit);
  if (to !== undefined) query = query.where((where) => where(where.fn('lower', ['recipient']), '=', to.toLowerCase()));
  return (await query.execute()).map(messageFrom);
}

/** What came after the message with that id, oldest first; nothing when the id is unknown. */
export async function messagesAfter(db: Db, id: string): Promise<readonly InboxMessage[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('seq', '>', (where) => where.selectFrom('outbox').select('seq').where('id', '=', id))
    .orderBy('seq')
    .limit(500)
    .execute();
  return rows.map(messageFrom);
}

function messageFrom(row: Omit<OutboxTable, 'seq'>): InboxMessage {
  return {
    id: row.id,
    channel: row.channel,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.link === null ? {} : { link: row.link }),
    at: row.at.toISOString(),
  };
}
