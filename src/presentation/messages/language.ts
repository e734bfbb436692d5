import { useEffect, useState } from 'react';
import type { ClockPort } from '#application/ports/index.ts';
import { languageOf, type Language } from '#domain/widget/language.ts';
import type { Locale, StringOverrides } from './catalogue.ts';
import { lateTexts } from './late-texts.ts';

/**
 * The language for the host's option; undefined if there is none. `auto` is the page's language, else the browser's. A language without
 * texts becomes English. `warn` is called once if the host named such a language, but not for the preference of a page or a browser.
 */
export function languageChoice(warn: (message: string) => void): (tag?: unknown) => Language | undefined {
  let warned: unknown = null;
  return (tag) => {
    if (tag === undefined || tag === null) return undefined;
    if (tag === 'auto') return languageOf(document.documentElement.lang || navigator.language || '') ?? 'en';
    const language = typeof tag === 'string' ? languageOf(tag) : null;
    if (language === null && warned !== tag) {
      warned = tag;
      warn(`The language ${JSON.stringify(tag)} is not supported; the widget is in English.`);
    }
    return language ?? 'en';
  };
}

export const { textsOf: localeOf, load: loadLocale } = lateTexts<Locale>({
  de: () => import('./de/login.ts'),
  es: () => import('./es/login.ts'),
  fr: () => import('./fr/login.ts'),
  ja: () => import('./ja/login.ts'),
  ar: () => import('./ar/login.ts'),
  pt: () => import('./pt/login.ts'),
  zh: () => import('./zh/login.ts'),
});

/** The texts of a language, overridden by the host's own. Values that are not strings are ignored. */
export function overLocale(language: Language, strings: StringOverrides | undefined): StringOverrides {
  const own = Object.entries(strings ?? {}).filter(([, text]) => typeof text === 'string');
  return { ...localeOf(language), ...Object.fromEntries(own) };
}

/**
 * How long the first screen waits for its language before it is shown in English. A slow phone may need two seconds
 * for the file, and a short wait is better than a login in another language.
 */
const PATIENCE_MS = 3_000;

interface Choice {
  readonly language: Language;
  /** The displayed language; null while nothing may be shown yet. */
  readonly spoken: Language | null;
}

const choose = (language: Language, before: Language | null): Choice => ({
  language,
  spoken: localeOf(language) === null ? before : language,
});

/**
 * The language to display. Null while the requested language is loading and the widget has not shown anything. English if it does not load
 * in time, and then as long as that language is requested, because a displayed text must not change while it is read.
 */
export function useLanguage(language: Language, clock: ClockPort): Language | null {
  const [choice, setChoice] = useState(() => choose(language, null));
  if (choice.language !== language) setChoice(choose(language, choice.spoken));
  useEffect(() => {
    let settled = false;
    const settle = (spoken: Language): void => {
      if (settled) return;
      settled = true;
      setChoice((now) => (now.spoken === spoken && now.language === language ? now : { language, spoken }));
    };
    if (localeOf(language) !== null) return settle(language);
    const cancel = clock.after(PATIENCE_MS, () => settle('en'));
    loadLocale(language).then(
      () => settle(language),
      () => settle('en'),
    );
    return () => {
      settled = true;
      cancel();
    };
  }, [language, clock]);
  return choice.spoken;
}
