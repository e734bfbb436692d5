import { isEmail } from '../email.ts';
import { asciiDomain, isPlain, splitEmail, writtenEmail } from '../international-domain.ts';
import { hasWayIn, type User, type UserName } from '../user.ts';
import { Refusal, SchemaRefusal } from './refusal.ts';

/** Characters without a shape of their own: they could end a mail header, or show another address than they are. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True for an address that no software takes for another one, in any script. */
export function isEmailAddress(text: string): boolean {
  if (!isEmail(text) || INVISIBLE.test(text) || !isPlain(text)) return false;
  const [local, domain] = splitEmail(text);
  const ascii = asciiDomain(domain);
  // A mark alone would be drawn over the letter before it.
  if (ascii === null || /^\p{M}/u.test(local)) return false;
  return new TextEncoder().encode(`${local}@${ascii}`).length <= MAX_BYTES;
}

/**
 * True for an address for which somebody else can vouch. They vouch for this very spelling, which must not be turned into another
 * mailbox's.
 */
export const isVouchable = (email: string): boolean => isEmailAddress(email) && email.normalize('NFC') === email;

/** The longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3), as SMTP counts it. */
const MAX_BYTES = 254;

/** Refuses what is not an email address. */
export function checkEmail(email: string): void {
  if (!isEmailAddress(email)) throw new Refusal('invalid_email');
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
interface Known {
  readonly verified: boolean;
  readonly status: string;
  /** True if the app's own server made the user, who may have roles. */
  readonly managed?: boolean;
}

/** False for an unverified address or number of a user who never signed in, unless the app's own server made the user. */
export function isTaken({ verified, status, managed = false }: Known): boolean {
  return verified || managed || status === 'active';
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
