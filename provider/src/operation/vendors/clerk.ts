import { emailsFrom, isSet, metadataFrom, nameFrom, numbersFrom, recordFrom, recordsFrom, textFrom, textsFrom, timeFrom, valuesOf, withoutEmpty, type Fields } from './values.ts'; // prettier-ignore
import { socialFrom } from './social.ts';
import { filesByTable, hasField, recordsByKey } from './tables.ts';
import type { Loss, Vendor, VendorUser } from './vendor.ts';

/** The CSV of the dashboard, and the users of the Backend API in its own names or in those of the SDK. */
const USER = {
  id: ['id'],
  external: ['external_id', 'externalId'],
  username: ['username'],
  first: ['first_name', 'firstName'],
  last: ['last_name', 'lastName'],
  created: ['created_at', 'createdAt'],
  /** Of the CSV alone. */
  email: ['primary_email_address'],
  verifiedEmails: ['verified_email_addresses'],
  unverifiedEmails: ['unverified_email_addresses'],
  phone: ['primary_phone_number'],
  verifiedPhones: ['verified_phone_numbers'],
  unverifiedPhones: ['unverified_phone_numbers'],
  totpSecret: ['totp_secret'],
  digest: ['password_digest'],
  hasher: ['password_hasher'],
  /** Of the API alone. */
  emails: ['email_addresses', 'emailAddresses'],
  primaryEmail: ['primary_email_address_id', 'primaryEmailAddressId'],
  phones: ['phone_numbers', 'phoneNumbers'],
  accounts: ['external_accounts', 'externalAccounts'],
  enterprise: ['enterprise_accounts', 'enterpriseAccounts', 'saml_accounts', 'samlAccounts'],
  wallets: ['web3_wallets', 'web3Wallets'],
  passkeys: ['passkeys'],
  passwordEnabled: ['password_enabled', 'passwordEnabled'],
  totpEnabled: ['totp_enabled', 'totpEnabled'],
  backupCodes: ['backup_code_enabled', 'backupCodeEnabled'],
  banned: ['banned'],
  locked: ['locked'],
  lockoutSeconds: ['lockout_expires_in_seconds', 'lockoutExpiresInSeconds'],
  public: ['public_metadata', 'publicMetadata'],
  private: ['private_metadata', 'privateMetadata'],
  unsafe: ['unsafe_metadata', 'unsafeMetadata'],
} as const;

type UserValues = ReturnType<typeof valuesOf<typeof USER>>;

const first = (fields: Fields, ...names: readonly string[]): string | null =>
  names.map((name) => textFrom(fields[name])).find((text) => text !== null) ?? null;

const isVerified = (fields: Fields): boolean => recordFrom(fields['verification'])['status'] === 'verified';

/** Hashers of which no hash can be compared. */
const LOST_HASHERS: Readonly<Record<string, string>> = {
  awscognito: 'it is a reference to Cognito, which exports no hash',
  md5_phpass: 'the form of md5_phpass is not published',
};

interface Part {
  readonly fields: Fields;
  readonly losses: readonly Loss[];
}

const NOTHING: Part = { fields: {}, losses: [] };
const lost = (what: Loss['what'], reason: string): Part => ({ fields: {}, losses: [{ what, reason }] });

/** What the files of this import are. */
interface Sources {
  readonly hasCsv: boolean;
  readonly hasApi: boolean;
}

function passwordPart(values: UserValues, { hasCsv }: Sources): Part {
  const digest = textFrom(values.digest);
  const hasher = textFrom(values.hasher);
  const reason = hasher === null ? undefined : LOST_HASHERS[hasher];
  if (reason !== undefined) return lost('password', reason);
  if (digest !== null) return { fields: { password: withoutEmpty({ hash: digest, hash_type: hasher }) }, losses: [] };
  if (!isSet(values.passwordEnabled)) return NOTHING;
  return lost('password', hasCsv ? 'the CSV has no digest of it' : 'only the CSV of the dashboard has digests: give it with --also'); // prettier-ignore
}

function appPart(values: UserValues, { hasCsv }: Sources): Part {
  const secret = textFrom(values.totpSecret);
  if (secret !== null) {
    return { fields: { totp: { secret, algorithm: 'SHA1', digits: 6, period: 30 } }, losses: [] };
  }
  if (!isSet(values.totpEnabled)) return NOTHING;
  return lost('app', hasCsv ? 'the CSV has no secret of it' : 'only the CSV of the dashboard has secrets: give it with --also'); // prettier-ignore
}

function contactsPart(values: UserValues): Part {
  const cells = (cell: unknown, verified: boolean) => textsFrom(typeof cell === 'string' ? cell : '').map((value) => ({ value, verified })); // prettier-ignore
  const listed = (list: unknown, ...names: readonly string[]) =>
    recordsFrom(list).flatMap((each) => {
      const value = first(each, ...names);
      return value === null ? [] : [{ id: each['id'], value, verified: isVerified(each) }];
    });
  const emails = listed(values.emails, 'email_address', 'emailAddress');
  const primary = emails.filter(({ id }) => id !== undefined && id === values.primaryEmail);
  const verified = [...cells(values.verifiedEmails, true), ...emails];
  const verifiedPhones = [...cells(values.verifiedPhones, true), ...listed(values.phones, 'phone_number', 'phoneNumber')]; // prettier-ignore
  return {
    fields: {
      emails: emailsFrom([...cells(values.email, false), ...primary, ...verified, ...cells(values.unverifiedEmails, false)]), // prettier-ignore
      phone_numbers: numbersFrom([...cells(values.phone, false), ...verifiedPhones, ...cells(values.unverifiedPhones, false)]), // prettier-ignore
    },
    losses: [],
  };
}

