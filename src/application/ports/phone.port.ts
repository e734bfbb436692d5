/** What a number that somebody typed is. */
export type ParsedPhone =
  /** E.164. */
  { readonly valid: true; readonly number: string } | { readonly valid: false };

/**
 * Telephone numbers. `country` is an ISO 3166-1 code, in capitals.
 *
 * - `parse` takes a number as people write it, in the national way or with a plus and the country's code;
 * - `format` writes what is there in the country's national way, also while it is incomplete;
 * - both reject when they cannot tell, such as when their tables do not load; neither takes longer than it must.
 */
export interface PhonePort {
  parse(national: string, country: string): Promise<ParsedPhone>;
  format(national: string, country: string): Promise<string>;
}
