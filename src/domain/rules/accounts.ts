import { isEmail } from '../email.ts';
import { hasWayIn, type User, type UserName } from '../user.ts';
import { Refusal, SchemaRefusal } from './refusal.ts';

/** Control and formatting characters: they could end a mail header or show another address than they are. */
const INVISIBLE = /\p{C}/u;

/** Refuses what is not an email address. */
export function checkEmail(email: string): void {
  if (!isEmail(email) || INVISIBLE.test(email)) throw new Refusal('invalid_email');
}

/** ASCII only: folding all of Unicode would let one mailbox pass for another (K and the Kelvin sign). */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
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
