import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { WebhookSettings } from '#provider/project/settings/webhooks.ts';

/**
 * From now on every process on the database writes the events that the project file subscribes to. The server that started last decides.
 * Events for a URL that its file does not contain wait until they expire.
 */
export async function registerWebhooks(db: Db, webhooks: readonly WebhookSettings[]): Promise<void> {
  const rows = webhooks.map(({ url, events }) => ({ url, events: events === null ? null : JSON.stringify(events) }));
  const urls = rows.map(({ url }) => url);
  await transaction(db, async (tx) => {
    const others = tx.deleteFrom('webhook_endpoints');
    await (urls.length === 0 ? others : others.where('url', 'not in', urls)).execute();
    if (rows.length === 0) return;
    await tx
      .insertInto('webhook_endpoints')
      .values(rows)
      .onConflict((conflict) => conflict.column('url').doUpdateSet((row) => ({ events: row.ref('excluded.events') })))
      .execute();
  });
}
