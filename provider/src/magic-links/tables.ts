import type { Generated } from 'kysely';

export interface MagicLinksTable {
  token_hash: string;
  /** The user whom the link logs in, or to whom it adds its address; null for a decoy. */
  user_id: string | null;
  /** Null if the link adds the address. */
  email_id: string | null;
  code_challenge: string | null;
  expires_at: Date;
  purpose: Generated<'login' | 'reset_password'>;
  /** The user to whom the link adds its address; null for a link that logs in the address's user. */
  adds_to: string | null;
  /** The address that is added. */
  address: string | null;
}

export interface MagicLinkTables {
  magic_links: MagicLinksTable;
}
