import { later, type Later } from '../../domain/later.ts';
import type { Language } from '../../domain/widget/language.ts';

type TranslatedLanguage = Exclude<Language, 'en'>;

/** Texts by language, shared by all widgets of a page. English is the language that the others replace. */
export interface LateTexts<Texts> {
  /** The texts of a language, or null until they are loaded. */
  readonly textsOf: (language: Language) => Partial<Texts> | null;
  /** Loads a language. After a failure, the next call tries again. */
  readonly load: (language: Language) => Promise<unknown>;
}

const ENGLISH = {};

/** @param loaders import the file of each language, which exports its texts under the code of the language */
export function lateTexts<Texts extends object>(loaders: {
  readonly [Name in TranslatedLanguage]: () => Promise<Readonly<Record<Name, Texts>>>;
}): LateTexts<Texts> {
  const files: Partial<Record<TranslatedLanguage, Later<Texts>>> = {};
  const fileOf = (language: TranslatedLanguage): Later<Texts> => {
    const load: () => Promise<Readonly<Partial<Record<TranslatedLanguage, Texts>>>> = loaders[language];
    return (files[language] ??= later(async () => (await load())[language] as Texts));
  };
  return {
    textsOf: (language) => (language === 'en' ? ENGLISH : fileOf(language).value()),
    load: async (language) => (language === 'en' ? null : fileOf(language).load()),
  };
}
