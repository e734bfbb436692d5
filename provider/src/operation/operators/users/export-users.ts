import { describedHash } from '#provider/accounts/passwords/exported/described.ts';
import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { isElsewhere, migratedIn } from '#provider/accounts/passwords/stored.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Services } from '#provider/api/services.ts';
import type { BELONGINGS } from '#provider/accounts/users/belongings.ts';
import { selectUsers } from '#provider/accounts/users/read-user.ts';
import { factorLines } from './export-factors.ts';
import { listUsers, personFrom } from './list-users.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';
import { meantUser } from '../desk/meant-user.ts';

/**
 * The belongings in an export of one person: columns without secrets or hashes of secrets. A table that is
 * missing here does not compile.
 */
const EXPORTED: { readonly [Table in keyof typeof BELONGINGS]: readonly string[] } = {
  emails: ['email_id', 'email', 'verified', 'created_at'],
  phone_numbers: ['phone_id', 'phone_number', 'verified', 'created_at'],
  passwords: ['password_id', 'requires_reset', 'created_at'],
  totps: ['totp_id', 'verified', 'created_at'],
  webauthn_registrations: [
    'webauthn_registration_id',
    'domain',
    'credential_id',
    'public_key',
    'user_agent',
    'authenticator_type',
    'name',
    'created_at',
    'last_used_at',
    'backed_up',
    'aaguid',
    'attestation_format',
    'attested',
    'model',
  ],
  crypto_wallets: ['crypto_wallet_id', 'crypto_wallet_type', 'crypto_wallet_address', 'created_at'],
  oauth_registrations: [
    'oauth_user_registration_id',
    'provider_type',
    'provider_subject',
    'profile_picture_url',
    'locale',
    'created_at',
  ],
  sessions: [
    'session_id',
    'started_at',
    'last_accessed_at',
    'expires_at',
    'attributes',
    'authentication_factors',
    'custom_claims',
  ],
  intermediate_sessions: ['created_at', 'expires_at'],
  trusted_devices: ['device_id', 'user_agent', 'ip_address', 'created_at', 'last_used_at', 'expires_at'],
  oauth_grants: ['grant_id', 'client_id', 'scopes', 'created_at', 'updated_at'],
  known_networks: ['last_login_at', 'second_factor_at'],
  magic_links: ['purpose', 'address', 'expires_at'],
  passcodes: ['channel', 'address', 'created_at', 'expires_at'],
  impersonation_tokens: ['impersonator_id', 'impersonator_email_address', 'expires_at'],
  webauthn_challenges: ['ceremony', 'domain', 'user_agent', 'expires_at'],
  wallet_challenges: ['crypto_wallet_type', 'crypto_wallet_address', 'created_at', 'expires_at'],
  oauth_attach_tokens: ['provider_type', 'expires_at'],
  oauth_flows: ['provider_type', 'login_redirect_url', 'signup_redirect_url', 'expires_at'],
  oauth_tokens: ['attaches', 'expires_at'],
  outbox: ['id', 'channel', 'kind', 'recipient', 'state', 'at', 'sent_at'],
};

type ExportServices = Pick<Services, 'db' | 'clock' | 'keys'>;

/** The lines that an import takes, of users whom `selectUsers` found. */
async function linesOf(
  { db, keys }: ExportServices,
  found: Awaited<ReturnType<typeof listUsers>>['users'],
  withHashes: boolean,
) {
  const ids = found.map(({ user }) => user.user_id);
  const passwords =
    withHashes && ids.length > 0
      ? await db.selectFrom('passwords').selectAll().where('user_id', 'in', ids).execute()
      : [];
  const factors = await factorLines(db, ids);
  return found.map(({ user, external_id, given_roles, accepted_terms, locked, managed, vouched, arrival, came_in }) => {
    const password = passwords.find(({ user_id }) => user_id === user.user_id);
    return {
      user_id: user.user_id,
      ...(external_id === null ? {} : { external_id }),
      created_at: user.created_at,
      status: user.status,
      name: user.name,
      emails: user.emails.map(({ email, verified }) => ({ email, verified })),
      phone_numbers: user.phone_numbers.map(({ phone_number, verified }) => ({ phone_number, verified })),
      trusted_metadata: user.trusted_metadata,
      untrusted_metadata: user.untrusted_metadata,
      roles: given_roles,
      locked,
      ...(managed ? {} : { managed }),
      ...(managed && arrival === 'alone' && !came_in ? { arrival } : {}),
      ...(vouched ? {} : { vouched }),
      ...(Object.keys(accepted_terms).length === 0 ? {} : { accepted_terms }),
      ...factors(user),
      ...(password === undefined
        ? {}
        : {
            password: isElsewhere(password)
              ? { elsewhere: true }
              : {
                  ...describedHash(migratedIn({ keys }, password) ?? { type: 'argon2', encoded: password.hash }),
                  requires_reset: password.requires_reset,
                },
          }),
    };
  });
}

/** Everything that is stored of one person, for them to have. */
export async function exportPerson(services: ExportServices, text: string, withHashes: boolean, by: AuditActor) {
  const user_id = await meantUser(services.db, text);
  return transaction(services.db, async (tx) => {
    const row = await selectUsers(tx).where('users.user_id', '=', user_id).executeTakeFirstOrThrow();
    const [line] = await linesOf({ ...services, db: tx }, [personFrom(row)], withHashes);
    const belongings: Record<string, readonly unknown[]> = {};
    for (const [table, columns] of Object.entries(EXPORTED))
      belongings[table] = await rowsOf(tx, table, columns, user_id);
    const log = await tx.selectFrom('audit_log').selectAll().where('user_id', '=', user_id).orderBy('seq').execute();
    const audit_log = log.map(({ network: _network, ...entry }) => entry);
    await auditOperator(services, tx, by, { event: 'user_exported', user_id, details: { with_hashes: withHashes } });
    return { ...line, belongings, audit_log };
  });
}

async function rowsOf(tx: Db, table: string, columns: readonly string[], userId: string): Promise<readonly unknown[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql`select ${list} from ${sql.table(table)} where user_id = ${userId}`.execute(tx);
  return rows;
}

/** A page of all users, as lines of an import. */
export async function exportPage(
  services: ExportServices,
  {
    after,
    limit,
    withHashes,
  }: { readonly after?: string | undefined; readonly limit: number; readonly withHashes: boolean },
  by: AuditActor,
) {
  const { users, next } = await listUsers(services.db, { after, limit });
  if (after === undefined) {
    await auditOperator(services, services.db, by, { event: 'users_exported', details: { with_hashes: withHashes } });
  }
  return { lines: await linesOf(services, users, withHashes), next };
}
