import { emailsFrom, isSet, jsonFrom, metadataFrom, nameFrom, numbersFrom, recordsFrom, textFrom, timeFrom, valuesOf, withoutEmpty, type Fields } from './values.ts'; // prettier-ignore
import { claimsWithPlainQuotes, COLUMNS, PROVIDER_COLUMNS } from './firebase-columns.ts';
import { socialFrom } from './social.ts';
import type { Loss, Vendor, VendorUser } from './vendor.ts';

const USER = {
  id: ['localId'],
  email: ['email'],
  emailVerified: ['emailVerified'],
  hash: ['passwordHash'],
  salt: ['salt'],
  name: ['displayName'],
  created: ['createdAt'],
  phone: ['phoneNumber'],
  disabled: ['disabled'],
  claims: ['customAttributes'],
  providers: ['providerUserInfo'],
  factors: ['mfaInfo'],
} as const;

type UserValues = ReturnType<typeof valuesOf<typeof USER>>;

/** What Google's API writes in place of a hash that the caller may not read: the base64 of REDACTED. */
const REDACTED = 'UkVEQUNURUQ=';

/** The accounts of the JSON, or those in the columns of the CSV. */
function providersOf(values: UserValues, fields: Fields) {
  const listed = recordsFrom(values.providers)
    .filter((each) => each['providerId'] !== 'password' && each['providerId'] !== 'phone')
    .map((each) => ({ provider: textFrom(each['providerId']), subject: textFrom(each['rawId']), email: textFrom(each['email']) })); // prettier-ignore
  const columns = PROVIDER_COLUMNS.flatMap((provider) => {
    const subject = textFrom(fields[`${provider}.rawId`]);
    return subject === null ? [] : [{ provider, subject, email: textFrom(fields[`${provider}.email`]) }];
  });
  return [...listed, ...columns];
}

function passwordOf(values: UserValues): { readonly password: Fields | null; readonly losses: readonly Loss[] } {
  const [hash, salt] = [textFrom(values.hash), textFrom(values.salt)];
  if (hash === null) return { password: null, losses: [] };
  if (hash === REDACTED) {
    const reason = 'the export was made without the right to read hashes (firebaseauth.configs.getHashConfig)';
    return { password: null, losses: [{ what: 'password', reason }] };
  }
  return { password: withoutEmpty({ hash, salt, hash_type: 'scrypt_firebase' }), losses: [] };
}

function userFrom(fields: Fields): Omit<VendorUser, 'number'> | string {
  const values = valuesOf(USER, fields);
  const id = textFrom(values.id);
  if (id === null) return 'localId is missing';
  if (values.created !== undefined && !/^\d+$/u.test(textFrom(values.created) ?? '')) {
    return 'createdAt is no number, so the row may have its values in the wrong columns';
  }
  const { password, losses } = passwordOf(values);
  const social = socialFrom(providersOf(values, fields));
  const claims = metadataFrom(values.claims, 'trusted_metadata');
  const isUnreadable = textFrom(values.claims) !== null && jsonFrom(values.claims) === undefined;
  const factors = recordsFrom(values.factors);
  const factorPhones = factors.map((each) => textFrom(each['phoneInfo'])).filter((phone) => phone !== null);
  const email = textFrom(values.email);
  const phone = textFrom(values.phone);
  const line = withoutEmpty({
    external_id: id,
    created_at: timeFrom(values.created),
    name: nameFrom({ first: null, middle: null, last: null, display: values.name }),
    emails: emailsFrom(email === null ? [] : [{ value: email, verified: isSet(values.emailVerified) }]),
    // Firebase stores a number only after a code to it.
    phone_numbers: numbersFrom([...(phone === null ? [] : [phone]), ...factorPhones].map((value) => ({ value, verified: true }))), // prettier-ignore
    trusted_metadata: claims.value,
    locked: isSet(values.disabled) ? true : null,
    password,
    social_accounts: social.accounts,
  });
  const hasApp = factors.some((each) => each['totpInfo'] !== undefined);
  return {
    line,
    losses: [
      ...losses,
      ...(hasApp ? [{ what: 'app', reason: 'the export has no secret of it' } as const] : []),
      ...(isUnreadable ? [{ what: 'metadata', reason: 'the custom claims are no JSON' } as const] : []),
      ...social.losses,
      ...claims.losses,
    ],
  };
}

export const FIREBASE: Vendor = {
  csv: {
    isHeader: (row) => row.includes('localId'),
    columnsOf: (row) => COLUMNS.find((names) => row.length === names.length || row.length === names.length + 1) ?? null,
    rewrite: claimsWithPlainQuotes,
  },
  async *users(files) {
    for (const { path, records } of files) {
      for await (const { number, values } of records()) {
        const user = userFrom(values);
        yield typeof user === 'string' ? { number, path, wrong: user } : { number, path, ...user };
      }
    }
  },
};
