import type { Generated } from 'kysely';

export interface MagicLinksTable {
  token_hash: string;
  /** The user whom the link logs in, or to whom it adds its address; null for a decoy. */
  user_id: string | null;
  /** Null if the link adds the address. */
  email_id: string | null;
  code_challenge: string | null;
  expires_at: Date;
  /**
   * What the link is for. An `embedded` one was sent by the app's own server in its own way: it logs in its user and proves
   * no address.
   */
  purpose: Generated<'login' | 'reset_password' | 'invite' | 'embedded'>;
  /** The user to whom the link adds its address; null for a link that logs in the address's user. */
  adds_to: string | null;
  /** The address that is added. */
  address: string | null;
  /** Whether a link that adds its address must be opened in a session of the user. */
  needs_session: Generated<boolean>;
  /** Whether the invitation made its user. */
  made_user: Generated<boolean>;
  /** The keyed hashes of where the request came from. */
  ip_hash: Generated<string | null>;
  user_agent_hash: Generated<string | null>;
}

export interface MagicLinkTables {
  magic_links: MagicLinksTable;
}
