import { useEffect, useState } from 'react';
import type { ClockPort } from '../../application/ports/index.ts';
import type { Language } from '../../domain/language.ts';
import { loadLocale, localeOf } from './locale.ts';

/** How long the first screen waits for its language before it shows in English. */
const PATIENCE_MS = 1_000;

interface Choice {
  readonly asked: Language;
  /** What is spoken; null while nothing may be seen yet. */
  readonly spoken: Language | null;
}

const choose = (asked: Language, before: Language | null): Choice => ({
  asked,
  spoken: localeOf(asked) === null ? before : asked,
});

/**
 * The language to speak. Null while the asked one is on its way to a widget that has shown nothing yet; English when it
 * does not come, and for as long as that language is asked for: words do not change under somebody who reads them.
 */
export function useLanguage(asked: Language, clock: ClockPort): Language | null {
  const [choice, setChoice] = useState(() => choose(asked, null));
  if (choice.asked !== asked) setChoice(choose(asked, choice.spoken));
  useEffect(() => {
    let settled = false;
    const settle = (spoken: Language): void => {
      if (settled) return;
      settled = true;
      setChoice((now) => (now.spoken === spoken && now.asked === asked ? now : { asked, spoken }));
    };
    if (localeOf(asked) !== null) return settle(asked);
    const cancel = clock.after(PATIENCE_MS, () => settle('en'));
    loadLocale(asked).then(
      () => settle(asked),
      () => settle('en'),
    );
    return () => {
      settled = true;
      cancel();
    };
  }, [asked, clock]);
  return choice.spoken;
}
