import type { JsonColumn } from '#provider/base/db/statements/columns.ts';
import type { ClientSecretColumns } from '#provider/base/security/tables.ts';

/** A program that calls the app's APIs in its own name, without a user. */
export interface M2MClientsTable extends ClientSecretColumns {
  client_id: string;
  client_name: string;
  client_description: string;
  status: 'active' | 'inactive';
  scopes: JsonColumn<readonly string[]>;
  trusted_metadata: JsonColumn<Readonly<Record<string, unknown>>>;
  created_at: Date;
}

export interface M2MTables {
  m2m_clients: M2MClientsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends M2MTables {}
}
