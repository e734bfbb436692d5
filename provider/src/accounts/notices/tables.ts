import type { Generated } from 'kysely';
import type { ContactKind } from '#server-rules/contacts.ts';

/** A link in a notice. It works once, and a page asks for confirmation first. */
export interface NoticeLinksTable {
  token_hash: string;
  user_id: string;
  purpose: 'undo' | 'stop_recovery' | 'finish_recovery';
  /** The first of the notices whose changes the link undoes; null for links with another purpose. */
  since: Generated<number | null>;
  recovery_id: Generated<string | null>;
  /** The contact that the message went to. */
  kind: ContactKind;
  method_id: string;
  locale: string;
  used_at: Generated<Date | null>;
  expires_at: Date;
}

export interface NoticeLinkTables {
  notice_links: NoticeLinksTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends NoticeLinkTables {}
}
