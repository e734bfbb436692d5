import { ludsOf, type LudsPolicy } from '#domain/passwords/password-strength.ts';

/** Five words of a list of at least 1,296 have over 51 bits of entropy. */
const WORDS = 5;
const NUMBERS = 2 ** 32;

/** A number below `limit`, each as likely as every other. `random` gives uniform 32-bit integers; those of the last, incomplete round are not used. */
function below(limit: number, random: () => number): number {
  const whole = NUMBERS - (NUMBERS % limit);
  let number = random();
  while (number >= whole) number = random();
  return number % limit;
}

/**
 * Random words joined by hyphens. If the project requires a length or kinds of characters, words, a capital and a digit are added as
 * required.
 */
export function passphrase(words: readonly string[], random: () => number, policy: LudsPolicy | null): string {
  const word = (): string => words[below(words.length, random)] ?? '';
  let phrase = Array.from({ length: WORDS }, word).join('-');
  if (policy === null) return phrase;
  if (ludsOf(phrase, policy).missing_complexity > 0) phrase = phrase.charAt(0).toUpperCase() + phrase.slice(1);
  if (ludsOf(phrase, policy).missing_complexity > 0) phrase += `-${below(10, random)}`;
  while (ludsOf(phrase, policy).missing_characters > 0) phrase += `-${word()}`;
  return phrase;
}
