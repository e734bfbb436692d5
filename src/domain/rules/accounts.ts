import { isEmail } from '../contacts/email.ts';
import { asciiDomain, isPlain, splitEmail, writtenEmail } from '../contacts/international-domain.ts';
import { hasWayIn, type User, type UserName } from '../users/user.ts';
import { Refusal, SchemaRefusal } from './refusal.ts';

/** Characters without a shape of their own: they could end a mail header, or show another address than they are. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * What a mail server takes, in any script: words of atoms with dots between them (RFC 5322, section 3.2.3; RFC 6531), and a domain
 * name whose labels have letters, digits, four characters of punctuation (RFC 5892), and hyphens within. Not a quoted text such as
 * `"a b"`, which mail servers and forms refuse, nor an IP address.
 */
const MAILBOX =
  /^(?!\.|.*\.[.@])[^\s@]+@(?!-|.*(?:\.-|-\.|-$))(?:[\p{L}\p{M}\p{N}\u00B7\u05F3\u05F4\u30FB-]{1,63}\.)+[^.]{2,63}$/u;

/** True for an address that a mail server takes, and that no software takes for another one, in any script. */
export function isEmailAddress(text: string): boolean {
  if (!isEmail(text) || !MAILBOX.test(text) || INVISIBLE.test(text) || !isPlain(text)) return false;
  const [local, domain] = splitEmail(text);
  const ascii = asciiDomain(domain);
  // A mark alone would be drawn over the letter before it.
  if (ascii === null || /^\p{M}/u.test(local)) return false;
  return bytesOf(local) <= MAX_LOCAL_BYTES && bytesOf(`${local}@${ascii}`) <= MAX_BYTES;
}

/**
 * True for an address for which somebody else can vouch. They vouch for this very spelling, which must not be turned into another
 * mailbox's.
 */
export const isVouchable = (email: string): boolean => isEmailAddress(email) && email.normalize('NFC') === email;

/** How many addresses, numbers, passkeys, wallets and social accounts a user can have, of each. */
export const MOST_OF_A_KIND = 50;

/** Refuses one more of a kind for a user who has this many. */
export function checkRoom(count: number): void {
  if (count >= MOST_OF_A_KIND) throw new Refusal('too_many_factors');
}

/** The longest address and local part that SMTP can carry (RFC 5321, section 4.5.3.1), as SMTP counts them. */
const MAX_BYTES = 254;
const MAX_LOCAL_BYTES = 64;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Refuses what is not an email address, with the name of the field. */
export function checkEmail(email: string, field = 'email'): void {
  if (!isEmailAddress(email)) {
    throw new Refusal('invalid_email', undefined, undefined, { [field]: 'must be an email address' });
  }
}

/** The domain of an address in A-labels, by which domains are compared; null for what is no domain of addresses. */
export function emailDomain(domain: string): string | null {
  return isEmailAddress(`x@${domain}`) ? asciiDomain(domain) : null;
}

/** Stands for every domain in a list of those that an issuer vouches for. */
export const EVERY_DOMAIN = '*';

/** True for an address in one of the domains that its issuer vouches for: exactly there, and not in a subdomain. */
export function isVouchedDomain(domains: readonly string[], email: string): boolean {
  const domain = emailDomain(splitEmail(email)[1]);
  return domain !== null && domains.some((each) => each === EVERY_DOMAIN || emailDomain(each) === domain);
}

/**
 * The small letter of a capital, where each has no other partner. Folding all of Unicode would let one mailbox pass for
 * another: the dotless ı has the capital I, the final ς the capital Σ.
 */
function smallLetter(letter: string): string {
  const small = letter.toLowerCase();
  return small.toUpperCase() === letter ? small : letter;
}

/**
 * The form of an address by which it is found: the domain in A-labels, and neither capitals nor decomposed letters. It merges
 * ways to write one address, and no two addresses that only look alike.
 */
export function emailKey(email: string): string {
  const [local, domain] = splitEmail(email);
  const small = (text: string): string => Array.from(text, smallLetter).join('');
  // Once more at the end: J\u030C has no composed form, its small letter \u01F0 has one.
  const name = isPlain(local) ? small(local.normalize('NFC')).normalize('NFC') : small(local);
  return domain === '' ? name : `${name}@${asciiDomain(domain) ?? domain}`;
}

/**
 * The keys under which an address may be stored. Before A-labels were the form to compare, the key of an address in another
 * script was the address with small ASCII letters: as it is given here, or as it is usually written.
 */
export function emailKeys(email: string): readonly string[] {
  const key = emailKey(email);
  const former = email.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
  return [...new Set([former, writtenEmail(key), key])];
}

/** What is known of an address or number, and of its user. */
interface ContactStatus {
  readonly verified: boolean;
  readonly status: string;
  /** True if the app's own server made the user, or gave them something. */
  readonly managed?: boolean;
}

/**
 * True for an address or number that stays with its user even if somebody vouches for another: it is verified, or the app manages
 * the user. Anybody can sign up with an address, whatever else the sign-up proves.
 */
export function isTaken({ verified, managed = false }: Omit<ContactStatus, 'status'>): boolean {
  return verified || managed;
}

/** True for an address or number with which nobody else can sign up: a page does not vouch for its visitor. */
export function isSignedUp(known: ContactStatus): boolean {
  return isTaken(known) || known.status === 'active';
}

/**
 * True for a user who has proven something: an address or number, a social account or a wallet. A password, a passkey or an
 * authenticator app does not count: whoever signs up with the address of somebody else adds them at will.
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

/** A user's name on the wire: every part is there. */
export function wholeName(name: UserName): UserName {
  return { first_name: '', middle_name: '', last_name: '', ...name };
}

/** Merges the given parts into the name. Null empties a part; unknown parts are dropped. */
export function mergeName(before: UserName, given: Readonly<Record<string, unknown>>): UserName {
  const parts = NAMES.filter((part) => given[part] !== undefined).map((part) => {
    const value = given[part] ?? '';
    if (typeof value !== 'string' || value.length > MAX_NAME || /\0|\p{Surrogate}/u.test(value)) {
      const message = `${part} must be a string of at most ${MAX_NAME} characters`;
      throw new SchemaRefusal([{ dataPath: ['name', part], message }]);
    }
    return [part, value];
  });
  return { ...before, ...(Object.fromEntries(parts) as UserName) };
}

/**
 * Refuses a user without a login factor: an account that nobody can enter is lost to its user, and a stolen session must
 * not do that to them. A password counts with the address that it is used with; an authenticator app alone logs nobody in.
 */
export function checkCanEnter(user: User): void {
  if (!hasWayIn(user)) throw new Refusal('cannot_delete_last_factor');
}

/** The reply of `users.search` for an address. A user who never signed in counts as new. */
export function userType(
  known: { readonly status: string; readonly hasPassword: boolean } | undefined,
): 'new' | 'password' | 'passwordless' {
  if (known?.status !== 'active') return 'new';
  return known.hasPassword ? 'password' : 'passwordless';
}
