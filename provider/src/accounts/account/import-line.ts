import { checkEmail, mergeName } from '#server-rules/accounts.ts';
import type { AcceptedTerms } from '#server-rules/profile.ts';
import { CONTACT_KINDS } from '#server-rules/contacts.ts';
import { checkExternalId } from '../users/external-ids.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import type { DescribedHash, MigratedHash } from '../passwords/exported/migrated-hash.ts';
import { migratedHash } from '../passwords/migrated-hashes.ts';
import { isStorable } from '#server-rules/request-body.ts';
import type { UserName } from '#domain/users/user.ts';
import type { Project } from '#provider/project/settings/project.ts';
import {
  FieldError,
  flag,
  listOf,
  object,
  oneOf,
  text,
  texts,
  textThat,
  type Reader,
} from '#provider/project/readers/readers.ts';
import { checkGivenRoles } from '../users/backend-user.ts';
import type { ContactValue } from '../users/contacts.ts';
import { checkImportedNumber, countryWithoutTexts } from '../users/phone-numbers.ts';
import { factorKeys, factorReaders, NO_FACTORS, type ImportedFactors } from './import-factors.ts';
import {
  acceptedTerms,
  checked,
  few,
  fields,
  HASH_FALLBACKS,
  HASH_READERS,
  HashFault,
  hashOf,
  TIME,
  type Fields,
} from './import-readers.ts';

/** A person, as one line of an import describes them. Everything is checked except what needs the database. */
export interface ImportedUser extends ImportedFactors {
  readonly user_id: string | null;
  readonly external_id: string | null;
  readonly created_at: Date | null;
  readonly status: 'active' | 'pending';
  readonly name: UserName;
  readonly emails: readonly { readonly email: string; readonly verified: boolean }[];
  readonly phone_numbers: readonly { readonly phone_number: string; readonly verified: boolean }[];
  readonly trusted_metadata: Fields;
  readonly untrusted_metadata: Fields;
  readonly roles: readonly string[];
  readonly locked: boolean;
  /** False for a user who signed up without an operator, and may be a stranger using another person's address. */
  readonly managed: boolean;
  /** `alone` for a managed user who has not come in: a closed sign-up refuses them. Null for what `managed` says. */
  readonly arrival: 'alone' | 'made' | null;
  /** False if such a user wrote the name and metadata. */
  readonly vouched: boolean;
  /** The terms that the user accepted in the old system, by their ids. */
  readonly accepted_terms: AcceptedTerms;
  /** The hash is null if only the old system can check the password (`password_check` of the project). */
  readonly password: { readonly hash: MigratedHash | null; readonly requires_reset: boolean } | null;
}

const USER_ID = textThat(
  'user-test- or user-live- and a UUID in lower case; give an id of another form as external_id',
  (id) => /^user-(?:test|live)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id),
);
const metadata = (field: 'trusted_metadata' | 'untrusted_metadata') =>
  checked(fields, (value) => mergeMetadata({}, value, field));

interface Line extends Omit<ImportedUser, 'created_at' | 'password'> {
  readonly created_at: string | null;
  readonly password: Fields | null;
}

/** Built once per project, because an import reads thousands of lines per second. */
const lineReaders = new WeakMap<Project, Reader<Line>>();

function readerFor(project: Project): Reader<Line> {
  const reader = lineReaders.get(project) ?? lineReader(project);
  lineReaders.set(project, reader);
  return reader;
}

function phoneNumberOf(project: Project): Reader<string> {
  const read = checked(text, (number) => checkImportedNumber(project, number));
  return (value, path) => {
    try {
      return read(value, path);
    } catch (error) {
      const country = typeof value === 'string' ? countryWithoutTexts(project, value) : null;
      if (country === null) throw error;
      throw new FieldError(path, `of a country in sms_countries of the project file: ${remedyFor(country)}`);
    }
  };
}

const remedyFor = (country: string): string =>
  country.startsWith('+') ? 'its calling code belongs to no country' : `add ${country} there`;

function lineReader(project: Project): Reader<Line> {
  return object<Line>(
    {
      user_id: USER_ID,
      external_id: checked(text, checkExternalId),
      created_at: TIME,
      status: oneOf('active', 'pending'),
      name: checked(fields, (name) => mergeName({}, name)),
      emails: few(
        listOf(
          object<ImportedUser['emails'][number]>(
            { email: checked(text, checkEmail), verified: flag },
            { verified: false },
          ),
        ),
      ),
      phone_numbers: few(
        listOf(
          object<ImportedUser['phone_numbers'][number]>(
            { phone_number: phoneNumberOf(project), verified: flag },
            { verified: false },
          ),
        ),
      ),
      trusted_metadata: metadata('trusted_metadata'),
      untrusted_metadata: metadata('untrusted_metadata'),
      roles: checked(texts(), (roles) => checkGivenRoles(project, roles)),
      locked: flag,
      managed: flag,
      arrival: oneOf('alone', 'made'),
      vouched: flag,
      accepted_terms: acceptedTerms,
      password: fields,
      ...factorReaders(project),
    },
    {
      user_id: null,
      external_id: null,
      created_at: null,
      status: 'active',
      name: {},
      emails: [],
      phone_numbers: [],
      trusted_metadata: {},
      untrusted_metadata: {},
      roles: [],
      locked: false,
      managed: true,
      arrival: null,
      vouched: true,
      accepted_terms: {},
      password: null,
      ...NO_FACTORS,
    },
  );
}

