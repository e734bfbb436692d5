import type { BrowserPort, LogPort } from '../application/ports/index.ts';

/** A client's place among those of its page that have the same public token, in the order of their making. */
export interface Place {
  /** Called when this client is used. Warns once if a later client has been made. */
  used(): void;
  giveUp(): void;
}

/** The search for a free name ends here, for an adapter that finds every name taken. */
const MOST = 1_000;

/**
 * Finds clients of one page that share a public token. A second client alone is no fault: after a hot reload the earlier one is
 * left behind unused. Both are in use when the earlier one is used after the later one was made.
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
