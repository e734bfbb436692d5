import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { DeliveryState } from '#provider/messages/outbox/tables.ts';
import type { Services } from '#provider/api/services.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';

export const STATES: readonly DeliveryState[] = ['waiting', 'sent', 'dead', 'expired'];

export function stateFrom(text: string | undefined): DeliveryState | undefined {
  const state = STATES.find((each) => each === text);
  if (text !== undefined && state === undefined)
    throw new Refusal('bad_request', `state must be one of ${STATES.join(', ')}.`);
  return state;
}

/**
 * The fields of a message that operators see. Its text, code and link are left out, because they would let operators log in as the person.
 */
const SHOWN = [
  'id',
  'channel',
  'kind',
  'recipient',
  'state',
  'attempts',
  'at',
  'next_at',
  'expires_at',
  'sent_at',
  'last_error',
  'reference',
  'user_id',
] as const;

export interface MessagePage {
  readonly state?: string | undefined;
  readonly user_id?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The messages, newest first. */
export async function listMessages({ db }: Pick<Services, 'db'>, { state: text, user_id, after, limit }: MessagePage) {
  const state = stateFrom(text);
  let query = db
    .selectFrom('outbox')
    .select([...SHOWN, 'seq'])
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  if (state !== undefined) query = query.where('state', '=', state);
  if (user_id !== undefined) query = query.where('user_id', '=', user_id);
  if (after !== undefined) {
    if (!/^\d{1,15}$/u.test(after)) throw new Refusal('bad_request', 'after must be the cursor of a page.');
    query = query.where('seq', '<', Number(after));
  }
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? String(page.at(-1)?.seq ?? '') : null;
  return { messages: page.map(({ seq: _seq, ...message }) => message), next };
}

export async function showMessage({ db }: Pick<Services, 'db'>, id: string) {
  const row = await db.selectFrom('outbox').select(SHOWN).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new Refusal('message_not_found');
  return row;
}

/** Tries dead messages again: the given one, or all whose code or link is still valid. */
export async function retryMessages(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  id: string | null,
  by: AuditActor,
): Promise<number> {
  const now = new Date(services.clock.now());
  return transaction(services.db, async (tx) => {
    let retrying = tx
      .updateTable('outbox')
      .set({ state: 'waiting', attempts: 0, next_at: now, claimed_until: null, claimed_by: null, delete_at: null })
      .where('state', '=', 'dead')
      .where('expires_at', '>', now)
      // The content of a message that was given up may have been erased.
      .where('text', '<>', '');
    if (id !== null) retrying = retrying.where('id', '=', id);
    const retried = await retrying.returning(['id', 'user_id']).execute();
    if (id !== null && retried.length === 0) {
      throw new Refusal('message_not_found', 'No dead message of this id can be sent any more.');
    }
    if (retried.length > 0) {
      const details = { count: retried.length, ...(id === null ? {} : { target: id }) };
      await auditOperator(services, tx, by, {
        event: 'message_retried',
        user_id: (id && retried[0]?.user_id) || null,
        details,
      });
    }
    return retried.length;
  });
}

/** Deletes messages, except waiting ones. */
export async function purgeMessages(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  text: string,
  by: AuditActor,
): Promise<number> {
  const state = stateFrom(text);
  if (state === undefined || state === 'waiting') {
    throw new Refusal('bad_request', 'state must be sent, dead or expired: a waiting message is not purged.');
  }
  return transaction(services.db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('outbox').where('state', '=', state).executeTakeFirstOrThrow();
    const count = Number(numDeletedRows);
    await auditOperator(services, tx, by, { event: 'messages_purged', details: { count, state } });
    return count;
  });
}
