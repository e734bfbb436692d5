import type { Generated } from 'kysely';
import type { GeneratedJsonColumn } from '../db/statements/columns.ts';
import type { NoticeEvent } from './events.ts';

/** The factors that notices tell of, and an app that was given access. */
export type NoticeFactor =
  | 'email'
  | 'phone_number'
  | 'totp'
  | 'password'
  | 'webauthn'
  | 'crypto_wallet'
  | 'oauth'
  | 'app';

/** What is told besides the event and the factor. */
export interface NoticeDetails {
  /** The address or number, and when the user got it. */
  readonly value?: string;
  readonly created_at?: string;
  /** The social provider. */
  readonly provider?: string;
  readonly client_id?: string;
  /** The browser and system, such as `Firefox (Windows)`. */
  readonly device?: string;
  /** When a waiting recovery can be completed. RFC 3339. */
  readonly available_at?: string;
  /** The recovery that a link stops or finishes, and until when. RFC 3339. */
  readonly recovery_id?: string;
  readonly expires_at?: string;
}

/** Something of which the owner of an account is told. Triggers write it in the transaction of the change. */
export interface NoticesTable {
  notice_id: Generated<number>;
  user_id: string;
  event: NoticeEvent;
  factor_type: NoticeFactor | null;
  factor_id: string | null;
  details: GeneratedJsonColumn<NoticeDetails>;
  /** True for a change that no link undoes. */
  final: Generated<boolean>;
  /** Not before this it is told; null for at once. */
  due_at: Generated<Date | null>;
  /** When the messages were written; null before. */
  told_at: Generated<Date | null>;
  /** When the row is deleted; null until it is told. */
  expires_at: Generated<Date | null>;
}

export interface NoticeTables {
  notices: NoticesTable;
}

declare module '../db/database.ts' {
  interface Database extends NoticeTables {}
}