/** Social accounts, wallets and what has no form in an export. */
function factorsPart(values: UserValues): Part {
  const social = socialFrom([
    ...recordsFrom(values.accounts)
      .filter((each) => each['verification'] === undefined || isVerified(each))
      .map((each) => ({
        provider: first(each, 'provider') ?? first(each, 'object')?.replace(/_account$/u, '') ?? null,
        subject: first(each, 'provider_user_id', 'providerUserId', 'externalId', 'google_id', 'facebook_id'),
        email: first(each, 'email_address', 'emailAddress'),
      })),
    ...recordsFrom(values.enterprise).map(() => ({ provider: null, subject: null, email: null })),
  ]);
  const wallets = recordsFrom(values.wallets)
    .filter(isVerified)
    .flatMap((each) => {
      const address = first(each, 'web3_wallet', 'web3Wallet');
      return address === null ? [] : [{ type: address.startsWith('0x') ? 'ethereum' : 'solana', address }];
    });
  const losses: Loss[] = [...social.losses];
  if (recordsFrom(values.passkeys).some((each) => each['verification'] === undefined || isVerified(each))) {
    losses.push({ what: 'passkey', reason: 'no export of Clerk has public keys' });
  }
  if (isSet(values.backupCodes)) losses.push({ what: 'recovery codes', reason: 'no export of Clerk has them' });
  if (textFrom(values.username) !== null) {
    losses.push({ what: 'username', reason: 'logins here need an address or a number' });
  }
  return { fields: { social_accounts: social.accounts, wallets }, losses };
}

/** A ban, or a lock without an end. A lock after too many tries ends by itself. */
function isLocked(values: UserValues): boolean {
  const seconds = Number(textFrom(values.lockoutSeconds) ?? Number.NaN);
  return isSet(values.banned) || (isSet(values.locked) && !Number.isFinite(seconds));
}

function userFrom(record: Fields, sources: Sources): Omit<VendorUser, 'number'> | string {
  const values = valuesOf(USER, record);
  const id = textFrom(values.id);
  if (id === null) return 'id is missing';
  const external = textFrom(values.external);
  const own = external === null ? {} : { clerk_external_id: external };
  const trusted = metadataFrom({ ...recordFrom(values.public), ...own }, 'trusted_metadata');
  const untrusted = metadataFrom(values.unsafe, 'untrusted_metadata');
  const parts = [passwordPart(values, sources), appPart(values, sources), contactsPart(values), factorsPart(values)];
  const line = withoutEmpty({
    external_id: id,
    created_at: timeFrom(values.created),
    name: nameFrom({ first: values.first, middle: null, last: values.last, display: null }),
    trusted_metadata: trusted.value,
    untrusted_metadata: untrusted.value,
    locked: isLocked(values) ? true : null,
    ...(Object.assign({}, ...parts.map(({ fields }) => fields)) as Fields),
  });
  // The browser can read all metadata of its user here.
  const secret: readonly Loss[] = Object.keys(recordFrom(values.private)).length === 0 ? [] : [{ what: 'metadata', reason: 'private metadata has no place here that the browser of the user cannot read' }]; // prettier-ignore
  const unseen: readonly Loss[] = sources.hasApi ? [] : [{ what: 'social account', reason: 'only the JSON of the API names social accounts, wallets and bans: give it with --also' }]; // prettier-ignore
  return {
    line,
    losses: [...parts.flatMap(({ losses }) => losses), ...trusted.losses, ...untrusted.losses, ...secret, ...unseen],
  };
}

export const CLERK: Vendor = {
  async *users(files) {
    const tables = await filesByTable(files, {
      csv: hasField('password_digest', 'password_hasher', 'primary_email_address'),
      api: hasField('email_addresses', 'emailAddresses', 'external_accounts', 'externalAccounts'),
    });
    const [main, side] = tables.api.length > 0 ? [tables.api, tables.csv] : [tables.csv, []];
    const sources = { hasCsv: tables.csv.length > 0, hasApi: tables.api.length > 0 };
    const rows = await recordsByKey(side, (fields) => textFrom(fields['id']));
    for (const { path, records } of main) {
      for await (const { number, values } of records()) {
        const id = textFrom(values['id']) ?? '';
        const user = userFrom({ ...rows.get(id), ...values }, sources);
        rows.delete(id);
        yield typeof user === 'string' ? { number, path, wrong: user } : { number, path, ...user };
      }
    }
    if (rows.size === 0) return;
    // Those who signed up between the two exports.
    for (const { path, records } of side) {
      for await (const { number, values } of records()) {
        const user = rows.has(textFrom(values['id']) ?? '') ? userFrom(values, { hasCsv: true, hasApi: false }) : '';
        if (typeof user !== 'string') yield { number, path, ...user };
      }
    }
  },
};
