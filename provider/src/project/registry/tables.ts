import type { ColumnType } from 'kysely';
import type { ConnectedAppType } from '../../../../server-rules/connected-apps.ts';
import type { JsonColumn } from '../../base/db/statements/columns.ts';
import type { AgentMetadata } from './agent-metadata.ts';
import type { ClientSecretColumns } from '../../base/security/tables.ts';

/** A connected app made at run time, with the fields of the backend API. */
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
  /** Whether a confidential app must use PKCE, as a public one always must. */
  pkce_required: boolean;
  access_token_expiry_minutes: number;
  access_token_custom_audience: string | null;
  access_token_template_content: string;
  id_token_template_content: string;
  /** Whether it may ask for a code that a user enters on another device (RFC 8628). */
  device_authorization_allowed: ColumnType<boolean, boolean | undefined, boolean>;
  /** Where it is told that a session has ended (OpenID Connect Back-Channel Logout 1.0); null for nowhere. */
  backchannel_logout_uri: ColumnType<string | null, string | null | undefined, string | null>;
  /** Whether it needs the session's id for that, which it always gets. */
  backchannel_logout_session_required: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: Date;
}

/** An app that no operator registered. */
export interface AgentsTable {
  /** The address of its document, or an id that was made when it registered. */
  client_id: string;
  origin: 'document' | 'registration';
  metadata: JsonColumn<AgentMetadata>;
  /** Null for an agent without a secret. */
  secret_hash: string | null;
  /** Of the token with which it reads, changes and removes its registration (RFC 7592); null for a document. */
  registration_token_hash: string | null;
  /** Keyed hash of the network that registered it or had its document read; null in rows of older versions. */
  network_key: ColumnType<string | null, string | null | undefined, string | null>;
  /** The operator's decision; null before it. */
  approval: 'approved' | 'refused' | null;
  created_at: Date;
  /** When its addresses or keys changed last. */
  changed_at: Date;
  /** When its document was read last. */
  read_at: Date;
  /** When its document is read again. */
  fresh_until: Date;
  /** When it is removed unless a user gave it access or an operator decided on it. */
  expires_at: Date;
}

export interface ProjectTables {
  connected_apps: ConnectedAppsTable;
  agents: AgentsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends ProjectTables {}
}
