/** The error for a code of an authenticator app that is not accepted. */
export const WRONG_TOTP = 'The code is wrong, too old, or was used.';

/** The number of recovery codes of a new authenticator app. */
export const RECOVERY_CODES = 10;

/** The maximum length of an entered code, longer than any spelling of one. */
const LONGEST_TYPED = 256;

/**
 * The recovery code in its original format, from any typed spelling. Empty for longer texts, because normalizing them may take very long.
 */
export function normalRecoveryCode(text: string): string {
  if (text.length > LONGEST_TYPED) return '';
  const letters = text.normalize('NFKC').toLowerCase().replace(/[\s-]/gu, '');
  return letters.replaceAll(/(.{4})(?=.)/gu, '$1-');
}
