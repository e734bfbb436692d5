/** Telephone numbers, as far as the first screen knows them (specification, sections 3 and 9). */

/** The ways to send a passcode to a telephone. */
export type PhoneMethod = 'sms' | 'whatsapp';

/** A number as somebody entered it: `country` is an ISO 3166-1 code, in capitals. */
export interface EnteredPhone {
  readonly country: string;
  readonly national: string;
}

export const DEFAULT_COUNTRY = 'US';
export const DEFAULT_CALLING_CODE = '1';

/** The configured country when it has the form of one, else the default. Whether it is one, the table of them tells. */
export function configuredCountry({ defaultCountry: code }: { readonly defaultCountry?: unknown }): string {
  return typeof code === 'string' && /^[a-z]{2}$/iu.test(code) ? code.toUpperCase() : DEFAULT_COUNTRY;
}
