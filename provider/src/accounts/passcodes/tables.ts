import type { Generated } from 'kysely';
import type { PasscodeChannel } from '#server-rules/contacts.ts';

/** One row for each send. */
export interface PasscodesTable {
  /** Random, and only in the reply to the caller who requested the code, as the wire's `method_id`. */
  passcode_id: string;
  /** The user who has the contact, or to whom it is added; null for a decoy, which was never sent. */
  user_id: string | null;
  /** The id of the contact to which the code was sent, or the id that it gets when it is added. */
  method_id: string;
  /** The hash of the network that requested the code. */
  network: string;
  code_hash: string;
  tries: number;
  channel: PasscodeChannel;
  /** The user to whom the code adds its contact; null for a code that logs in the contact's user. */
  adds_to: string | null;
  /** The email address or phone number that is added. */
  address: string | null;
  /** Whether a code that adds its contact must be entered in a session of the user. */
  needs_session: Generated<boolean>;
  /** The keyed hashes of where the request came from. */
  ip_hash: Generated<string | null>;
  user_agent_hash: Generated<string | null>;
  created_at: Date;
  expires_at: Date;
}

export interface PasscodeTables {
  passcodes: PasscodesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends PasscodeTables {}
}
