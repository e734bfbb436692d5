/** The languages of the widgets (ours, not in the specification). English is built in; the others load when requested. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'ar', 'pt', 'zh'] as const;
/** The code of a language in which the widgets have texts (BCP 47). */
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of a BCP 47 tag: `de` for `de-AT`; null for a language that the widgets do not support. Chinese is written in
 * simplified characters, so a tag of a place or script with traditional characters is not supported.
 */
export function languageOf(tag: string): Language | null {
  const lowerTag = tag.trim().toLowerCase();
  if (/^zh[-_](?:hant|tw|hk|mo)/u.test(lowerTag)) return null;
  const base = lowerTag.split(/[-_]/u, 1)[0];
  return LANGUAGES.find((language) => language === base) ?? null;
}

/** The writing direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
