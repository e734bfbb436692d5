import type { PersonToSeed } from '#application/dev-control/dev-control.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { checkEmail, emailKey, mergeName } from '#server-rules/accounts.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { normalPassword } from '#server-rules/passwords.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { isRecord } from '#domain/shape.ts';
import { checked } from '#provider/accounts/account/import-readers.ts';
import type { Project } from '#provider/project/settings/project.ts';
import {
  FieldError,
  flag,
  listOf,
  object,
  oneOf,
  text,
  texts,
  type Reader,
} from '#provider/project/readers/readers.ts';
import { checkGivenRoles } from '#provider/accounts/users/backend-user.ts';
import { checkPhoneNumber } from '#provider/accounts/users/phone-numbers.ts';
import { wrongField } from './wrong-field.ts';

/** Every field of a person; null for a field that is absent. */
export type ReadPerson = {
  readonly [Field in Exclude<keyof PersonToSeed, 'social'>]-?: Exclude<PersonToSeed[Field], undefined> | null;
} & { readonly social: readonly { readonly provider: OAuthProvider }[] };

export const MAX_PEOPLE = 100;

const fields: Reader<Readonly<Record<string, unknown>>> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  return value;
};
const number: Reader<number> = (value, path) => {
  if (typeof value !== 'number') throw new FieldError(path, 'a number');
  return value;
};
const metadata = (field: 'trusted_metadata' | 'untrusted_metadata') =>
  checked(fields, (value) => mergeMetadata({}, value, field));
const PROVIDERS = Object.keys(OAUTH_PROVIDERS) as OAuthProvider[];

/** Unchanged, because a password may begin and end with blanks. */
const someText: Reader<string> = (value, path) => {
  const result = text(value, path);
  if (result === '') throw new FieldError(path, 'at least one character');
  return result;
};

const readerFor = (project: Project): Reader<ReadPerson> =>
  object<ReadPerson>(
    {
      email: checked(text, checkEmail),
      phone_number: checked(text, (phoneNumber) => checkPhoneNumber(project, phoneNumber)),
      password: checked(someText, normalPassword),
      name: checked(fields, (name) => mergeName({}, name)),
      roles: checked(texts(), (roles) => checkGivenRoles(project, roles)),
      trusted_metadata: metadata('trusted_metadata'),
      untrusted_metadata: metadata('untrusted_metadata'),
      totp: flag,
      social: listOf(object<{ readonly provider: OAuthProvider }>({ provider: oneOf(...PROVIDERS) })),
      locked: flag,
      session_duration_minutes: checked(number, checkDuration),
    },
    {
      email: null,
      phone_number: null,
      password: null,
      name: null,
      roles: null,
      trusted_metadata: null,
      untrusted_metadata: null,
      totp: null,
      social: [],
      locked: null,
      session_duration_minutes: null,
    },
  );

/** Throws a FieldError for fields that contradict each other. */
function checkWhole(person: ReadPerson, path: string): void {
  const { email, phone_number, password, social, locked, session_duration_minutes } = person;
  if (email === null && phone_number === null) throw new FieldError(`${path}.email`, 'given, or phone_number');
  if (email === null && password !== null) throw new FieldError(`${path}.password`, 'left out without email');
  if (email === null && social.length > 0) throw new FieldError(`${path}.social`, 'left out without email');
  if (locked === true && session_duration_minutes !== null) {
    throw new FieldError(`${path}.session_duration_minutes`, 'left out for a locked person, who cannot log in');
  }
}

/** The people of a request. Everything is checked except what needs the database. Throws a Refusal that names the first wrong field. */
export function readPeople(project: Project, users: readonly unknown[]): readonly ReadPerson[] {
  if (users.length === 0 || users.length > MAX_PEOPLE) throw wrongField('users', `a list of 1 to ${MAX_PEOPLE} people`);
  const read = readerFor(project);
  const contactKeys = new Set<string>();
  try {
    return users.map((value, place) => {
      const path = `users[${place}]`;
      if (!isStorable(value)) throw new FieldError(path, 'Unicode without NUL');
      const person = read(value, path);
      checkWhole(person, path);
      for (const field of ['email', 'phone_number'] as const) {
        const key = `${field} ${emailKey(person[field] ?? `${place}`)}`;
        if (contactKeys.has(key)) throw new FieldError(`${path}.${field}`, 'different from those of the others');
        contactKeys.add(key);
      }
      return person;
    });
  } catch (error) {
    if (error instanceof FieldError) throw wrongField(error.path, error.must);
    throw error;
  }
}
