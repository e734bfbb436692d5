/** The error for a code of an authenticator app that is not accepted. */
export const WRONG_TOTP = 'The code is wrong, too old, or was used.';

/** The number of recovery codes of a new authenticator app. */
export const RECOVERY_CODES = 10;

/** Longer than a code in any spelling. */
const LONGEST_TYPED = 256;

/** The recovery code in its original format, from any typed spelling; empty for a longer text, whose normal form may take very long. */
export function normalRecoveryCode(text: string): string {
  if (text.length > LONGEST_TYPED) return '';
  const letters = text.normalize('NFKC').toLowerCase().replace(/[\s-]/gu, '');
  return letters.replaceAll(/(.{4})(?=.)/gu, '$1-');
}
