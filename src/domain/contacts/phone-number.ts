/** Phone numbers as typed and as sent (specification, sections 5 and 9; ITU-T E.164). */

import { withAsciiDigits } from './ascii-digits.ts';

/** The time limits for parsing a submitted number and for formatting a typed one, in milliseconds. */
export const PARSE_MS = 2_000;
export const FORMAT_MS = 10_000;

/** A number as it is sent, and in the international format for people. */
export interface PhoneNumber {
  /** E.164. */
  readonly number: string;
  readonly international: string;
}

/** The typed text with the digits and plus signs of other scripts as ASCII, and without invisible format characters. */
export function plainPhoneText(text: string): string {
  return withAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .trim();
}

/**
 * The number to send when parsing did not finish in time: the calling code and all typed digits, or only the typed digits when
 * the text begins with a plus (section 5). Null when the result does not have the form of E.164.
 */
export function unparsedNumber(text: string, callingCode: string): PhoneNumber | null {
  const plain = plainPhoneText(text);
  const digits = plain.replace(/\D/gu, '');
  const [number, international] = plain.startsWith('+')
    ? [`+${digits}`, `+${digits}`]
    : [`+${callingCode}${digits}`, `+${callingCode} ${digits}`];
  return digits !== '' && /^\+[1-9]\d{1,14}$/u.test(number) ? { number, international } : null;
}

/** The text without its leading calling code, for the choice of another country. */
export function withoutCallingCode(text: string, callingCode: string): string {
  const start = `+${callingCode}`;
  return text.startsWith(start) ? text.slice(start.length).trimStart() : text;
}
