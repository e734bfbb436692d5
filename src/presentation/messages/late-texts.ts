import { codeLoad } from '#domain/code-loads.ts';
import { later, type Later } from '#domain/later.ts';
import type { Language } from '#domain/widget/language.ts';

type TranslatedLanguage = Exclude<Language, 'en'>;

/** Texts by language, shared by all widgets of a page. The other languages replace English. */
export interface LateTexts<Texts> {
  /** The texts of a language, or null until they are loaded. */
  readonly textsOf: (language: Language) => Partial<Texts> | null;
  /** Loads a language. After a failure, the next call tries again. */
  readonly load: (language: Language) => Promise<unknown>;
}

/** @param loaders import the file of each language, which exports its texts under the code of the language */
export function lateTexts<Texts extends object>(loaders: {
  readonly [Name in TranslatedLanguage]: () => Promise<Readonly<Record<Name, Texts>>>;
}): LateTexts<Texts> {
  const files: Partial<Record<Language, Pick<Later<Partial<Texts>>, 'value' | 'load'>>> = {
    en: { value: () => ({}), load: async () => ({}) },
  };
  const fileOf = (language: Language) =>
    (files[language] ??= later<Partial<Texts>>(async () => {
      const load: () => Promise<Readonly<Record<string, Texts>>> = loaders[language as TranslatedLanguage];
      return (await codeLoad(load()))[language] ?? {};
    }));
  return {
    textsOf: (language) => fileOf(language).value(),
    load: (language) => fileOf(language).load(),
  };
}
