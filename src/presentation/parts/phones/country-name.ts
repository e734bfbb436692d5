import type { Language } from '#domain/widget/language.ts';

/** A country's name in a language; its code if the browser has no names. */
export function countryName(country: string, language: Language): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country;
  } catch {
    return country;
  }
}
