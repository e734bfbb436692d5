import type { Generated } from 'kysely';
import type { UserMfaPolicy } from '../../../../server-rules/mfa-policy.ts';
import type { UserName } from '../../../../src/domain/users/user.ts';
import type { GeneratedJsonColumn, JsonColumn } from '../../base/db/statements/columns.ts';

export interface UsersTable {
  user_id: string;
  created_at: Date;
  status: 'active' | 'pending';
  name: JsonColumn<UserName>;
  trusted_metadata: JsonColumn<Readonly<Record<string, unknown>>>;
  untrusted_metadata: JsonColumn<Readonly<Record<string, unknown>>>;
  roles: JsonColumn<readonly string[]>;
  /** The id that the app's own server gave the user; nobody else has it. */
  external_id: Generated<string | null>;
  /** True if the app's own server made the user, or gave them something. */
  managed: Generated<boolean>;
  /** True if the app's own server wrote the name and metadata last. */
  vouched: Generated<boolean>;
  /** The roles that the app's own server gave the user, beside those of the project file. */
  given_roles: GeneratedJsonColumn<readonly string[]>;
  /** When an operator locked the user out; null for a user who is not locked. */
  locked_at: Generated<Date | null>;
  /** What the logins of the user must prove, in the place of the project's policy. */
  mfa_policy: Generated<UserMfaPolicy | null>;
  /** When the sweep looks whether the user has proven something; null for a user at whom it need not look again. */
  proof_due_at: Generated<Date | null>;
  /** The address that was entered at a sign-up with a passkey, until its owner proves it there. Others may have it, and prove it. */
  unproven_email: Generated<string | null>;
  /** The session that began with that sign-up. */
  unproven_in: Generated<string | null>;
}

export interface EmailsTable {
  email_id: string;
  user_id: string;
  /** The address as first entered. */
  email: string;
  /** The unique form, with ASCII letters in lower case. */
  email_key: string;
  verified: boolean;
  created_at: Date;
  /**
   * The session that added it, as in every table of factors. An address that is not verified has one only from its sign-up with a
   * password (`signUpSession`).
   */
  added_in: string | null;
  /** When its user was created, by a trigger; null for a contact that was verified from the beginning. */
  user_created_at: Generated<Date | null>;
}

export interface PhoneNumbersTable {
  phone_id: string;
  user_id: string;
  /** E.164. */
  phone_number: string;
  verified: boolean;
  created_at: Date;
  added_in: string | null;
  /** As that of a passkey. */
  disputed_in: Generated<string | null>;
  /** As that of an address. */
  user_created_at: Generated<Date | null>;
}

export interface UserTables {
  users: UsersTable;
  emails: EmailsTable;
  phone_numbers: PhoneNumbersTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends UserTables {}
}
