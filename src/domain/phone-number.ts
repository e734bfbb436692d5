/** Telephone numbers as they are typed and sent (specification, sections 5 and 9; ITU-T E.164). */

/** How long a number may take to be parsed when it is submitted, and to be written nicely while it is typed. */
export const PARSE_MS = 2_000;
export const FORMAT_MS = 10_000;

/** A number as it is sent, and as people in other countries read it. */
export interface PhoneNumber {
  /** E.164. */
  readonly number: string;
  readonly international: string;
}

/** What was typed with the digits and the plus of every keyboard as ASCII, and without the marks that contacts copy along. */
export function plainPhoneText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/gu, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Cf}/gu, '')
    .trim();
}

/**
 * What to send when nothing can say in time what the number is: the calling code and every digit that was typed, or the
 * digits alone when they begin with a plus (section 5). Null when that is not even E.164 in form.
 */
export function unparsedNumber(text: string, callingCode: string): PhoneNumber | null {
  const plain = plainPhoneText(text);
  const digits = plain.replace(/\D/gu, '');
  const [number, international] = plain.startsWith('+')
    ? [`+${digits}`, `+${digits}`]
    : [`+${callingCode}${digits}`, `+${callingCode} ${digits}`];
  return digits !== '' && /^\+[1-9]\d{1,14}$/u.test(number) ? { number, international } : null;
}

/** The text without the calling code that it begins with: what is left when somebody chooses another country for it. */
export function withoutCallingCode(text: string, callingCode: string): string {
  const start = `+${callingCode}`;
  return text.startsWith(start) ? text.slice(start.length).trimStart() : text;
}
