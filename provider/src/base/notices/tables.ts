import type { Generated } from 'kysely';
import type { GeneratedJsonColumn } from '../db/statements/columns.ts';
import type { NoticeEvent } from './events.ts';

/** The factors that notices are about, and apps that were given access. */
export type NoticeFactor =
  | 'email'
  | 'phone_number'
  | 'totp'
  | 'password'
  | 'webauthn'
  | 'crypto_wallet'
  | 'oauth'
  | 'app';

/** The details of a notice, in addition to the event and the factor. */
export interface NoticeDetails {
  /** The address or number, and when the user got it. */
  readonly value?: string;
  readonly created_at?: string;
  /** The social provider. */
  readonly provider?: string;
  readonly client_id?: string;
  /** The browser and system, such as `Firefox (Windows)`. */
  readonly device?: string;
  /** When a pending recovery can be completed. RFC 3339. */
  readonly available_at?: string;
  /** The recovery that a link stops or finishes, and how long that is possible. RFC 3339. */
  readonly recovery_id?: string;
  readonly expires_at?: string;
}

/** A notice to the owner of an account. Triggers write it in the transaction of the change. */
export interface NoticesTable {
  notice_id: Generated<number>;
  user_id: string;
  event: NoticeEvent;
  factor_type: NoticeFactor | null;
  factor_id: string | null;
  details: GeneratedJsonColumn<NoticeDetails>;
  /** True for a change that no link can undo. */
  final: Generated<boolean>;
  /** The earliest time to send it; null to send it immediately. */
  due_at: Generated<Date | null>;
  /** When the messages were written; null until then. */
  told_at: Generated<Date | null>;
  /** When the row is deleted; null until the messages were written. */
  expires_at: Generated<Date | null>;
}

export interface NoticeTables {
  notices: NoticesTable;
}

declare module '../db/database.ts' {
  interface Database extends NoticeTables {}
}
