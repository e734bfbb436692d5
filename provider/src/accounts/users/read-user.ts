import { wholeName } from '#server-rules/accounts.ts';
import { sql, type QueryCreator } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { AcceptedTerms } from '#server-rules/profile.ts';
import type { UserMfaPolicy } from '#server-rules/mfa-policy.ts';
import { OTP_LENGTH } from '#domain/passcodes/otp.ts';
import type { User } from '#domain/users/user.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { rolesOf } from '#server-rules/roles.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import { REGISTRATION_COLUMNS, registrationFrom } from './passkey-columns.ts';
import type { Project } from '#provider/project/settings/project.ts';

/** The user with the fields that only the app's own server may see, or has set. */
export interface WholeUser {
  readonly user: User;
  readonly external_id: string | null;
  readonly given_roles: readonly string[];
  readonly locked: boolean;
  readonly mfa_policy: UserMfaPolicy | null;
  readonly accepted_terms: AcceptedTerms;
}

/** The user in the wire's format, without roles. Every list is present. */
export async function readUser(db: Db, userId: string): Promise<User> {
  return (await requireUser(db, userId)).user;
}

/** Refuses if the user was removed: the caller's session or token ended with the user. */
async function requireUser(db: Db, userId: string): Promise<WholeUser> {
  const found = await readWholeUser(db, userId);
  if (found === undefined) throw new Refusal('unauthorized_credentials');
  return found;
}

/** The user, read in one statement. Undefined if there is none. */
export async function readWholeUser(db: QueryCreator<Database>, userId: string): Promise<WholeUser | undefined> {
  const row = await selectUsers(db).where('users.user_id', '=', userId).executeTakeFirst();
  return row && wholeFrom(row);
}

/** The columns are listed, so that clients do not see new columns of a later version whose migration has already run. */
const COLUMNS = [
  'users.user_id',
  'users.created_at',
  'users.status',
  'users.name',
  'users.trusted_metadata',
  'users.untrusted_metadata',
  'users.external_id',
  'users.given_roles',
  'users.locked_at',
  'users.managed',
  'users.vouched',
  'users.arrival',
  'users.came_in',
  'users.mfa_policy',
  'users.unproven_email',
  'users.accepted_terms',
] as const;

/** All users with their belongings, oldest first. Those of one instant (an import) have a stable order. */
export function selectUsers(db: QueryCreator<Database>) {
  return db
    .selectFrom('users')
    .select(COLUMNS)
    .select((query) => [
      jsonArrayFrom(
        query
          .selectFrom('emails')
          .select(['email_id', 'email', 'verified'])
          .whereRef('emails.user_id', '=', 'users.user_id')
          .orderBy('created_at')
          .orderBy('email_id'),
      ).as('emails'),
      jsonArrayFrom(
        query
          .selectFrom('phone_numbers')
          .select(['phone_id', 'phone_number', 'verified'])
          .whereRef('phone_numbers.user_id', '=', 'users.user_id')
          .orderBy('created_at')
          .orderBy('phone_id'),
      ).as('phone_numbers'),
      jsonArrayFrom(
        query
          .selectFrom('totps')
          .select(['totp_id', 'verified', 'digits'])
          .whereRef('totps.user_id', '=', 'users.user_id'),
      ).as('totps'),
      jsonObjectFrom(
        query
          .selectFrom('passwords')
          .select(['password_id', 'requires_reset'])
          .whereRef('passwords.user_id', '=', 'users.user_id'),
      ).as('password'),
      jsonArrayFrom(
        query
          .selectFrom('oauth_registrations')
          .select(['oauth_user_registration_id', 'provider_type', 'provider_subject', 'profile_picture_url', 'locale'])
          .whereRef('oauth_registrations.user_id', '=', 'users.user_id')
          .orderBy('created_at')
          .orderBy('oauth_user_registration_id'),
      ).as('providers'),
      jsonArrayFrom(
        query
          .selectFrom('webauthn_registrations')
          .select(REGISTRATION_COLUMNS)
          .whereRef('webauthn_registrations.user_id', '=', 'users.user_id')
          .orderBy('created_at')
          .orderBy('webauthn_registration_id'),
      ).as('webauthn_registrations'),
      jsonArrayFrom(
        query
          .selectFrom('crypto_wallets')
          .select(['crypto_wallet_id', 'crypto_wallet_address', 'crypto_wallet_type'])
          .select(sql<true>`true`.as('verified'))
          .whereRef('crypto_wallets.user_id', '=', 'users.user_id')
          .orderBy('created_at')
          .orderBy('crypto_wallet_id'),
      ).as('crypto_wallets'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>;

export function wholeFrom(row: Row): WholeUser {
  const { external_id, given_roles, locked_at, mfa_policy, accepted_terms, ...columns } = row;
  const {
    unproven_email,
    managed: _managed,
    vouched: _vouched,
    arrival: _arrival,
    came_in: _cameIn,
    ...fields
  } = columns;
  const user = {
    ...fields,
    created_at: fields.created_at.toISOString(),
    roles: [],
    name: wholeName(fields.name),
    totps: fields.totps.map(({ digits, ...totp }) => (digits === OTP_LENGTH ? totp : { ...totp, digits })),
    webauthn_registrations: fields.webauthn_registrations.map(registrationFrom),
    biometric_registrations: [],
    ...(unproven_email === null ? {} : { unproven_email }),
  };
  return { user, external_id, given_roles, locked: locked_at !== null, mfa_policy, accepted_terms };
}

/** Reads the user with the project's current roles. */
export async function readUserWithRoles(project: Project, db: Db, userId: string): Promise<User> {
  return withRoles(project, await requireUser(db, userId));
}

/**
 * The user with their current roles: those of the project file, and those that the app's own server gave and the policy contains. They are
 * not stored, because two project files are in use while servers are replaced.
 */
export function withRoles(project: Project, { user, given_roles }: WholeUser): User {
  const roleIds = new Set(project.rbac_policy.roles.map(({ role_id }) => role_id));
  const serverRoles = given_roles.filter((role) => roleIds.has(role));
  return { ...user, roles: [...new Set([...rolesOf(project.role_assignments, user), ...serverRoles])] };
}
