import { emailKey, isEmailAddress } from '#server-rules/accounts.ts';
import { isRecord } from '#domain/shape.ts';
import { nameOf, nameOfParts } from '../person/name.ts';
import type { OldEmail, OldPhone } from '../person/contacts.ts';
import type { Row, Values } from '../rows/row.ts';

/** The names of traits for an address, number or name: each app has a schema of its own. */
const EMAILS = ['email', 'emails', 'mail'] as const;
const PHONES = ['phone', 'phones', 'phone_number', 'phoneNumber', 'mobile'] as const;
const NAMES = [
  'name',
  'full_name',
  'fullName',
  'first_name',
  'firstName',
  'given_name',
  'last_name',
  'lastName',
  'family_name',
] as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function textsIn(traits: Values, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = traits[name];
    return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isText);
  });
}

const PHONE_TEXT = /^\+[0-9][0-9 ().-]{5,}$/u;

export interface Contacts {
  readonly emails: readonly OldEmail[];
  readonly phone_numbers: readonly OldPhone[];
  /** Login names that are neither. */
  readonly usernames: readonly string[];
}

/**
 * The addresses and numbers of an identity. Only a verifiable address can be verified.
 *
 * @param identifiers what the person enters to log in with a password or code
 */
export function contactsOf(row: Row, traits: Values, identifiers: readonly string[]): Contacts {
  const verifiable = row.rows('verifiable_addresses');
  const recovery = row.rows('recovery_addresses').map((each) => each.text('value'));
  const addresses = [
    ...verifiable.map((each) => ({ value: each.text('value'), verified: each.flag('verified') ?? false })),
    ...[...recovery, ...textsIn(traits, EMAILS), ...textsIn(traits, PHONES), ...identifiers].map((value) => {
      return { value, verified: false };
    }),
  ];
  const values = addresses.flatMap(({ value, verified }) => (isText(value) ? [{ value, verified }] : []));
  const isPhone = ({ value }: (typeof values)[number]): boolean => PHONE_TEXT.test(value);
  const isMail = ({ value }: (typeof values)[number]): boolean => value.includes('@');
  return {
    emails: values.filter(isMail).map(({ value, verified }) => ({ email: value, verified })),
    phone_numbers: values.filter(isPhone).map(({ value, verified }) => ({ phone_number: value, verified })),
    usernames: values.filter((each) => !isMail(each) && !isPhone(each)).map(({ value }) => value),
  };
}

export function nameIn(traits: Values): Values {
  const { name } = traits;
  const parts = isRecord(name) ? name : traits;
  const first = textsIn(parts, ['first', 'first_name', 'firstName', 'given_name'])[0] ?? null;
  const last = textsIn(parts, ['last', 'last_name', 'lastName', 'family_name'])[0] ?? null;
  if (first !== null || last !== null) return nameOfParts(first, last);
  return nameOf(textsIn(traits, ['name', 'full_name', 'fullName'])[0] ?? null);
}

/** The traits that a line has in no other field. */
export function otherTraits(traits: Values, { emails }: Contacts): Values {
  const keys = new Set(emails.filter(({ email }) => isEmailAddress(email)).map(({ email }) => emailKey(email)));
  const names = new Set<string>([...EMAILS, ...PHONES, ...NAMES]);
  const others = Object.entries(traits).filter(
    ([name, value]) => !names.has(name) && !(isText(value) && value.includes('@') && keys.has(emailKey(value))),
  );
  return Object.fromEntries(others);
}
