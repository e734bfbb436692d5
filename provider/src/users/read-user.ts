import { wholeName } from '../../../src/domain/rules/accounts.ts';
import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { User } from '../../../src/domain/user.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { rolesOf } from '../../../src/domain/rules/roles.ts';
import type { Db } from '../db/database.ts';
import type { Project } from '../project/project.ts';

/** The user in the wire's format, read in one statement. Every list is present. */
export async function readUser(db: Db, userId: string): Promise<User> {
  const row = await db
    .selectFrom('users')
    .selectAll('users')
    .select((query) => [
      jsonArrayFrom(
        query
          .selectFrom('emails')
          .select(['email_id', 'email', 'verified'])
          .whereRef('emails.user_id', '=', 'users.user_id')
          .orderBy('created_at'),
      ).as('emails'),
      jsonArrayFrom(
        query
          .selectFrom('phone_numbers')
          .select(['phone_id', 'phone_number', 'verified'])
          .whereRef('phone_numbers.user_id', '=', 'users.user_id')
          .orderBy('created_at'),
      ).as('phone_numbers'),
      jsonArrayFrom(
        query.selectFrom('totps').select(['totp_id', 'verified']).whereRef('totps.user_id', '=', 'users.user_id'),
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
          .orderBy('created_at'),
      ).as('providers'),
      jsonArrayFrom(
        query
          .selectFrom('webauthn_registrations')
          .select([
            'webauthn_registration_id',
            'domain',
            'user_agent',
            'authenticator_type',
            'webauthn_registrations.name',
          ])
          .select(sql<true>`true`.as('verified'))
          .whereRef('webauthn_registrations.user_id', '=', 'users.user_id')
          .orderBy('created_at'),
      ).as('webauthn_registrations'),
      jsonArrayFrom(
        query
          .selectFrom('crypto_wallets')
          .select(['crypto_wallet_id', 'crypto_wallet_address', 'crypto_wallet_type'])
          .select(sql<true>`true`.as('verified'))
          .whereRef('crypto_wallets.user_id', '=', 'users.user_id')
          .orderBy('created_at'),
      ).as('crypto_wallets'),
    ])
    .where('users.user_id', '=', userId)
    .executeTakeFirst();
  // The caller presented a session or token of the user, which ended when the user was removed.
  if (row === undefined) throw new Refusal('unauthorized_credentials');
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    roles: [...row.roles],
    name: wholeName(row.name),
    biometric_registrations: [],
  };
}

/** Reads the user with the project's current roles, and stores the roles with the user. */
export async function readUserWithRoles(project: Project, db: Db, userId: string): Promise<User> {
  const user = await readUser(db, userId);
  const roles = rolesOf(project.role_assignments, user);
  if (roles.join('\n') === user.roles.join('\n')) return user;
  await db
    .updateTable('users')
    .set({ roles: JSON.stringify(roles) })
    .where('user_id', '=', user.user_id)
    .execute();
  return { ...user, roles: [...roles] };
}
