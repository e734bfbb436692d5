import type { Language } from '../../domain/language.ts';
import type { Locale, StringOverrides } from './catalogue.ts';

const LOADERS: { readonly [Name in Exclude<Language, 'en'>]: () => Promise<Readonly<Record<Name, Locale>>> } = {
  de: () => import('./locales/de.ts'),
  es: () => import('./locales/es.ts'),
  fr: () => import('./locales/fr.ts'),
  ja: () => import('./locales/ja.ts'),
  ar: () => import('./locales/ar.ts'),
};

/** The loaded languages, shared by all widgets of a page. English has no overrides. */
const arrived: Partial<Record<Language, Partial<Locale>>> = { en: {} };

/** The texts of a language, or null until they are loaded. */
export function localeOf(language: Language): Partial<Locale> | null {
  return arrived[language] ?? null;
}

/** Loads a language. After a failure, the next call tries again. */
export async function loadLocale(language: Language): Promise<void> {
  if (language === 'en' || arrived[language]) return;
  const texts: Readonly<Partial<Record<Language, Locale>>> = await LOADERS[language]();
  arrived[language] = texts[language];
}

/** The texts of a language, overridden by the host's own. Values that are not strings are ignored. */
export function overLocale(language: Language, strings: StringOverrides | undefined): StringOverrides {
  const own = Object.entries(strings ?? {}).filter(([, text]) => typeof text === 'string');
  return { ...localeOf(language), ...Object.fromEntries(own) };
}
