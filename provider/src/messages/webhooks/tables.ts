import type { JsonColumn } from '#provider/base/db/statements/columns.ts';
import type { EventType } from '#provider/project/settings/webhook-events.ts';

/** The webhooks of the project file, for the triggers that write their events. Their secrets are not in the database. */
export interface WebhookEndpointsTable {
  url: string;
  /** Null for all. */
  events: JsonColumn<readonly EventType[]> | null;
}

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends WebhookTables {}
}
