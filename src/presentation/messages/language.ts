import { useEffect, useState } from 'react';
import type { ClockPort } from '../../application/ports/index.ts';
import { languageOf, type Language } from '../../domain/language.ts';
import type { Locale, StringOverrides } from './catalogue.ts';

/**
 * The language for what a host says of it; undefined where it says nothing. `auto` is the page's, else the browser's. A
 * language without texts becomes English, and `warn` hears of one that the host named, once; the preference of a page or
 * a browser is no mistake.
 */
export function languageChoice(warn: (message: string) => void): (tag?: unknown) => Language | undefined {
  let warned: unknown = null;
  return (tag) => {
    if (tag === undefined || tag === null) return undefined;
    if (tag === 'auto') return languageOf(document.documentElement.lang || navigator.language || '') ?? 'en';
    const language = typeof tag === 'string' ? languageOf(tag) : null;
    if (language === null && warned !== tag) {
      warned = tag;
      warn(`There are no texts in the language ${JSON.stringify(tag)}, so the widget speaks English.`);
    }
    return language ?? 'en';
  };
}

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

/** How long the first screen waits for its language before it shows in English. */
const PATIENCE_MS = 1_000;

interface Choice {
  readonly asked: Language;
  /** What is spoken; null while nothing may be seen yet. */
  readonly spoken: Language | null;
}

const choose = (asked: Language, before: Language | null): Choice => ({
  asked,
  spoken: localeOf(asked) === null ? before : asked,
});

/**
 * The language to speak. Null while the asked one is on its way to a widget that has shown nothing yet; English when it
 * does not come, and for as long as that language is asked for: words do not change under somebody who reads them.
 */
export function useLanguage(asked: Language, clock: ClockPort): Language | null {
  const [choice, setChoice] = useState(() => choose(asked, null));
  if (choice.asked !== asked) setChoice(choose(asked, choice.spoken));
  useEffect(() => {
    let settled = false;
    const settle = (spoken: Language): void => {
      if (settled) return;
      settled = true;
      setChoice((now) => (now.spoken === spoken && now.asked === asked ? now : { asked, spoken }));
    };
    if (localeOf(asked) !== null) return settle(asked);
    const cancel = clock.after(PATIENCE_MS, () => settle('en'));
    loadLocale(asked).then(
      () => settle(asked),
      () => settle('en'),
    );
    return () => {
      settled = true;
      cancel();
    };
  }, [asked, clock]);
  return choice.spoken;
}
