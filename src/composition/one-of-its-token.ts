import type { BrowserPort, LogPort } from '../application/ports/index.ts';

/** A client's place among those of its page that have the same public token, in the order of their making. */
export interface Place {
  /** Somebody uses this client. Warns, once, where a later one has been made. */
  used(): void;
  giveUp(): void;
}

/** An adapter that finds every name taken ends the search here. */
const MOST = 1_000;

/**
 * Whether another client has the same token is no fault by itself: after a hot reload, the last one is left behind and nobody
 * uses it any more. Two of them are in use when an earlier one is used after a later one was made.
 */
export function placeOf(publicToken: string, browser: Pick<BrowserPort, 'claim'>, log: LogPort): Place {
  const claim = (index: number): (() => void) | null =>
    browser.claim(index === 0 ? publicToken : `${publicToken}#${index}`);
  let index = 0;
  let own = claim(index);
  while (own === null && index < MOST) own = claim((index += 1));
  let hasWarned = false;
  return {
    used: () => {
      if (hasWarned) return;
      const next = claim(index + 1);
      next?.();
      hasWarned = next === null;
      if (hasWarned) log.warn('Another client on this page has the same public token; one is enough.');
    },
    giveUp: () => own?.(),
  };
}
