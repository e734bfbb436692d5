import type { Generated } from 'kysely';

export interface MagicLinksTable {
  token_hash: string;
  /** Whom the link logs in, or adds its address to; null for one that is nobody's. */
  user_id: string | null;
  /** Null for an address that is added with the link. */
  email_id: string | null;
  code_challenge: string | null;
  expires_at: Date;
  purpose: Generated<'login' | 'reset_password'>;
  /** The user whom the link adds its address to, or null when it logs in whose it is. */
  adds_to: string | null;
  /** What is added. */
  address: string | null;
}

export interface MagicLinkTables {
  magic_links: MagicLinksTable;
}
