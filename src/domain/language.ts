/** The languages that the widgets speak (ours). English is built in; the others come when they are asked for. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a BCP 47 tag: `de` for `de-AT`, null for one that the widgets do not speak. */
export function languageOf(tag: string): Language | null {
  const base = tag.trim().toLowerCase().split(/[-_]/u, 1)[0];
  return LANGUAGES.find((language) => language === base) ?? null;
}

/** The side that a language starts from. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
