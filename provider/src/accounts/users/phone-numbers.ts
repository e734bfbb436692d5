import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Project } from '#provider/project/settings/project.ts';

/** Premium-rate numbers: their owner earns from texts and calls. */
const COSTLY: ReadonlySet<string> = new Set(['PREMIUM_RATE', 'SHARED_COST']);
const E164 = /^\+[1-9][0-9]{1,14}$/u;

/** The countries (ISO 3166) to which the project sends text messages. */
export const textCountries = ({ sms_countries }: Pick<Project, 'sms_countries'>): readonly string[] =>
  sms_countries ?? getCountries();

/**
 * Refuses texts that are not a number in E.164, and numbers in countries to which the project sends no text messages.
 *
 * @returns the number's country (ISO 3166), or its calling code, such as `+883`, if that belongs to no country
 */
export function checkPhoneNumber(project: Project, text: string): string {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
  const phone = parsed(text);
  const costly = COSTLY.has(phone.getType() ?? '');
  if (phone.number !== text || !phone.isValid() || costly) throw new Refusal('invalid_phone_number');
  const { sms_countries: countries } = project;
  if (countries !== null && (phone.country === undefined || !countries.includes(phone.country))) {
    throw new Refusal('invalid_phone_number_country_code');
  }
  return phone.country ?? `+${phone.countryCallingCode}`;
}

/**
 * Refuses texts that are not a number in E.164 with a calling code in use. A number of an old numbering plan passes: its user has other
 * ways to log in, and `checkPhoneNumber` prevents texts to it.
 */
export function checkImportedNumber(project: Project, text: string): void {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
  const phone = parsed(text);
  if (phone.isValid() && phone.number === text) {
    checkPhoneNumber(project, text);
    return;
  }
  const { sms_countries: countries } = project;
  const isOfCountry = (each: string): boolean =>
    isSupportedCountry(each) && getCountryCallingCode(each) === phone.countryCallingCode;
  if (countries !== null && !countries.some(isOfCountry)) throw new Refusal('invalid_phone_number_country_code');
}

/**
 * The country (ISO 3166) of a number to which the project sends no text messages, or its calling code, such as `+883`, if that belongs to
 * no country; null for other numbers.
 */
export function countryWithoutTexts(project: Project, text: string): string | null {
  try {
    checkImportedNumber(project, text);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.type === 'invalid_phone_number_country_code' ? countryOf(text) : null;
  }
}

function countryOf(text: string): string | null {
  try {
    const { country, countryCallingCode } = parsePhoneNumberWithError(text);
    return country ?? `+${countryCallingCode}`;
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

function parsed(text: string) {
  try {
    return parsePhoneNumberWithError(text);
  } catch (error) {
    const unknown = error instanceof ParseError && error.message === 'INVALID_COUNTRY';
    throw new Refusal(unknown ? 'invalid_phone_number_country_code' : 'invalid_phone_number');
  }
}
