import { createHash } from 'node:crypto';

/**
 * A list of passwords known from breaches, queried so that the list never learns the password (k-anonymity).
 *
 * - `prefix` is the first 5 and `suffix` the other 35 of the 40 upper-case hexadecimal digits of the SHA-1;
 * - an adapter for a remote list sends the prefix only, and rejects if the list does not answer.
 */
export interface BreachList {
  hasSuffix(prefix: string, suffix: string): Promise<boolean>;
}

/** The most common passwords. */
const COMMON = `123456 123456789 12345678 password qwerty123 qwerty1 111111 12345 secret 123123 1234567890 1234567 000000
  qwerty abc123 password1 iloveyou 11111111 dragon monkey 123123123 123321 qwertyuiop 00000000 Password 654321 target123
  tinkle zag12wsx 1q2w3e4r 1qaz2wsx superman football baseball welcome welcome1 sunshine princess letmein shadow master
  michael jennifer jordan hunter hunter2 trustno1 batman passw0rd P@ssw0rd Passw0rd Password1 Password123 password123
  admin admin123 administrator root toor login test test123 guest changeme default starwars charlie thomas robert daniel
  andrew joshua matthew jessica ashley amanda nicole hannah hello hello123 freedom whatever nothing cheese computer
  internet samsung google soccer hockey killer pepper ginger summer winter flower buster tigger maggie cookie banana
  asdfghjkl asdfgh zxcvbnm zxcvbn 1q2w3e 1q2w3e4r5t 987654321 666666 777777 888888 121212 112233 159753 147258369 lovely`;

/** About a hundred of the most common passwords. This is the only list unless the operator configures another. */
export const EMBEDDED_BREACHES: BreachList = listOf(COMMON.split(/\s+/u));

export function listOf(passwords: readonly string[]): BreachList {
  const digests = new Set(passwords.map(sha1));
  return { hasSuffix: (prefix, suffix) => Promise.resolve(digests.has(prefix + suffix)) };
}

export async function isBreached(list: BreachList, password: string): Promise<boolean> {
  const digest = sha1(password);
  return list.hasSuffix(digest.slice(0, 5), digest.slice(5));
}

function sha1(password: string): string {
  return createHash('sha1').update(password).digest('hex').toUpperCase();
}
