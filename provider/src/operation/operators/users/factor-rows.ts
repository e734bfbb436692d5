import { sql, type Insertable } from 'kysely';
import { defaultName } from '#server-rules/passkeys.ts';
import type { Db } from '#provider/base/db/database.ts';
import { insertMany } from '#provider/base/db/statements/insert-many.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { seal } from '#provider/base/security/seal.ts';
import {
  factorKeys,
  type FactorKey,
  type ImportedFactors,
  type ImportedPasskey,
} from '#provider/accounts/account/import-factors.ts';
import type { ImportedUser } from '#provider/accounts/account/import-line.ts';
import type { WebauthnRegistrationsTable } from '#provider/accounts/passkeys/tables.ts';
import { newRegistration } from '#provider/accounts/social-accounts/registrations.ts';
import type { OAuthRegistrationsTable } from '#provider/accounts/social-accounts/tables.ts';
import { codeRow, migratedCodeRow } from '#provider/accounts/totps/stored-codes.ts';
import type { RecoveryCodesTable, TotpsTable } from '#provider/accounts/totps/tables.ts';
import type { CryptoWalletsTable } from '#provider/accounts/wallets/tables.ts';
import type { Services } from '#provider/api/services.ts';
import { operatorRow, type AuditActor } from '../desk/audit-actor.ts';

type FactorServices = Pick<Services, 'clock' | 'random' | 'keys' | 'project'>;

/** The user of a line, and when their login methods were added: an imported one is as old as its user. */
export interface LineOwner {
  readonly user_id: string;
  readonly since: Date;
}

/** The rows of the login methods of one line, beside contacts and the password. */
interface FactorRows {
  readonly totps: readonly Insertable<TotpsTable>[];
  readonly recovery_codes: readonly Insertable<RecoveryCodesTable>[];
  readonly webauthn_registrations: readonly Insertable<WebauthnRegistrationsTable>[];
  readonly oauth_registrations: readonly OAuthRegistrationsTable[];
  readonly crypto_wallets: readonly CryptoWalletsTable[];
}

function rowsOf(services: FactorServices, line: ImportedFactors, { user_id, since }: LineOwner): FactorRows {
  const { random } = services;
  const base = { user_id, created_at: since, added_in: null };
  const then = { ...services, clock: { now: () => since.getTime() } };
  return {
    ...appRows(services, line, base),
    webauthn_registrations: line.passkeys.map((passkey) => ({ ...base, ...passkeyColumns(random, passkey, since) })),
    oauth_registrations: line.social_accounts.map(({ provider, subject }) =>
      newRegistration(then, base, { provider, profile: { ...NO_PROFILE, sub: subject } }),
    ),
    crypto_wallets: line.wallets.map(({ type, address }) => ({
      ...base,
      crypto_wallet_id: newId(random, 'crypto-wallet'),
      crypto_wallet_type: type,
      crypto_wallet_address: address,
    })),
  };
}

/** The next login at the provider brings the other claims. */
const NO_PROFILE = {
  email: '',
  email_verified: false,
  name: '',
  given_name: '',
  family_name: '',
  picture: '',
  locale: '',
};

interface BaseColumns {
  readonly user_id: string;
  readonly created_at: Date;
  readonly added_in: null;
}

function appRows(
  services: FactorServices,
  { totp, recovery_codes }: ImportedFactors,
  base: BaseColumns,
): Pick<FactorRows, 'totps' | 'recovery_codes'> {
  if (totp === null) return { totps: [], recovery_codes: [] };
  const { random, keys } = services;
  const totp_id = newId(random, 'totp');
  const { secret, algorithm, digits, period } = totp;
  const row = {
    ...base,
    totp_id,
    secret: seal(random, keys.codeKey, totp_id, secret),
    verified: true,
    last_step: null,
    expires_at: base.created_at,
    algorithm,
    digits,
    period,
    imported_codes: recovery_codes.length > 0,
  };
  const codes = recovery_codes.map((code, place) =>
    typeof code === 'string'
      ? codeRow(services, { totp_id, code, place })
      : migratedCodeRow(services, { totp_id, code, place }),
  );
  return { totps: [row], recovery_codes: codes };
}

function passkeyColumns(random: Services['random'], passkey: ImportedPasskey, since: Date) {
  const { credential_id, public_key, counter, transports, rp_id, user_handle, name, created_at } = passkey;
  const { backed_up, backup_eligible } = passkey;
  return {
    webauthn_registration_id: newId(random, 'webauthn-registration'),
    domain: rp_id,
    credential_id,
    public_key,
    user_handle,
    sign_count: counter,
    backup_eligible,
    backed_up,
    transports: JSON.stringify(transports),
    user_agent: '',
    authenticator_type: transports.includes('internal') ? 'platform' : 'cross-platform',
    name: name ?? defaultName(null, ''),
    created_at: created_at === null ? since : new Date(created_at),
    last_used_at: null,
    aaguid: null,
    attestation_format: null,
    attested: null,
    model: null,
  };
}

