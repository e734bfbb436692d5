import type { Generated } from 'kysely';
import type { ContactKind } from '../../../../server-rules/contacts.ts';

/** A link in a notice. It works once; what it does is confirmed on a page. */
export interface NoticeLinksTable {
  token_hash: string;
  user_id: string;
  purpose: 'undo' | 'stop_recovery' | 'finish_recovery';
  /** The first of the notices whose changes the link undoes; null for another purpose. */
  since: Generated<number | null>;
  recovery_id: Generated<string | null>;
  /** The contact to which the message went. */
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
