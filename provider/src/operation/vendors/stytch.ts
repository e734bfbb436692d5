import { emailsFrom, idFields, isSet, metadataFrom, nameFrom, numbersFrom, recordFrom, recordsFrom, textFrom, textsFrom, timeFrom, valuesOf, withoutEmpty, type Fields } from './values.ts'; // prettier-ignore
import { socialFrom } from './social.ts';
import { filesByTable, hasField } from './tables.ts';
import type { CsvForm, Loss, Vendor, VendorFile, VendorUser } from './vendor.ts';

/** The user of the API, as the export utility writes it: in a CSV each object and list is a cell of JSON. */
const USER = {
  id: ['user_id'],
  external: ['external_id'],
  status: ['status'],
  created: ['created_at'],
  name: ['name'],
  emails: ['emails'],
  phones: ['phone_numbers'],
  trusted: ['trusted_metadata'],
  untrusted: ['untrusted_metadata'],
  providers: ['providers'],
  passkeys: ['webauthn_registrations'],
  biometrics: ['biometric_registrations'],
  totps: ['totps'],
  wallets: ['crypto_wallets'],
  password: ['password'],
  roles: ['roles'],
  locked: ['is_locked'],
} as const;

/** The file of hashes, which the support sends. */
const HASH = { id: ['id', 'user_id'], hash: ['hash'], salt: ['salt'], method: ['hash_method'] } as const;
const HASH_COLUMNS = ['id', 'hash', 'salt', 'hash_method', 'project_id'];

/** The rows above the hashes, and the fields of the configuration. The key length has this spelling there. */
const PARAMETERS = {
  n_parameter: ['scryptCostParameter'],
  r_parameter: ['scryptRParameter'],
  p_parameter: ['scryptPParameter'],
  key_length: ['scryptKeyLengthParamenter', 'scryptKeyLengthParameter'],
} as const;

const isUserId = (text: string | undefined): boolean => /^user-(?:test|live)-[0-9a-f]{8}-/u.test(text ?? '');

const CSV: CsvForm = {
  isHeader: (row) => row.includes('user_id') || (row[0] === 'id' && row.includes('hash')),
  columnsOf: (row) => (isUserId(row[0]) && row.length >= 4 ? HASH_COLUMNS.slice(0, row.length) : null),
};

/** A whole number, as `32768` or as `1 << 15`. */
function wholeNumber(value: unknown): number | undefined {
  const text = (textFrom(value) ?? '').replaceAll(' ', '');
  const [, base, shift = '0'] = /^(\d{1,6})(?:<<(\d{1,2}))?$/u.exec(text) ?? [];
  return base === undefined ? undefined : Number(base) * 2 ** Number(shift);
}

function passwordOf(hash: Fields, costs: Fields, requiresReset: boolean): Fields {
  const values = valuesOf(HASH, hash);
  const method = textFrom(values.method)?.toLowerCase().replaceAll('-', '_') ?? 'scrypt';
  const text = textFrom(values.hash);
  const salt = textFrom(values.salt);
  // A text that names its own parameters is read as such, whatever its method.
  const isBare = text !== null && !text.startsWith('$');
  const reset = requiresReset ? { requires_reset: true } : {};
  if (method === 'scrypt' && isBare) {
    return { hash: text, salt, hash_type: 'scrypt_stytch', ...withoutEmpty({ scrypt_config: costs }), ...reset };
  }
  // Stytch puts the salt of a bare digest before the password, unless it was imported otherwise.
  const digest = /^(?:md_?5|sha_?1|sha_?256|sha_?512)$/u.test(method) && isBare;
  const type = digest ? { hash_type: method.replace(/^(md|sha)_?/u, '$1_') } : {};
  const config = digest && salt !== null ? { [`${method.replace(/^(md|sha)_?/u, '$1_')}_config`]: { prepend_salt: salt } } : {}; // prettier-ignore
  return { hash: text, ...type, ...config, ...reset };
}

interface Hashes {
  readonly byUser: ReadonlyMap<string, Fields>;
  readonly isMissing: boolean;
}

/** The hashes with the parameters that stand above them. */
async function hashesOf(files: readonly VendorFile[]): Promise<Hashes> {
  const byUser = new Map<string, Fields>();
  for (const file of files) {
    const rows: Record<string, unknown> = {};
    for await (const { values } of file.records()) {
      const id = textFrom(valuesOf(HASH, values).id);
      if (id === null) Object.assign(rows, values);
      else byUser.set(id, { ...values, costs: costsOf(rows) });
    }
  }
  return { byUser, isMissing: files.length === 0 };
}