/** Writes the login methods of new users, many in few statements, and returns the row of the audit log for each. */
export async function addFactors(
  services: FactorServices,
  tx: Db,
  owners: ReadonlyMap<ImportedUser, LineOwner>,
  by: AuditActor,
): Promise<ReturnType<typeof operatorRow>[]> {
  const each = [...owners].map(([line, owner]) => rowsOf(services, line, owner));
  const all = <Table extends keyof FactorRows>(table: Table) =>
    each.flatMap((rows) => rows[table] as FactorRows[Table][number][]);
  const [totps, passkeys] = [all('totps'), all('webauthn_registrations')];
  const [accounts, wallets] = [all('oauth_registrations'), all('crypto_wallets')];
  await insertMany(tx, 'totps', totps);
  await insertMany(tx, 'recovery_codes', all('recovery_codes'));
  await insertMany(tx, 'webauthn_registrations', passkeys, ['transports']);
  await insertMany(tx, 'oauth_registrations', accounts);
  await insertMany(tx, 'crypto_wallets', wallets);
  const added = [
    ...totps.map(({ user_id, totp_id }) => ({ user_id, method: 'totp', id: totp_id })),
    ...totps.flatMap(({ user_id, totp_id, imported_codes }) =>
      imported_codes === true ? [{ user_id, method: 'recovery_codes', id: totp_id }] : [],
    ),
    ...passkeys.map(({ user_id, webauthn_registration_id: id }) => ({ user_id, method: 'webauthn', id })),
    ...accounts.map(({ user_id, oauth_user_registration_id: id }) => ({ user_id, method: 'oauth', id })),
    ...wallets.map(({ user_id, crypto_wallet_id: id }) => ({ user_id, method: 'crypto', id })),
  ];
  return added.map(({ user_id, method, id }) => ({
    ...operatorRow(services, by, { event: 'factor_added', user_id, details: { id, imported: true } }),
    method,
  }));
}

/** The users who have one of these credentials, by kind and key. */
async function holders(tx: Db, keys: readonly FactorKey[]): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  // One string instead of an array, because the driver takes four times as long for the items of an array.
  const anyOf = (kind: FactorKey['kind']) => {
    const values = keys.flatMap((each) => (each.kind === kind ? [each.key] : []));
    return sql`any(array(select json_array_elements_text(${JSON.stringify(values)}::json)))`;
  };
  // The limit makes the database look up each pair by the index of both columns, instead of reading the table.
  const pairs = (kind: FactorKey['kind']) => {
    const values = keys.flatMap((each) => {
      const [first = '', ...rest] = each.key.split(' ');
      return each.kind === kind ? [{ name: first, value: rest.join(' ') }] : [];
    });
    return sql`json_to_recordset(${JSON.stringify(values)}::json) as pair (name text, value text)`;
  };
  const { rows } = await sql<{ kind: string; key: string; user_id: string }>`
    select 'passkey' as kind, credential_id as key, user_id from webauthn_registrations where credential_id = ${anyOf('passkey')}
    union all select 'social', provider_type || ' ' || provider_subject, user_id from ${pairs('social')}
      cross join lateral (select * from oauth_registrations where provider_type = name and provider_subject = value limit 1) as found
    union all select 'wallet', crypto_wallet_type || ' ' || crypto_wallet_address, user_id from ${pairs('wallet')}
      cross join lateral (select * from crypto_wallets where crypto_wallet_type = name and crypto_wallet_address = value limit 1) as found
  `.execute(tx);
  return new Map(rows.map(({ kind, key, user_id }) => [`${kind} ${key}`, user_id]));
}

/** A credential of a line that a user here has. */
export interface HeldFactor {
  readonly field: string;
  readonly user_id: string;
}

/** The first credential of each line that a user here has; lines without one are missing. */
export async function heldFactors(
  tx: Db,
  lines: readonly ImportedUser[],
): Promise<ReadonlyMap<ImportedUser, HeldFactor>> {
  const keys = lines.map((line) => factorKeys(line));
  const users = await holders(tx, keys.flat());
  const conflicts = new Map<ImportedUser, HeldFactor>();
  if (users.size === 0) return conflicts;
  for (const [place, line] of lines.entries()) {
    const found = keys[place]?.find(({ kind, key }) => users.has(`${kind} ${key}`));
    if (found === undefined) continue;
    conflicts.set(line, { field: found.field, user_id: users.get(`${found.kind} ${found.key}`) ?? '' });
  }
  return conflicts;
}
