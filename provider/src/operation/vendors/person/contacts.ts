import { emailKey, isEmailAddress, MOST_OF_A_KIND } from '#server-rules/accounts.ts';
import type { Loss } from '../vendor.ts';

export interface OldEmail {
  readonly email: string;
  readonly verified: boolean;
}

export interface OldPhone {
  readonly phone_number: string;
  readonly verified: boolean;
  /** True for a number whose codes completed logins in the old system, and began none. */
  readonly isSecondFactor?: true;
}

/** The items without a repetition, the first of each key; what is beyond the maximum is lost. */
export function distinct<T>(
  items: readonly T[],
  what: Loss['what'],
  keyOf: (item: T) => string,
  losses: Loss[],
): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  const all = [...byKey.values()];
  for (const _ of all.slice(MOST_OF_A_KIND)) losses.push({ what, reason: `a user has at most ${MOST_OF_A_KIND} here` });
  return all.slice(0, MOST_OF_A_KIND);
}

interface Verifiable {
  readonly verified: boolean;
}

interface ContactRules<T> {
  readonly what: Loss['what'];
  readonly keyOf: (contact: T) => string;
  readonly isAccepted: (contact: T) => boolean;
  readonly reason: string;
}

const EMAILS: ContactRules<OldEmail> = {
  what: 'address',
  keyOf: ({ email }) => emailKey(email),
  isAccepted: ({ email }) => isEmailAddress(email),
  reason: 'it is not an address that mail servers accept',
};
const PHONES: ContactRules<OldPhone> = {
  what: 'phone number',
  keyOf: ({ phone_number }) => phone_number,
  isAccepted: ({ phone_number }) => /^\+[1-9][0-9]{1,14}$/u.test(phone_number),
  reason: 'it has no country code',
};

/** Each contact once, in the spelling that is verified if one is; those that are not accepted are lost. */
function contactsOf<T extends Verifiable>(contacts: readonly T[], rules: ContactRules<T>, losses: Loss[]) {
  const spellings = new Map<string, T>();
  for (const contact of contacts) {
    const before = spellings.get(rules.keyOf(contact));
    if (before === undefined || (contact.verified && !before.verified)) spellings.set(rules.keyOf(contact), contact);
  }
  const all = [...spellings.values()];
  const accepted = all.filter(rules.isAccepted);
  for (const _ of all.slice(accepted.length)) losses.push({ what: rules.what, reason: rules.reason });
  return distinct(accepted, rules.what, rules.keyOf, losses);
}

/** Without what people write between digits, and what copies of them bring along. */
const plainNumber = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\s().\p{Pd}\p{Cf}]/gu, '').replace(/^00/u, '+'); // prettier-ignore

interface Contacts {
  readonly emails: readonly OldEmail[];
  readonly phone_numbers: readonly OldPhone[];
}

/** The numbers that the person has not also proven as an ordinary one. */
export function secondFactorsIn(phones: readonly OldPhone[]): readonly string[] {
  const numbers = phones.map((each) => ({ ...each, phone_number: plainNumber(each.phone_number) }));
  const ordinary = new Set(
    numbers.filter((each) => each.verified && !each.isSecondFactor).map(({ phone_number }) => phone_number),
  );
  const others = numbers.filter((each) => each.isSecondFactor && !ordinary.has(each.phone_number));
  return [...new Set(others.map(({ phone_number }) => phone_number))];
}

/** What is not accepted stays for a user without another way in, so that the line is wrong and the mistake is named. */
export function contactsIn(
  { emails: oldEmails = [], phone_numbers: oldPhones = [] }: Partial<Contacts>,
  hasKey: boolean,
  losses: Loss[],
): Contacts {
  const addresses = oldEmails.map((each) => ({ ...each, email: each.email.trim() }));
  const numbers = oldPhones.map(({ phone_number, verified }) => ({
    phone_number: plainNumber(phone_number),
    verified,
  }));
  const contacts = {
    emails: addresses.filter(({ email }) => email !== ''),
    phone_numbers: numbers.filter(({ phone_number }) => phone_number !== ''),
  };
  const lost: Loss[] = [];
  const emails = contactsOf(contacts.emails, EMAILS, lost);
  const phone_numbers = contactsOf(contacts.phone_numbers, PHONES, lost);
  if (!hasKey && emails.length + phone_numbers.length === 0) return contacts;
  losses.push(...lost);
  return { emails, phone_numbers };
}
