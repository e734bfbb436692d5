/**
 * The text with its digits in ASCII. Japanese keyboards produce full-width digits, and Arabic and Persian keyboards those of their
 * script.
 */
export function withAsciiDigits(text: string): string {
  return text.normalize('NFKC').replace(/[\u0660-\u0669\u06F0-\u06F9]/gu, (digit) => String(digit.charCodeAt(0) & 15));
}

/** A code from an authenticator app, or a recovery code, without the spaces and dashes that separate groups. */
export const plainCode = (text: string): string => withAsciiDigits(text).replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
