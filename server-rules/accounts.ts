import { isEmail } from '#domain/contacts/email.ts';
import { asciiDomain, isPlain, splitEmail, writtenEmail } from '#domain/contacts/international-domain.ts';
import type { User, UserName } from '#domain/users/user.ts';
import { hasWayIn } from '#domain/users/way-in.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';

/** Characters without a visible shape. They could end an email header, or make an address look like another one. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * The addresses that a mail server accepts, in any script: atoms with dots between them (RFC 5322, section 3.2.3; RFC 6531), and a
 * domain name whose labels have letters, digits, four characters of punctuation (RFC 5892), and hyphens within. Quoted texts such as
 * `"a b"`, which mail servers and forms reject, and IP addresses are excluded.
 */
const MAILBOX =
  /^(?!\.|.*\.[.@])[^\s@]+@(?!-|.*(?:\.-|-\.|-$))(?:[\p{L}\p{M}\p{N}\u00B7\u05F3\u05F4\u30FB-]{1,63}\.)+[^.]{2,63}$/u;

/** Most addresses are ASCII; they have one spelling apart from capitals. */
const isAscii = (text: string): boolean => !/[^\0-\x7F]/u.test(text);

/** True for an address in any script that mail servers accept and that no software confuses with another one. */
export function isEmailAddress(text: string): boolean {
  if (!isEmail(text) || !MAILBOX.test(text) || INVISIBLE.test(text)) return false;
  if (!isAscii(text) && !isPlain(text)) return false;
  const [local, domain] = splitEmail(text);
  const ascii = asciiDomain(domain);
  // A mark alone would be drawn over the letter before it. Mail software decodes an encoded word (RFC 2047) into another address.
  if (ascii === null || /^\p{M}|=\?/u.test(local)) return false;
  return bytesOf(local) <= MAX_LOCAL_BYTES && bytesOf(`${local}@${ascii}`) <= MAX_BYTES;
}

/**
 * True for an address that an issuer can vouch for. An issuer vouches for the exact spelling, which must not become another mailbox's
 * address.
 */
export const isVouchable = (email: string): boolean => isEmailAddress(email) && email.normalize('NFC') === email;

/** The maximum number of a user's addresses, phone numbers, passkeys, wallets and social accounts, each. */
export const MOST_OF_A_KIND = 50;

/** Throws a Refusal if the user already has the maximum number of this kind. */
export function checkRoom(count: number): void {
  if (count >= MOST_OF_A_KIND) throw new Refusal('too_many_factors');
}

/** The longest address and local part that SMTP can carry (RFC 5321, section 4.5.3.1), as SMTP counts them. */
const MAX_BYTES = 254;
const MAX_LOCAL_BYTES = 64;
const bytesOf = (text: string): number => (isAscii(text) ? text.length : new TextEncoder().encode(text).length);

/** Throws a Refusal that names the field unless the value is an email address. */
export function checkEmail(email: string, field = 'email'): void {
  if (!isEmailAddress(email)) {
    throw new Refusal('invalid_email', undefined, undefined, { [field]: 'must be an email address' });
  }
}

/** The domain in A-labels, the form for comparisons; null if no address can have this domain. */
export function emailDomain(domain: string): string | null {
  return isEmailAddress(`x@${domain}`) ? asciiDomain(domain) : null;
}

/** Represents every domain in a list of the domains that an issuer vouches for. */
export const EVERY_DOMAIN = '*';

/** True for an address in one of the domains that its issuer vouches for; subdomains do not count. */
export function isVouchedDomain(domains: readonly string[], email: string): boolean {
  const domain = emailDomain(splitEmail(email)[1]);
  return domain !== null && domains.some((each) => each === EVERY_DOMAIN || emailDomain(each) === domain);
}

/**
 * The small letter of a capital, if neither has another partner. Folding all of Unicode would let one mailbox pass for another: the dotless
 * ı has the capital I, the final ς the capital Σ.
 */
