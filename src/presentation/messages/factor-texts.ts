import { lateTexts } from './late-texts.ts';
import type { FactorTexts } from './catalogue.ts';

/** Only logins with a second factor show these texts: they are not in the files that every login loads. */
export const FACTOR_TEXTS = lateTexts<FactorTexts>({
  de: () => import('./factors/de.ts'),
  es: () => import('./factors/es.ts'),
  fr: () => import('./factors/fr.ts'),
  ja: () => import('./factors/ja.ts'),
  ar: () => import('./factors/ar.ts'),
  pt: () => import('./factors/pt.ts'),
  zh: () => import('./factors/zh.ts'),
});
