/** A table whose rows let a user log in. */
interface MethodTable {
  readonly table: string;
  readonly id: string;
  readonly type: string;
  /** Whether only a verified row lets its user log in. */
  readonly verified?: true;
}

export const METHODS: readonly MethodTable[] = [
  { table: 'emails', id: 'email_id', type: 'email', verified: true },
  { table: 'phone_numbers', id: 'phone_id', type: 'phone_number', verified: true },
  { table: 'totps', id: 'totp_id', type: 'totp', verified: true },
  { table: 'passwords', id: 'password_id', type: 'password' },
  { table: 'webauthn_registrations', id: 'webauthn_registration_id', type: 'webauthn' },
  { table: 'crypto_wallets', id: 'crypto_wallet_id', type: 'crypto_wallet' },
  { table: 'oauth_registrations', id: 'oauth_user_registration_id', type: 'oauth' },
];

/** Whether a removed row let its user log in, as a condition. */
export const counted = ({ verified }: MethodTable): string => (verified === true ? 'old.verified' : 'true');

/** A trigger that runs once for all new rows of a statement. Calling a function for each row took half of the time of an import. */
export const afterInserts = (name: string, table: string, call: string): string =>
  `create trigger ${name} after insert on ${table} referencing new table as added for each statement
     execute function ${call}`;
