import { UsageError } from '#provider/base/usage-error.ts';
import { nameOfParts } from '../person/name.ts';
import { vendorUser, withoutEmpty } from '../person/person.ts';
import { socialAccount } from '../person/social.ts';
import {
  placedRow,
  recordsOf,
  tablesOf,
  usersOf,
  type Table,
  type TableFile,
  type UserOfRecord,
} from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import type { CsvForm, Loss, Vendor, VendorFile, VendorUser, WrongRecord } from '../vendor.ts';

type TableName = 'hashes' | 'users';

/** The user of the API, as the export utility writes it: in a CSV each object and list is a cell of JSON. */
const TABLES: readonly Table<TableName>[] = [
  // The support sends them.
  { name: 'hashes', columns: [['hash', 'hashmethod', 'scryptcostparameter']] },
  { name: 'users', columns: [['userid', 'emails']], hasUsers: true },
];

const HASH_COLUMNS = ['id', 'hash', 'salt', 'hash_method', 'project_id'];

/** The rows above the hashes, and the fields of the configuration. The key length has this spelling there. */
const PARAMETERS = {
  n_parameter: ['scryptCostParameter'],
  r_parameter: ['scryptRParameter'],
  p_parameter: ['scryptPParameter'],
  key_length: ['scryptKeyLengthParamenter', 'scryptKeyLengthParameter'],
} as const;

/** A user id of Stytch has the form of ours. */
const isUserId = (id: string): boolean => /^user-(?:test|live)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

const CSV: CsvForm = {
  isHeader: (row) => row.includes('user_id') || (row[0] === 'id' && row.includes('hash')),
  columnsOf: (row) => (isUserId(row[0] ?? '') && row.length >= 4 ? HASH_COLUMNS.slice(0, row.length) : null),
};

/** A whole number, as `32768` or as `1 << 15`. */
function wholeNumber(text: string | null): number | null {
  if (text === null) return null;
  const [, base, shift = '0'] = /^(\d{1,6})(?:<<(\d{1,2}))?$/u.exec(text.replaceAll(' ', '')) ?? [];
  if (base !== undefined) return Number(base) * 2 ** Number(shift);
  throw new UsageError('The parameters of scrypt above the hashes must be numbers, such as 32768 or 1 << 15.');
}

function costsOf(parameters: Values): Values {
  const row = new Row(parameters);
  return withoutEmpty(Object.fromEntries(Object.entries(PARAMETERS).map(([name, names]) => [name, wholeNumber(row.text(...names))]))); // prettier-ignore
}

function passwordOf(row: Row, costs: Values): Values {
  const method = row.text('hash_method')?.toLowerCase().replaceAll('-', '_') ?? 'scrypt';
  const [hash, salt] = [row.text('hash'), row.text('salt')];
  // A text that names its own parameters is read as such, whatever its method.
  const isBare = hash !== null && !hash.startsWith('$');
  if (method === 'scrypt' && isBare) {
    return {
      hash,
      salt,
      hash_type: 'scrypt_stytch',
      ...(Object.keys(costs).length > 0 ? { scrypt_config: costs } : {}),
    };
  }
  // Stytch puts the salt of a bare digest before the password, unless it was imported otherwise.
  if (!isBare || !/^(?:md_?5|sha_?1|sha_?256|sha_?512)$/u.test(method)) return { hash };
  const hash_type = method.replace(/^(md|sha)_?/u, '$1_');
  return { hash, hash_type, ...(salt === null ? {} : { [`${hash_type}_config`]: { prepend_salt: salt } }) };
}

interface Hashes {
  readonly byUser: ReadonlyMap<string, Values>;
  readonly isMissing: boolean;
}

/** The hashes with the parameters that stand above them. */
async function hashesOf(tables: readonly TableFile<TableName>[]): Promise<Hashes> {
  const byUser = new Map<string, Values>();
  const parameters: Record<string, unknown> = {};
  for await (const record of recordsOf(tables, 'hashes')) {
    const row = placedRow(record);
    const id = row.text('id', 'user_id');
    if (id === null) Object.assign(parameters, record.values);
    else byUser.set(id, passwordOf(row, costsOf(parameters)));
  }
  return { byUser, isMissing: !tables.some(({ table }) => table === 'hashes') };
}

const isVerified = (row: Row): boolean => row.flag('verified') !== false;

/** Factors whose secrets or keys no export has. */
function lossesOf(row: Row): readonly Loss[] {
  const has = (name: string): boolean => row.rows(name).some(isVerified);
  const losses: (Loss | false)[] = [
    has('totps') && { what: 'app', reason: 'the export has only its id' },
    has('totps') && { what: 'recovery codes', reason: 'the export has none' },
    has('webauthn_registrations') && { what: 'passkey', reason: 'the export has no public key' },
    has('biometric_registrations') && { what: 'passkey', reason: 'the export has no key of a phone’s biometrics' },
  ];
  return losses.filter((loss) => loss !== false);
}

const MISSING_FILE: Loss = {
  what: 'password',
  reason: 'Stytch’s support sends the hashes in a file of their own: give it with --also',
};
const MISSING_HASH: Loss = { what: 'password', reason: 'the file of hashes has none of this user' };

function passwordFor(row: Row, id: string, { byUser, isMissing }: Hashes): Values | Loss | null {
  const stored = row.within('password');
  const password = byUser.get(id);
  if (password !== undefined)
    return { ...password, ...(stored.flag('requires_reset') === true ? { requires_reset: true } : {}) };
  if (stored.text('password_id') === null) return null;
  return isMissing ? MISSING_FILE : MISSING_HASH;
}

function userOf(row: Row, hashes: Hashes): UserOfRecord {
  const id = row.text('user_id');
  if (id === null) throw new FieldFault('user_id is missing');
  const external = row.text('external_id');
  const name = row.within('name');
  const verified = (each: Row): boolean => each.flag('verified') ?? false;
  return vendorUser({
    id: external ?? (isUserId(id) ? null : id),
    user_id: isUserId(id) ? id : null,
    created_at: row.time('created_at'),
    status: row.text('status') === 'pending' ? 'pending' : null,
    name: nameOfParts(name.text('first_name'), name.text('last_name'), name.text('middle_name')),
    emails: row.rows('emails').map((each) => ({ email: each.text('email') ?? '', verified: verified(each) })),
    phone_numbers: row.rows('phone_numbers').map((each) => {
      return { phone_number: each.text('phone_number') ?? '', verified: verified(each) };
    }),
    trusted_metadata: row.object('trusted_metadata'),
    untrusted_metadata: row.object('untrusted_metadata'),
    roles: row.texts('roles').filter((role) => role !== 'stytch_user'),
    locked: row.flag('is_locked'),
    password: passwordFor(row, id, hashes),
    social_accounts: row.rows('providers').map((each) =>
      orLoss('social account', () => {
        return socialAccount({ provider: each.requiredText('provider_type'), subject: each.text('provider_subject') });
      }),
    ),
    wallets: row.rows('crypto_wallets').filter(isVerified).map((each) => {
      return { type: each.text('crypto_wallet_type') ?? '', address: each.text('crypto_wallet_address') ?? '' };
    }), // prettier-ignore
    losses: lossesOf(row),
  });
}

async function* users(files: readonly VendorFile[]): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Stytch', TABLES, files);
  const hashes = await hashesOf(tables);
  yield* usersOf(tables, 'users', (row) => userOf(row, hashes));
}

/** Users of Stytch's export utility, and the hashes that its support sends. */
export const stytch: Vendor = { users, csv: CSV };
