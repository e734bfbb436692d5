import { tellDue } from '../../src/accounts/notices/tell.ts';
import type { InboxMessage } from '../../src/messages/inbox-hub.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import type { Provider } from '../kit/harness.ts';

/** What the worker does: writes the messages that are due. */
export async function tell({ services }: Provider): Promise<void> {
  while ((await tellDue({ ...services, publicOrigin: ISSUER })) > 0);
}

/** The notices to a recipient, the oldest first. */
export async function noticesTo(provider: Provider, to: string): Promise<readonly InboxMessage[]> {
  await tell(provider);
  const rows = await provider.services.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'notice')
    .where('recipient', '=', to)
    .orderBy('seq')
    .execute();
  const ids = rows.map(({ id }) => id);
  const inbox = await provider.inbox();
  return ids.flatMap((id) => inbox.filter((message) => message.id === id));
}
