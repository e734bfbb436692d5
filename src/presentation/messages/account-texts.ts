import type { Language } from '#domain/widget/language.ts';
import type { AccountTexts } from './catalogue.ts';
import { lateTexts } from './late-texts.ts';
import { useLateTexts } from './useLateTexts.ts';

/** These texts are many, and only the account page shows them, so they are not in the files that a login loads. */
const ACCOUNT_TEXTS = lateTexts<AccountTexts>({
  de: () => import('./de/account.ts'),
  es: () => import('./es/account.ts'),
  fr: () => import('./fr/account.ts'),
  ja: () => import('./ja/account.ts'),
  ar: () => import('./ar/account.ts'),
  pt: () => import('./pt/account.ts'),
  zh: () => import('./zh/account.ts'),
});

export const { textsOf: accountTextsOf, load: loadAccountTexts } = ACCOUNT_TEXTS;

/** Like `useLateTexts`. */
export const useAccountTexts = (language: Language): Partial<AccountTexts> | null =>
  useLateTexts(ACCOUNT_TEXTS, language);
