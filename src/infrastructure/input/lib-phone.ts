import { CALLING_CODES, mainCountryOf } from '../../domain/calling-codes.ts';
import type { FormattedPhone, ParsedPhone, PhonePort } from '../../application/ports/index.ts';

/** The full tables: the small ones take a German number that lacks three digits for a whole one. */
const loadTables = async () => {
  // oxlint-disable-next-line no-restricted-imports -- loaded with import(), when a field needs it
  const { AsYouType, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  return { AsYouType, parsePhoneNumberFromString };
};
type Tables = Awaited<ReturnType<typeof loadTables>>;

/** What a number is written with (ITU-T E.123, and what people make of it). */
const WRITTEN = /^\+?[\d\s().\-\u2010-\u2015/]{0,40}$/u;

/** Telephone numbers by libphonenumber's tables, which are loaded by the first call. */
export class LibPhone implements PhonePort {
  constructor(private readonly load: () => Promise<Tables> = loadTables) {}

  async parse(national: string, country: string): Promise<ParsedPhone> {
    const { parsePhoneNumberFromString } = await this.load();
    const phone = parsePhoneNumberFromString(national, country as 'US');
    return phone?.isValid() === true
      ? { valid: true, number: phone.number, international: phone.formatInternational() }
      : { valid: false };
  }

  async format(national: string, country: string): Promise<FormattedPhone> {
    const { AsYouType } = await this.load();
    if (!WRITTEN.test(national)) return { text: national, country: null };
    const typed = new AsYouType(country as 'US');
    const text = typed.input(national);
    if (!national.startsWith('+')) return { text, country: null };
    const number = typed.getNumber();
    const own = number?.country ?? null;
    if (own !== null && number?.isValid() === true) return { text: number.formatNational(), country: own };
    const code = typed.getCallingCode();
    const shared = code !== undefined && CALLING_CODES.get(country) === code ? country : mainCountryOf(code ?? '');
    return { text, country: own ?? typed.getCountry() ?? shared };
  }
}
