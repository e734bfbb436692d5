/** One row for each send. */
export interface PasscodesTable {
  /** Random, and told only to the caller who asked for the code: the wire's `method_id` of a send. */
  passcode_id: string;
  /** Whose the address or number is, or whom it is added to. */
  user_id: string;
  /** The address or number that the code went to: its id, or the one that it gets when it is added. */
  method_id: string;
  /** The network that asked, hashed. */
  network: string;
  code_hash: string;
  tries: number;
  channel: 'email' | 'sms' | 'whatsapp';
  /** The user whom the code adds its address to, or null when it logs in whose it is. */
  adds_to: string | null;
  /** What is added. */
  address: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface PasscodeTables {
  passcodes: PasscodesTable;
}
