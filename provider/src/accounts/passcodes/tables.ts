import type { Generated } from 'kysely';

/** One row for each send. */
export interface PasscodesTable {
  /** Random, and told only to the caller who asked for the code: the wire's `method_id` of a send. */
  passcode_id: string;
  /** The user who has the address or number, or to whom it is added. */
  user_id: string;
  /** The id of the address or number to which the code was sent, or the id that it gets when it is added. */
  method_id: string;
  /** The hash of the network that requested the code. */
  network: string;
  code_hash: string;
  tries: number;
  channel: 'email' | 'sms' | 'whatsapp';
  /** The user to whom the code adds its address; null for a code that logs in the address's user. */
  adds_to: string | null;
  /** The address or number that is added. */
  address: string | null;
  /** Whether a code that adds its address must be entered in a session of the user. */
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