interface PasswordLine extends DescribedHash {
  readonly requires_reset: boolean;
}

const readPassword = object<PasswordLine>(
  { ...HASH_READERS, requires_reset: flag },
  { ...HASH_FALLBACKS, requires_reset: false },
);

/** A password that the old system did not export. */
function isElsewhere(project: Project, password: Fields): boolean {
  if (password['elsewhere'] === undefined) return false;
  const isAlone = password['elsewhere'] === true && Object.keys(password).length === 1;
  if (!isAlone) throw new FieldError('password.elsewhere', 'true, without other fields');
  if (project.password_check !== null) return true;
  throw new FieldError('password.elsewhere', 'left out, or password_check given in the project file');
}

/** Reads a line. Errors name the field, never its value. */
export function readImportLine(
  project: Project,
  value: unknown,
): { readonly line: ImportedUser } | { readonly wrong: string } {
  try {
    return { line: lineFrom(project, value) };
  } catch (error) {
    if (error instanceof FieldError) {
      return { wrong: `${error.path === '' ? 'the line' : error.path} must be ${error.must}` };
    }
    if (error instanceof HashFault) return { wrong: error.message };
    throw error;
  }
}

function lineFrom(project: Project, value: unknown): ImportedUser {
  if (!isStorable(value)) throw new FieldError('', 'Unicode without NUL');
  const { created_at, password: passwordFields, ...line } = readerFor(project)(value, '');
  const { emails, phone_numbers, user_id, external_id } = line;
  if (emails.length + phone_numbers.length === 0 && user_id === null && external_id === null) {
    throw new FieldError('emails', 'given, or another of user_id, external_id and phone_numbers');
  }
  checkDistinct(line);
  if (passwordFields !== null && emails.length === 0) throw new FieldError('emails', 'given with a password');
  if (line.totp === null && line.recovery_codes.length > 0) {
    throw new FieldError('recovery_codes', 'left out without totp: they stand for an authenticator app');
  }
  const base = { ...line, created_at: created_at === null ? null : new Date(created_at) };
  if (passwordFields !== null && isElsewhere(project, passwordFields)) {
    return { ...base, password: { hash: null, requires_reset: false } };
  }
  const password = passwordFields === null ? null : readPassword(passwordFields, 'password');
  return {
    ...base,
    password: password && {
      hash: hashOf('password', () => migratedHash(password)),
      requires_reset: password.requires_reset,
    },
  };
}

/** A contact of a line. */
interface LineContact extends ContactValue {
  readonly verified: boolean;
  /** Its field in the line. */
  readonly field: string;
}

export const contactsOf = ({
  emails,
  phone_numbers,
}: Pick<ImportedUser, 'emails' | 'phone_numbers'>): readonly LineContact[] => [
  ...emails.map(({ email, verified }, place) => {
    return { kind: 'email', value: email, verified, field: `emails[${place}]` } as const;
  }),
  ...phone_numbers.map(({ phone_number, verified }, place) => {
    return { kind: 'phone', value: phone_number, verified, field: `phone_numbers[${place}]` } as const;
  }),
];

type KeyedLine = Pick<ImportedUser, 'user_id' | 'external_id' | 'emails' | 'phone_numbers'> & ImportedFactors;

/** The values that must be unique in a file: each belongs to one person. */
export function keysOf(line: KeyedLine): readonly string[] {
  const { user_id, external_id } = line;
  return [
    ...(user_id === null ? [] : [`user_id ${user_id}`]),
    ...(external_id === null ? [] : [`external_id ${external_id}`]),
    ...contactsOf(line).map(({ kind, value }) => `${CONTACT_KINDS[kind].field} ${CONTACT_KINDS[kind].keyOf(value)}`),
    ...factorKeys(line).map(({ fields: name, key }) => `${name} ${key}`),
  ];
}

function checkDistinct(line: KeyedLine): void {
  const keys = keysOf(line);
  if (new Set(keys).size === keys.length) return;
  const [factor] = keys.find((key, place) => keys.indexOf(key) < place)?.split(' ') ?? [];
  const lists: Readonly<Record<string, string>> = {
    email: 'emails and phone_numbers',
    phone_number: 'emails and phone_numbers',
  };
  throw new FieldError(lists[factor ?? ''] ?? factor ?? '', 'different from each other');
}
