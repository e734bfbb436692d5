import type { QueryCreator, Selectable } from 'kysely';
import { contactKindOf } from '#server-rules/contacts.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import type { MessageChannel } from '../channel.ts';
import type { Kind, OutboxTable, TemplateValues } from './tables.ts';
import type { Metrics } from '#provider/base/metrics/metrics.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { DAY_MS, expireMessages, inBatches } from './queue.ts';
import type { Services } from '../services.ts';
import type { Permit } from './permit.ts';
import type { PROVIDER, Sender } from './senders.ts';
import type { MessageKind } from '../texts/kinds.ts';
import type { InboxMessage } from '../inbox-hub.ts';

export interface Draft<K extends Kind = Kind> extends Omit<InboxMessage, 'id' | 'at' | 'expires_at'> {
  readonly kind: K;
  /** The user that the message logs in. */
  readonly user_id?: string | null;
  /** Default: English. */
  readonly locale?: string | undefined;
  readonly template_id?: string | undefined;
  readonly values: TemplateValues;
  /** The lifetime of its code or link in minutes. Default: a week, the longest lifetime of a link. */
  readonly minutes?: number;
}

const WEEK_MINUTES = 10_080;

/** The provider sends only notices, and nobody else sends them. */
type KindOf<S extends Sender> = S extends typeof PROVIDER ? 'notice' : MessageKind;

/**
 * Writes a message in the caller's transaction, for a sender whose budgets were counted. The caller must publish the returned message after
 * the commit.
 */
export async function post<S extends Sender>(
  { clock, random, dev, carried }: Pick<Services, 'clock' | 'random' | 'dev' | 'carried'>,
  tx: QueryCreator<Database>,
  permit: Permit<S>,
  draft: Draft<KindOf<S>>,
): Promise<InboxMessage> {
  permit.requireFor({ kind: contactKindOf(draft.channel), value: draft.to });
  const at = new Date(clock.now());
  const id = newId(random, 'message', at.getTime());
  const { minutes = WEEK_MINUTES, kind, user_id = null, locale = 'en', template_id, values, ...message } = draft;
  const { to, code, link, ...rest } = message;
  const template = { kind, locale, template_id: template_id ?? null, values: JSON.stringify(values) };
  const expires_at = new Date(at.getTime() + minutes * MINUTE_MS);
  // With `--dev` the inbox is the delivery, unless a carrier is configured.
  const isInboxOnly = dev && carried?.has(message.channel) !== true;
  await tx
    .insertInto('outbox')
    .values({
      ...rest,
      ...template,
      id,
      user_id,
      recipient: to,
      code: code ?? null,
      link: link ?? null,
      at,
      expires_at,
      ...(isInboxOnly
        ? { state: 'sent' as const, sent_at: at, delete_at: new Date(expires_at.getTime() + DAY_MS) }
        : {}),
    })
    .execute();
  return { id, ...message, at: at.toISOString(), expires_at: expires_at.toISOString() };
}

/**
 * Removes a message in the transaction that posted it, before it is visible. With null it runs the same statement and removes nothing, so
 * that both cases do the same work.
 */
export async function withdraw(tx: Db, id: string | null): Promise<void> {
  await tx
    .deleteFrom('outbox')
    .where('id', '=', id ?? '')
    .execute();
}

/** The messages that add an address or number. */
const ADDING: readonly Kind[] = ['confirm_passcode', 'confirm_link'];

/** Removes the waiting messages to a user whose codes and links end. Those to the kept addresses stay, unless they add an address. */
export async function withdrawWaiting(tx: Db, userId: string, recipientsToKeep: readonly string[] = []): Promise<void> {
  let waiting = tx.deleteFrom('outbox').where('user_id', '=', userId).where('state', '=', 'waiting');
  if (recipientsToKeep.length > 0) {
    waiting = waiting.where((where) =>
      where.or([where('recipient', 'not in', recipientsToKeep), where('kind', 'in', ADDING)]),
    );
  }
  await waiting.execute();
}

export interface Selection {
  readonly to?: string | undefined;
  readonly limit: number;
}

function selectMessages(db: Db) {
  const rows = db.selectFrom('outbox').selectAll().where('channel', 'not in', ['webhook', 'logout']);
  return rows.$narrowType<{ channel: MessageChannel }>();
}

/** The messages, newest first. */
export async function messages(db: Db, { to, limit }: Selection): Promise<readonly InboxMessage[]> {
  let query = selectMessages(db).orderBy('seq', 'desc').limit(limit);
  if (to !== undefined) query = query.where((where) => where(where.fn('lower', ['recipient']), '=', to.toLowerCase()));
  return (await query.execute()).map(messageFrom);
}

/** Longer than any posting transaction takes. Such a transaction may commit after a later number was already read. */
const OVERLAP_MS = MINUTE_MS;

/**
 * The messages after the one with that id, oldest first; none if the id is unknown. Numbers are assigned before the commit, so a lower
 * number may become visible later. Therefore the messages of the minute before are returned again; readers skip known ids.
 */
export async function messagesAfter(db: Db, id: string): Promise<readonly InboxMessage[]> {
  const last = await db.selectFrom('outbox').select(['seq', 'at']).where('id', '=', id).executeTakeFirst();
  if (last === undefined) return [];
  const rows = await selectMessages(db)
    .where('id', '<>', id)
    .where((where) =>
      where.or([where('seq', '>', last.seq), where('at', '>', new Date(last.at.getTime() - OVERLAP_MS))]),
    )
    .orderBy('seq')
    .execute();
  return rows.map(messageFrom);
}

/** The messages of the last minute, of every process, oldest first. */
export async function recentMessages({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<readonly InboxMessage[]> {
  const rows = await selectMessages(db)
    .where('at', '>', new Date(clock.now() - OVERLAP_MS))
    .orderBy('seq', 'desc')
    .limit(500)
    .execute();
  return rows.reverse().map(messageFrom);
}

/** The number of messages that are kept with `--dev`. */
const KEPT_MESSAGES = 1000;
const BATCH = 500;

/**
 * Erases the content of expired messages, and deletes old rows, or with `--dev` all but the newest thousand. Only rows of messages that are
 * sent, given up or expired are deleted; waiting messages are kept.
 */
export async function sweepOutbox({
  db,
  clock,
  dev,
  metrics,
}: Pick<Services, 'db' | 'clock' | 'dev'> & { readonly metrics?: Pick<Metrics, 'delivery'> }): Promise<void> {
  const now = clock.now();
  await expireMessages(db, now, (channel) => metrics?.delivery(channel, 'expired'));
  await inBatches(async () => {
    const { numDeletedRows } = await db
      .deleteFrom('outbox')
      .where('seq', 'in', (where) => {
        const old = where.selectFrom('outbox').select('seq').where('state', '<>', 'waiting').limit(BATCH);
        return dev ? old.orderBy('seq', 'desc').offset(KEPT_MESSAGES) : old.where('delete_at', '<', new Date(now));
      })
      .executeTakeFirstOrThrow();
    return numDeletedRows;
  });
}

type InboxColumn = 'id' | 'recipient' | 'subject' | 'text' | 'code' | 'link' | 'at' | 'expires_at';
type MessageRow = Pick<Selectable<OutboxTable>, InboxColumn> & { readonly channel: MessageChannel };

function messageFrom(row: MessageRow): InboxMessage {
  return {
    id: row.id,
    channel: row.channel,
    to: row.recipient,
    // Only erased messages have no text.
    subject: row.text === '' ? '(expired)' : row.subject,
    text: row.text,
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.link === null ? {} : { link: row.link }),
    at: row.at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
