import { useEffect, useState } from 'react';
import type { Language } from '../../domain/widget/language.ts';
import type { AccountTexts } from './catalogue.ts';

type TranslatedLanguage = Exclude<Language, 'en'>;

/** These texts are many, and only the account page shows them: they are not in the files that a login loads. */
const LOADERS: { readonly [Name in TranslatedLanguage]: () => Promise<Readonly<Record<Name, AccountTexts>>> } = {
  de: () => import('./account/de.ts'),
  es: () => import('./account/es.ts'),
  fr: () => import('./account/fr.ts'),
  ja: () => import('./account/ja.ts'),
  ar: () => import('./account/ar.ts'),
  pt: () => import('./account/pt.ts'),
  zh: () => import('./account/zh.ts'),
};

const arrived: Partial<Record<Language, AccountTexts | object>> = { en: {} };

/** Loads the account page's texts in a language. After a failure, the next call tries again. */
export async function loadAccountTexts(language: Language): Promise<void> {
  if (language === 'en' || arrived[language]) return;
  const texts: Readonly<Partial<Record<Language, AccountTexts>>> = await LOADERS[language]();
  arrived[language] = texts[language] ?? {};
}

/** The account page's texts that replace the English; null until they are loaded. */
export const accountTextsOf = (language: Language): Partial<AccountTexts> | null => arrived[language] ?? null;

/** The texts to show, which rerender when they arrive; null while they are loading. English when they cannot be loaded. */
export function useAccountTexts(language: Language): Partial<AccountTexts> | null {
  const [, setSettled] = useState<Language | null>(null);
  const [failed, setFailed] = useState<Language | null>(null);
  useEffect(() => {
    let gone = false;
    loadAccountTexts(language).then(
      () => gone || setSettled(language),
      () => gone || setFailed(language),
    );
    return () => {
      gone = true;
    };
  }, [language]);
  return accountTextsOf(language) ?? (failed === language ? {} : null);
}
