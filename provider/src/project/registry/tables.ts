import type { ColumnType } from 'kysely';
import type { ConnectedAppType } from '#server-rules/connected-apps.ts';
import type { JsonColumn } from '#provider/base/db/statements/columns.ts';
import type { AgentMetadata } from './agent-metadata.ts';
import type { ClientSecretColumns } from '#provider/base/security/tables.ts';

/** A connected app created at run time, with the fields of the backend API. */
export interface ConnectedAppsTable extends ClientSecretColumns {
  client_id: string;
  client_type: ConnectedAppType;
  client_name: string;
  client_description: string;
  logo_url: string | null;
  redirect_urls: JsonColumn<readonly string[]>;
  post_logout_redirect_urls: JsonColumn<readonly string[]>;
  full_access_allowed: boolean;
  bypass_consent_for_offline_access: boolean;
  /** Whether a confidential app must use PKCE. A public one always must. */
  pkce_required: boolean;
  access_token_expiry_minutes: number;
  access_token_custom_audience: string | null;
  access_token_template_content: string;
  id_token_template_content: string;
  /** Whether it may use codes that a user enters on another device (RFC 8628). */
  device_authorization_allowed: ColumnType<boolean, boolean | undefined, boolean>;
  /** The URL that is notified when a session has ended (OpenID Connect Back-Channel Logout 1.0); null for none. */
  backchannel_logout_uri: ColumnType<string | null, string | null | undefined, string | null>;
  /** Whether the notice must contain the session's id. It always does. */
  backchannel_logout_session_required: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: Date;
}

/** An app that no operator registered. */
export interface AgentsTable {
  /** The URL of its document, or an id that was made when it registered. */
  client_id: string;
  origin: 'document' | 'registration';
  metadata: JsonColumn<AgentMetadata>;
  /** Null for an agent without a secret. */
  secret_hash: string | null;
  /** The hash of the token with which it reads, changes and removes its registration (RFC 7592); null for a document. */
  registration_token_hash: string | null;
  /** Keyed hash of the network that registered it or caused the reading of its document; null in rows of older versions. */
  network_key: ColumnType<string | null, string | null | undefined, string | null>;
  /** The operator's decision; null before it. */
  approval: 'approved' | 'refused' | null;
  created_at: Date;
  /** When its redirect URIs or keys last changed. */
  changed_at: Date;
  /** When its document was last read. */
  read_at: Date;
  /** When its document must be read again. */
  fresh_until: Date;
  /** When it is removed, unless it has access from a user or an operator's decision. */
  expires_at: Date;
}

export interface ProjectTables {
  connected_apps: ConnectedAppsTable;
  agents: AgentsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends ProjectTables {}
}
