import { CALLING_CODES, mainCountryOf } from '#domain/contacts/calling-codes.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { FormattedPhone, ParsedPhone, PhonePort } from '#application/ports/index.ts';

/** Loads the full tables: the smaller ones accept a German number with three digits missing. */
const loadTables = async () => {
  // oxlint-disable-next-line no-restricted-imports -- loaded with import(), when a field needs it
  const { AsYouType, parsePhoneNumberFromString } = await codeLoad(import('libphonenumber-js/max'));
  return { AsYouType, parsePhoneNumberFromString };
};
type Tables = Awaited<ReturnType<typeof loadTables>>;

/** The characters of a written number: those of ITU-T E.123, and others that people use. */
const WRITTEN = /^\+?[\d\s().\-\u2010-\u2015/]{0,40}$/u;

/** Phone numbers with libphonenumber's tables, which the first call loads. */
export class LibPhone implements PhonePort {
  constructor(private readonly load: () => Promise<Tables> = loadTables) {}

  async parse(national: string, country: string): Promise<ParsedPhone> {
    const { parsePhoneNumberFromString } = await this.load();
    const read = (text: string) => parsePhoneNumberFromString(text, country as 'US');
    let phone = read(national);
    // Most countries use 00 as the international prefix; others differ, such as 011 in the United States.
    if (phone?.isValid() !== true && national.startsWith('00')) phone = read(`+${national.slice(2)}`);
    // Messages cannot reach an extension; they would go to the main number.
    return phone?.isValid() === true && phone.ext === undefined
      ? { valid: true, number: phone.number, international: phone.formatInternational() }
      : { valid: false };
  }

  async format(national: string, country: string): Promise<FormattedPhone> {
    const { AsYouType } = await this.load();
    if (!WRITTEN.test(national)) return { text: national, country: null };
    const formatter = new AsYouType(country as 'US');
    const text = formatter.input(national);
    if (!national.startsWith('+')) return { text, country: null };
    const number = formatter.getNumber();
    const own = number?.country ?? null;
    if (own !== null && number?.isValid() === true) return { text: number.formatNational(), country: own };
    const code = formatter.getCallingCode();
    const shared = code !== undefined && CALLING_CODES.get(country) === code ? country : mainCountryOf(code ?? '');
    return { text, country: own ?? formatter.getCountry() ?? shared };
  }
}