function costsOf(rows: Fields): Fields {
  const values = Object.entries(valuesOf(PARAMETERS, rows)).map(([name, value]) => [name, wholeNumber(value)] as const);
  return withoutEmpty(Object.fromEntries(values));
}

const isVerified = (fields: Fields): boolean => fields['verified'] !== false;

/** Factors whose secrets or keys no export has. */
function lossesOf(values: ReturnType<typeof valuesOf<typeof USER>>): readonly Loss[] {
  const count = (value: unknown): number => recordsFrom(value).filter(isVerified).length;
  const losses: Loss[] = [];
  if (count(values.totps) > 0) {
    losses.push({ what: 'app', reason: 'the export has only its id' });
    losses.push({ what: 'recovery codes', reason: 'the export has none' });
  }
  if (count(values.passkeys) > 0) losses.push({ what: 'passkey', reason: 'the export has no public key' });
  if (count(values.biometrics) > 0) {
    losses.push({ what: 'passkey', reason: 'the export has no key of a phone’s biometrics' });
  }
  return losses;
}

function userFrom(fields: Fields, { byUser, isMissing }: Hashes): Omit<VendorUser, 'number'> | string {
  const values = valuesOf(USER, fields);
  const id = textFrom(values.id);
  if (id === null) return 'user_id is missing';
  const losses: Loss[] = [...lossesOf(values)];
  const social = socialFrom(
    recordsFrom(values.providers).map((each) => ({
      provider: textFrom(each['provider_type']),
      subject: textFrom(each['provider_subject']),
      email: null,
    })),
  );
  const trusted = metadataFrom(values.trusted, 'trusted_metadata');
  const untrusted = metadataFrom(values.untrusted, 'untrusted_metadata');
  const name = recordFrom(values.name);
  const password = recordFrom(values.password);
  const hash = byUser.get(id);
  const hasPassword = textFrom(password['password_id']) !== null;
  if (hasPassword && hash === undefined) losses.push({ what: 'password', reason: missingHash(isMissing) });
  const emails = recordsFrom(values.emails).map((each) => contactOf(each, 'email'));
  const phones = recordsFrom(values.phones).map((each) => contactOf(each, 'phone_number'));
  const line = withoutEmpty({
    ...idFields(id),
    ...(textFrom(values.external) === null ? {} : { external_id: textFrom(values.external) }),
    created_at: timeFrom(values.created),
    status: textFrom(values.status) === 'pending' ? 'pending' : null,
    name: nameFrom({ first: name['first_name'], middle: name['middle_name'], last: name['last_name'], display: null }),
    emails: emailsFrom(emails.filter(isContact)),
    phone_numbers: numbersFrom(phones.filter(isContact)),
    trusted_metadata: trusted.value,
    untrusted_metadata: untrusted.value,
    roles: textsFrom(values.roles).filter((role) => role !== 'stytch_user'),
    locked: isSet(values.locked) ? true : null,
    password: hash === undefined ? null : passwordOf(hash, recordFrom(hash['costs']), isSet(password['requires_reset'])), // prettier-ignore
    social_accounts: social.accounts,
    wallets: recordsFrom(values.wallets).filter(isVerified).map(walletOf),
  });
  return { line, losses: [...losses, ...social.losses, ...trusted.losses, ...untrusted.losses] };
}

const missingHash = (isMissing: boolean): string =>
  isMissing
    ? 'Stytch’s support sends the hashes in a file of their own: give it with --also'
    : 'the file of hashes has none of this user';

interface Contact {
  readonly value: string;
  readonly verified: boolean;
}

const isContact = (contact: Contact | null): contact is Contact => contact !== null;

function contactOf(fields: Fields, name: string): Contact | null {
  const value = textFrom(fields[name]);
  return value === null ? null : { value, verified: isSet(fields['verified']) };
}

function walletOf(fields: Fields): Fields {
  return { type: textFrom(fields['crypto_wallet_type']), address: textFrom(fields['crypto_wallet_address']) };
}

export const STYTCH: Vendor = {
  csv: CSV,
  async *users(files) {
    const tables = await filesByTable(files, {
      hashes: hasField('hash', 'hash_method', ...PARAMETERS.n_parameter),
      users: hasField('user_id', 'emails'),
    });
    const hashes = await hashesOf(tables.hashes);
    for (const { path, records } of tables.users) {
      for await (const { number, values } of records()) {
        const user = userFrom(values, hashes);
        yield typeof user === 'string' ? { number, path, wrong: user } : { number, path, ...user };
      }
    }
  },
};