function smallLetter(letter: string): string {
  const small = letter.toLowerCase();
  return small.toUpperCase() === letter ? small : letter;
}

/**
 * The search key of an address: the domain in A-labels, without capitals and decomposed letters. It merges the spellings of one
 * address, but never two addresses that only look alike.
 */
export function emailKey(email: string): string {
  const [local, domain] = splitEmail(email);
  if (isAscii(email) && domain !== '') return email.toLowerCase();
  const small = (text: string): string => Array.from(text, smallLetter).join('');
  // Once more at the end: J\u030C has no composed form, its small letter \u01F0 has one.
  const name = isPlain(local) ? small(local.normalize('NFC')).normalize('NFC') : small(local);
  return domain === '' ? name : `${name}@${asciiDomain(domain) ?? domain}`;
}

/**
 * The keys under which an address may be stored. Before A-labels were used for comparisons, the key of an address in another script was the
 * address with small ASCII letters: as it is given here, or as it is usually written.
 */
export function emailKeys(email: string): readonly string[] {
  const key = emailKey(email);
  const former = email.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
  return [...new Set([former, writtenEmail(key), key])];
}

/** The status of a contact and of its user. */
interface ContactStatus {
  readonly verified: boolean;
  readonly status: string;
  /** True if the app's own server created the user, or added something to the user. */
  readonly managed?: boolean;
}

/**
 * True for a contact that stays with its user even if an issuer vouches for another user: it is verified, or the app manages the
 * user. Anyone can sign up with an address, whatever else the sign-up proves.
 */
export function isTaken({ verified, managed = false }: Omit<ContactStatus, 'status'>): boolean {
  return verified || managed;
}

/** True for a contact with which nobody else can sign up, because a page does not vouch for its visitor. */
export function isSignedUp(contact: ContactStatus): boolean {
  return isTaken(contact) || contact.status === 'active';
}

/**
 * True for a user who has proven a contact, a social account or a wallet. A password, passkey or authenticator app does not count,
 * because anyone who signs up with another person's address can add them.
 */
export function hasProven({
  emails,
  phone_numbers,
  providers,
  crypto_wallets,
}: Pick<User, 'emails' | 'phone_numbers' | 'providers' | 'crypto_wallets'>): boolean {
  const contacts = [...emails, ...phone_numbers];
  return contacts.some(({ verified }) => verified) || providers.length + crypto_wallets.length > 0;
}

const NAMES = ['first_name', 'middle_name', 'last_name'] as const;
const MAX_NAME = 128;

/** A user's name on the wire, with every part. */
export function wholeName(name: UserName): UserName {
  return { first_name: '', middle_name: '', last_name: '', ...name };
}

/** Merges the given parts into the name. Null empties a part; unknown parts are dropped. */
export function mergeName(before: UserName, changes: Readonly<Record<string, unknown>>): UserName {
  const parts = NAMES.filter((part) => changes[part] !== undefined).map((part) => {
    const value = changes[part] ?? '';
    if (typeof value !== 'string' || value.length > MAX_NAME || /\0|\p{Surrogate}/u.test(value)) {
      const message = `${part} must be a string of at most ${MAX_NAME} characters`;
      throw new SchemaRefusal([{ dataPath: ['name', part], message }]);
    }
    return [part, value];
  });
  return { ...before, ...(Object.fromEntries(parts) as UserName) };
}

/**
 * Rejects a change that leaves the user without a login factor, because a stolen session must not lock its user out. A password
 * counts together with an address. An authenticator app alone cannot log in.
 */
export function checkCanEnter(user: User): void {
  if (!hasWayIn(user)) throw new Refusal('cannot_delete_last_factor');
}

/** The reply of `users.search` for an address. A user who never signed in counts as new. */
export function userType(
  user: { readonly status: string; readonly hasPassword: boolean } | undefined,
): 'new' | 'password' | 'passwordless' {
  if (user?.status !== 'active') return 'new';
  return user.hasPassword ? 'password' : 'passwordless';
}
