/** The result of parsing a typed number. */
export type ParsedPhone =
  /** The number in E.164, and in international format. */
  { readonly valid: true; readonly number: string; readonly international: string } | { readonly valid: false };

/** A number, formatted as far as it is typed. */
export interface FormattedPhone {
  readonly text: string;
  /** The country of a number that begins with a plus, or null. */
  readonly country: string | null;
}

/**
 * Phone numbers. `country` is an ISO 3166-1 code, in capitals.
 *
 * - `parse` accepts a number in national format, or with a plus and a calling code; a number that cannot exist in its country
 *   is not valid;
 * - `format` returns the number in the country's national format, even while it is incomplete, and loses no digit;
 * - for a number with a plus, `format` returns the country as soon as it is known, and the national format of that country once
 *   the number is complete;
 * - `format` returns a text with characters other than digits, a plus and the usual separators unchanged;
 * - the first call loads the tables; both methods reject when that fails, and the next call tries again.
 */
export interface PhonePort {
  parse(national: string, country: string): Promise<ParsedPhone>;
  format(national: string, country: string): Promise<FormattedPhone>;
}
