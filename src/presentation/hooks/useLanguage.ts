import { useEffect, useState } from 'react';
import type { ClockPort } from '../../application/ports/index.ts';
import type { Language } from '../../domain/language.ts';
import { loadLocale, localeOf } from '../messages/locale.ts';

/** How long the first screen waits for its language before it shows in English. */
const PATIENCE_MS = 1_000;

interface Choice {
  readonly asked: Language;
  /** The displayed language; null while nothing may show yet. */
  readonly spoken: Language | null;
}

const choose = (asked: Language, before: Language | null): Choice => ({
  asked,
  spoken: localeOf(asked) === null ? before : asked,
});

/**
 * The language to display. Null while the requested language is loading and the widget has not shown anything. English when it
 * does not load in time, and then for as long as that language is requested: a displayed text must not change while it is read.
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
