import { CALLING_CODES, mainCountryOf } from '#domain/contacts/calling-codes.ts';
import type { Language } from '#domain/widget/language.ts';
import { countryName } from './country-name.ts';

/** A country in the list, with its search words. */
export interface Country {
  readonly country: string;
  readonly name: string;
  readonly code: string;
  /** Search words without case and accents: the name in the widget's language and in English, the ISO code, common names. */
  readonly words: readonly string[];
}

const ALSO: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae'],
  CI: ['ivory coast'],
  CZ: ['czech republic'],
  GB: ['uk', 'great britain', 'england', 'scotland', 'wales'],
  NL: ['holland'],
  TR: ['turkey'],
  US: ['usa', 'america'],
};

/** The text without case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** All countries, sorted by name, with the likely one first. */
export function countriesIn(language: Language, likely: string): readonly Country[] {
  const { compare } = new Intl.Collator([language]);
  const all = [...CALLING_CODES].map(([country, code]): Country => {
    const name = countryName(country, language);
    const words = [name, countryName(country, 'en'), country, ...(ALSO[country] ?? [])].map(fold);
    return { country, name, code, words };
  });
  const first = (one: Country): number => (one.country === likely ? 0 : 1);
  return all.sort((a, b) => first(a) - first(b) || compare(a.name, b.name));
}

/** The rank of a country in a search: 0 is best; null when it does not match. */
function rank({ country, code, words }: Country, search: string): number | null {
  const digits = search.replace(/^\+/u, '').replace(/\s/gu, '');
  if (/^\d+$/u.test(digits)) {
    if (code === digits) return mainCountryOf(code) === country ? 0 : 1;
    return code.startsWith(digits) ? 2 : null;
  }
  if (words.includes(search)) return 0;
  if (words.some((word) => word.startsWith(search))) return 1;
  if (words.some((word) => word.includes(` ${search}`))) return 2;
  return search.length > 1 && words.some((word) => word.includes(search)) ? 3 : null;
}

/** The countries that match a search by name, ISO code or calling code, the best first. */
export function countriesFound(countries: readonly Country[], search: string): readonly Country[] {
  const query = fold(search.trim());
  if (query === '' || query === '+') return countries;
  return countries
    .map((one) => ({ one, at: rank(one, query) }))
    .filter((found): found is { one: Country; at: number } => found.at !== null)
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
