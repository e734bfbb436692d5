import type { AuthError, SDKAPIError } from '../errors.ts';
import type { PHONE_METHODS } from './channels.ts';

/** The part of the phone number rules that the first screen needs (specification, sections 3 and 9). */

/** The ways to send a passcode to a phone number. */
export type PhoneMethod = (typeof PHONE_METHODS)[number];

/** A number as it was entered: `country` is an ISO 3166-1 alpha-2 code in capitals. */
export interface EnteredPhone {
  readonly country: string;
  readonly national: string;
}

export const DEFAULT_COUNTRY = 'US';
export const DEFAULT_CALLING_CODE = '1';

/** The configured country when it has the form of a country code, else the default. The table of countries is not checked. */
export function configuredCountry({ defaultCountry: code }: { readonly defaultCountry?: unknown }): string {
  return typeof code === 'string' && /^[a-z]{2}$/iu.test(code) ? code.toUpperCase() : DEFAULT_COUNTRY;
}

/**
 * True if the server refused the number itself, so that the form shows the error at its field. `failed` is the intent that caused the
 * error.
 */
export const blamesPhone = (error: AuthError | null, failed: string | null): error is SDKAPIError =>
  failed === 'phone/requested' && error?.kind === 'api' && error.error_type.startsWith('invalid_phone');
