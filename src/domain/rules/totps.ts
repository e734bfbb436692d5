/** What a client is told of a code of an authenticator app that does not count. */
export const WRONG_TOTP = 'The code is wrong, too old, or was used.';

/** How many codes a new authenticator app comes with. */
export const RECOVERY_CODES = 10;

/** The code as it was made, however it was typed. */
export function normalRecoveryCode(text: string): string {
  const letters = text.normalize('NFKC').toLowerCase().replace(/[\s-]/gu, '');
  return letters.replace(/^(.{4})(.{4})(.{4})$/u, '$1-$2-$3');
}
