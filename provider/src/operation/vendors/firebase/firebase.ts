import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { nameOfParts } from '../person/name.ts';
import { vendorUser, withoutEmpty } from '../person/person.ts';
import { socialAccount, type SocialAccount } from '../person/social.ts';
import { tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { FieldFault, type Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorUser, WrongRecord } from '../vendor.ts';
import { claimsWithPlainQuotes, COLUMNS, PROVIDER_COLUMNS } from './columns.ts';

const ACCOUNTS: Table<'accounts'> = { name: 'accounts', columns: ['localid'], hasUsers: true };

/** What Google's API writes in place of a hash that the caller may not read: the base64 of REDACTED. */
const REDACTED = 'UkVEQUNURUQ=';

/** Of an address and a number, which are no social accounts. */
const OWN: ReadonlySet<unknown> = new Set(['password', 'phone']);

/** The accounts of the JSON, or those in the columns of the CSV. */
function accountsOf(row: Row): readonly (SocialAccount | Loss)[] {
  const listed = row.rows('providerUserInfo').filter((each) => !OWN.has(each.value('providerId')));
  return [
    ...listed.map((each) =>
      orLoss('social account', () => {
        return socialAccount({ provider: each.requiredText('providerId'), subject: each.text('rawId'), email: each.text('email') }); // prettier-ignore
      }),
    ),
    ...PROVIDER_COLUMNS.flatMap((provider) => {
      const subject = row.text(`${provider}.rawId`);
      return subject === null ? [] : [socialAccount({ provider, subject, email: row.text(`${provider}.email`) })];
    }),
  ];
}

function passwordOf(row: Row): Values | Loss | null {
  const hash = row.text('passwordHash');
  if (hash === null) return null;
  if (hash !== REDACTED) return withoutEmpty({ hash, salt: row.text('salt'), hash_type: 'scrypt_firebase' });
  const reason = 'the export was made without the right to read hashes (firebaseauth.configs.getHashConfig)';
  return { what: 'password', reason };
}

const CLAIMS: Loss = { what: 'metadata', reason: 'the custom claims are no JSON object' };
const APP: Loss = { what: 'app', reason: 'the export has no secret of it' };

function userOf(row: Row): UserOfRecord {
  const id = row.text('localId');
  if (id === null) throw new FieldFault('localId is missing');
  const created = row.text('createdAt');
  if (created !== null && !/^\d+$/u.test(created)) {
    throw new FieldFault('createdAt is no number, so the row may have its values in the wrong columns');
  }
  const factors = row.rows('mfaInfo');
  const names = ['email', 'phoneNumber', 'customAttributes', 'photoUrl'];
  const [email, phone, text, photoUrl] = names.map((name) => row.text(name));
  const claims = parseJson(text ?? '{}');
  const second = factors.map((each) => each.text('phoneInfo')).filter((each) => each !== null);
  return vendorUser({
    id,
    created_at: row.time('createdAt'),
    emails: typeof email === 'string' ? [{ email, verified: row.flag('emailVerified') ?? false }] : [],
    // Firebase stores a number only after a code to it.
    phone_numbers: [
      ...(typeof phone === 'string' ? [{ phone_number: phone, verified: true }] : []),
      ...second.map((each) => ({ phone_number: each, verified: true, isSecondFactor: true as const })),
    ],
    name: nameOfParts(row.text('displayName')),
    trusted_metadata: isRecord(claims) ? claims : {},
    untrusted_metadata: { photoUrl },
    locked: row.flag('disabled'),
    password: passwordOf(row),
    social_accounts: accountsOf(row),
    losses: [...(factors.some((each) => each.has('totpInfo')) ? [APP] : []), ...(isRecord(claims) ? [] : [CLAIMS])],
  });
}

async function* users(files: readonly VendorFile[]): AsyncGenerator<VendorUser | WrongRecord> {
  yield* usersOf(await tablesOf('Firebase', [ACCOUNTS], files), 'accounts', userOf);
}

/** Accounts of `firebase auth:export`, as JSON or CSV. */
export const firebase: Vendor = {
  users,
  csv: {
    isHeader: (row) => row.includes('localId'),
    columnsOf: (row) => COLUMNS.find((names) => row.length === names.length || row.length === names.length + 1) ?? null,
    rewrite: claimsWithPlainQuotes,
  },
};
