/**
 * Estimates in the browser how hard a password is to guess.
 *
 * - `estimate` resolves with the score of zxcvbn, from 0 (worst) to 4, or null when it is not available; it does not reject;
 * - `hints` are words that an attacker would try first, such as the email address;
 * - the password does not leave the page.
 */
export interface PasswordStrengthPort {
  estimate(password: string, hints: readonly string[]): Promise<number | null>;
}
