import { lateTexts } from './late-texts.ts';
import type { FactorTexts } from './catalogue.ts';

/** Only logins with a second factor show these texts, so they are not in the files that every login loads. */
export const FACTOR_TEXTS = lateTexts<FactorTexts>({
  de: () => import('./de/factors.ts'),
  es: () => import('./es/factors.ts'),
  fr: () => import('./fr/factors.ts'),
  ja: () => import('./ja/factors.ts'),
  ar: () => import('./ar/factors.ts'),
  pt: () => import('./pt/factors.ts'),
  zh: () => import('./zh/factors.ts'),
});
