import { languageOf, type Language } from '../domain/language.ts';

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
