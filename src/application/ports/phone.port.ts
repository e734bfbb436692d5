/** What a number that somebody typed is. */
export type ParsedPhone =
  /** E.164, and as people of other countries read it. */
  { readonly valid: true; readonly number: string; readonly international: string } | { readonly valid: false };

/** A number as far as it is typed. */
export interface FormattedPhone {
  readonly text: string;
  /** The country that the number names with a plus, or null. */
  readonly country: string | null;
}

/**
 * Telephone numbers. `country` is an ISO 3166-1 code, in capitals.
 *
 * - `parse` takes a number as people write it, in the national way or with a plus and the country's code; what no
 *   number of its country can be is not valid;
 * - `format` writes what is there in the country's national way, also while it is incomplete, and loses no digit;
 * - what begins with a plus tells its country as soon as that is known, and is written in the national way of that
 *   country once it is complete;
 * - a text with other than digits, a plus and what people put between digits comes back as it is;
 * - what it needs is loaded by the first call; both reject when they cannot tell, such as when it does not load, and the
 *   next call tries anew.
 */
export interface PhonePort {
  parse(national: string, country: string): Promise<ParsedPhone>;
  format(national: string, country: string): Promise<FormattedPhone>;
}
