import { createHash } from 'node:crypto';
import { isEmailAddress } from '#server-rules/accounts.ts';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { AccountProfile } from '../../social-accounts/tables.ts';

export interface DevPerson {
  readonly email: string;
  readonly given_name: string;
  readonly family_name: string;
}

/** The people that can be chosen with one click. */
export const PEOPLE: readonly DevPerson[] = [
  { email: 'ada@example.com', given_name: 'Ada', family_name: 'Lovelace' },
  { email: 'grace@example.com', given_name: 'Grace', family_name: 'Hopper' },
  { email: 'alan@example.com', given_name: 'Alan', family_name: 'Turing' },
];

const LOCALE = 'en';

export function fullName({ given_name, family_name }: Pick<DevPerson, 'given_name' | 'family_name'>): string {
  return `${given_name} ${family_name}`.trim();
}

/** One or two capital letters, for a picture. */
export function initials(person: DevPerson): string {
  const letters = [person.given_name, person.family_name].map((name) => name.charAt(0)).join('');
  return (letters === '' ? person.email.charAt(0) : letters).toUpperCase().replace(/[^A-Z]/gu, '') || 'X';
}

/** The profile for an address; null if it is not an email address. The same address always has the same subject. */
export function profileOf(
  origin: string,
  provider: OAuthProvider,
  email: string,
  verified: boolean,
): AccountProfile | null {
  if (!isEmailAddress(email)) return null;
  const address = email.toLowerCase();
  const person = PEOPLE.find((candidate) => candidate.email === address) ?? {
    email: address,
    given_name: '',
    family_name: '',
  };
  const digest = createHash('sha256').update(`${provider}\n${address}`).digest();
  return {
    sub: digest.readBigUInt64BE().toString().padStart(20, '0'),
    email: address,
    email_verified: verified,
    name: fullName(person),
    given_name: person.given_name,
    family_name: person.family_name,
    picture: `${origin}/accounts/pictures/${initials(person)}.svg`,
    locale: LOCALE,
  };
}
