import { useEffect, useState } from 'react';
import type { Language } from '../../domain/widget/language.ts';
import type { AccountTexts } from './catalogue.ts';
import { lateTexts } from './late-texts.ts';

/** These texts are many, and only the account page shows them: they are not in the files that a login loads. */
export const { textsOf: accountTextsOf, load: loadAccountTexts } = lateTexts<AccountTexts>({
  de: () => import('./account/de.ts'),
  es: () => import('./account/es.ts'),
  fr: () => import('./account/fr.ts'),
  ja: () => import('./account/ja.ts'),
  ar: () => import('./account/ar.ts'),
  pt: () => import('./account/pt.ts'),
  zh: () => import('./account/zh.ts'),
});

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
