/**
 * How hard a password is to guess, as this browser estimates it.
 *
 * - `estimate` answers zxcvbn's score, from 0 (worst) to 4, or null when it cannot tell; it does not reject;
 * - `hints` are words that somebody else would try first, such as the address;
 * - nothing leaves the page.
 */
export interface PasswordStrengthPort {
  estimate(password: string, hints: readonly string[]): Promise<number | null>;
}
