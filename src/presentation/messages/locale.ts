import type { Language } from '../../domain/language.ts';
import type { Locale, StringOverrides } from './catalogue.ts';

const LOADERS: { readonly [Name in Exclude<Language, 'en'>]: () => Promise<Readonly<Record<Name, Locale>>> } = {
  de: () => import('./locales/de.ts'),
  es: () => import('./locales/es.ts'),
  fr: () => import('./locales/fr.ts'),
  ja: () => import('./locales/ja.ts'),
  ar: () => import('./locales/ar.ts'),
};

/** Texts that have arrived stay: the same for every widget of a page. English says nothing in place of its own. */
const arrived: Partial<Record<Language, Partial<Locale>>> = { en: {} };

/** The texts of a language, or null until they have arrived. */
export function localeOf(language: Language): Partial<Locale> | null {
  return arrived[language] ?? null;
}

/** Loads a language. What failed to load is tried anew by the next call. */
export async function loadLocale(language: Language): Promise<void> {
  if (language === 'en' || arrived[language]) return;
  const texts: Readonly<Partial<Record<Language, Locale>>> = await LOADERS[language]();
  arrived[language] = texts[language];
}

/** A host's own strings over those of a language. What is no string is left out. */
export function overLocale(language: Language, strings: StringOverrides | undefined): StringOverrides {
  const own = Object.entries(strings ?? {}).filter(([, text]) => typeof text === 'string');
  return { ...localeOf(language), ...Object.fromEntries(own) };
}
