import type { ParsedPhone, PhonePort } from '../../application/ports/index.ts';

/** Telephone numbers by libphonenumber's tables, which are loaded by the first call. */
export class LibPhone implements PhonePort {
  async parse(national: string, country: string): Promise<ParsedPhone> {
    const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
    const phone = parsePhoneNumberFromString(national, country as 'US');
    return phone?.isValid() === true ? { valid: true, number: phone.number } : { valid: false };
  }

  async format(national: string, country: string): Promise<string> {
    const { AsYouType } = await import('libphonenumber-js/min');
    return new AsYouType(country as 'US').input(national);
  }
}
