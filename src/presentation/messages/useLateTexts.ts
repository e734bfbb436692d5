import { useEffect, useState } from 'react';
import type { Language } from '#domain/widget/language.ts';
import type { LateTexts } from './late-texts.ts';

/**
 * The texts to show, which rerender when they arrive; null while the first ones are loading. Until those of another language arrive, the
 * former ones stay, with what a person has typed beside them. English if they cannot be loaded.
 */
export function useLateTexts<Texts>({ textsOf, load }: LateTexts<Texts>, language: Language): Partial<Texts> | null {
  const [settled, setSettled] = useState<Language | null>(null);
  const [failed, setFailed] = useState<Language | null>(null);
  useEffect(() => {
    let isGone = false;
    load(language).then(
      () => isGone || setSettled(language),
      () => isGone || setFailed(language),
    );
    return () => {
      isGone = true;
    };
  }, [load, language]);
  const former = settled === null ? null : textsOf(settled);
  return textsOf(language) ?? (failed === language ? {} : former);
}
