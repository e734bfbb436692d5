import type { Language } from '../../domain/widget/language.ts';
import type { AccountTexts } from './catalogue.ts';
import { lateTexts } from './late-texts.ts';
import { useLateTexts } from './useLateTexts.ts';

/** These texts are many, and only the account page shows them: they are not in the files that a login loads. */
const ACCOUNT_TEXTS = lateTexts<AccountTexts>({
  de: () => import('./account/de.ts'),
  es: () => import('./account/es.ts'),
  fr: () => import('./account/fr.ts'),
  ja: () => import('./account/ja.ts'),
  ar: () => import('./account/ar.ts'),
  pt: () => import('./account/pt.ts'),
  zh: () => import('./account/zh.ts'),
});

export const { textsOf: accountTextsOf, load: loadAccountTexts } = ACCOUNT_TEXTS;

/** As `useLateTexts`. */
export const useAccountTexts = (language: Language): Partial<AccountTexts> | null =>
  useLateTexts(ACCOUNT_TEXTS, language);
