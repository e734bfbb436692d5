import type { Channel } from '../channel.ts';
import type { Generated } from 'kysely';
import type { GeneratedJsonColumn } from '#provider/base/db/statements/columns.ts';

/** The kinds of messages to people. */

/** The kind of a message, which selects its template. */
export type Kind =
  /** A passcode for a user who has verified the address or number, for a new user, and for an address or number to add. */
  | 'login_passcode'
  | 'signup_passcode'
  | 'confirm_passcode'
  /** The same with a link. */
  | 'login_link'
  | 'signup_link'
  | 'confirm_link'
  | 'invite_link'
  | 'reset_password'
  /** Why no code or link came. */
  | 'sign_up_refused'
  /** Something that happened to the recipient's account. */
  | 'notice'
  /** An event for the app's own server. */
  | 'webhook'
  /** The end of a session, for a connected app. */
  | 'logout'
  /** A message that an older version of this server wrote. */
  | 'message';

/** `waiting` until it is sent, given up (`dead`), or worthless because its code or link expired. */
export type DeliveryState = 'waiting' | 'sent' | 'dead' | 'expired';

/** The values that a template needs in addition to the code and the link. */
export type TemplateValues = Readonly<Record<string, string | number>>;

export interface OutboxTable {
  seq: Generated<number>;
  id: string;
  channel: Channel;
  recipient: string;
  subject: string;
  text: string;
  code: string | null;
  link: string | null;
  at: Date;
  /** When the code or link expires. */
  expires_at: Date;
  /** The user that the message logs in. It is withdrawn when they are deleted. */
  user_id: Generated<string | null>;
  kind: Generated<Kind>;
  locale: Generated<string>;
  template_id: Generated<string | null>;
  values: GeneratedJsonColumn<TemplateValues>;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  /** The earliest time of the next attempt; while it is claimed, the end of the claim. */
  next_at: Generated<Date>;
  claimed_until: Generated<Date | null>;
  claimed_by: Generated<string | null>;
  sent_at: Generated<Date | null>;
  /** The carrier's id of the accepted message. */
  reference: Generated<string | null>;
  /** Why the last attempt failed; never contains a code, link or secret. */
  last_error: Generated<string | null>;
  /** When the row is deleted; null while it waits. */
  delete_at: Generated<Date | null>;
}

export interface OutboxTables {
  outbox: OutboxTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends OutboxTables {}
}
