import type { Generated } from 'kysely';
import type { LinkPurpose } from '#server-rules/proof-key.ts';

export interface MagicLinksTable {
  token_hash: string;
  /** The user whom the link logs in, or to whom it adds its address; null for a decoy. */
  user_id: string | null;
  /** Null if the link adds the address. */
  email_id: string | null;
  code_challenge: string | null;
  expires_at: Date;
  /** The purpose of the link. An `embedded` link is delivered by the app's own server: it logs in its user and verifies no address. */
  purpose: Generated<LinkPurpose>;
  /** The user to whom the link adds its address; null for a link that logs in the address's user. */
  adds_to: string | null;
  /** The address that is added. */
  address: string | null;
  /** Whether a link that adds its address must be opened in a session of the user. */
  needs_session: Generated<boolean>;
  /** Whether the invitation created its user. */
  made_user: Generated<boolean>;
  /** True if a page requested it, false if the app's own server did. */
  began_on_page: Generated<boolean | null>;
  /** The keyed hashes of where the request came from. */
  ip_hash: Generated<string | null>;
  user_agent_hash: Generated<string | null>;
}

export interface MagicLinkTables {
  magic_links: MagicLinksTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends MagicLinkTables {}
}
