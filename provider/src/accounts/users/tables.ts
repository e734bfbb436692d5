import type { Generated } from 'kysely';
import type { UserMfaPolicy } from '#server-rules/mfa-policy.ts';
import type { AcceptedTerms } from '#server-rules/profile.ts';
import type { StoredArrival } from '#server-rules/sign-ups.ts';
import type { UserName } from '#domain/users/user.ts';
import type { GeneratedJsonColumn, JsonColumn } from '#provider/base/db/statements/columns.ts';

export interface UsersTable {
  user_id: string;
  created_at: Date;
  status: 'active' | 'pending';
  name: JsonColumn<UserName>;
  trusted_metadata: JsonColumn<Readonly<Record<string, unknown>>>;
  untrusted_metadata: JsonColumn<Readonly<Record<string, unknown>>>;
  roles: JsonColumn<readonly string[]>;
  /** The id that the app's own server gave the user. It is unique. */
  external_id: Generated<string | null>;
  /** True if the app's own server created the user, or set some of their data. It may do the latter for a stranger, too. */
  managed: Generated<boolean>;
  /** How the row was made; null for a user who had come in before this was stored. A server of an older version leaves it to a trigger. */
  arrival: Generated<StoredArrival | null>;
  /** True for a user who has logged in (`comeIn`). */
  came_in: Generated<boolean>;
  /** True if the app's own server named the roles of the user. */
  roles_named: Generated<boolean>;
  /** True if the app's own server was the last to write the name and metadata. */
  vouched: Generated<boolean>;
  /** The roles that the app's own server gave the user, in addition to those of the project file. */
  given_roles: GeneratedJsonColumn<readonly string[]>;
  /** When an operator locked the user's account; null if it is not locked. */
  locked_at: Generated<Date | null>;
  /** What the user's logins must prove, instead of the project's policy. */
  mfa_policy: Generated<UserMfaPolicy | null>;
  /** When the sweep checks whether the user has verified something; null if it need not check again. */
  proof_due_at: Generated<Date | null>;
  /** The address entered at a sign-up with a passkey, until this user verifies it. Other users may have it, and verify it. */
  unproven_email: Generated<string | null>;
  /** The session that began with this sign-up. */
  unproven_in: Generated<string | null>;
  /** The terms of the project that the user accepted. */
  accepted_terms: GeneratedJsonColumn<AcceptedTerms>;
  /** When all access of the user last ended here, which ends sessions of an old system too; null if it never did. */
  access_ended_at: Generated<Date | null>;
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
   * The session that added it, as in every table of factors. An unverified address has one only if a sign-up with a password added it
   * (`signUpSession`).
   */
  added_in: string | null;
  /** When its user was created, set by a trigger; null for a contact that was verified from the beginning. */
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
  /** As for passkeys (`disputed_in`). */
  disputed_in: Generated<string | null>;
  /** As for addresses (`user_created_at`). */
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
