import type { BrowserPort, LogPort } from '../application/ports/index.ts';

/** A client's position among the clients of its page with the same public token, in the order of their creation. */
export interface ClientPosition {
  /** Called when this client is used. Logs a warning once if a later client exists, or if this one was destroyed. */
  used(): void;
  giveUp(): void;
}

/** Limits the search for a free name, in case an adapter reports every name as used. */
const MOST = 1_000;

/**
 * Finds clients of one page that share a public token. A second client is not always a mistake: after a hot reload the earlier
 * client remains, unused. Both are in use if the earlier client is used after the later one was created.
 */
export function positionOf(publicToken: string, browser: Pick<BrowserPort, 'claim'>, log: LogPort): ClientPosition {
  const claim = (index: number): (() => void) | null =>
    browser.claim(index === 0 ? publicToken : `${publicToken}#${index}`);
  let index = 0;
  let own = claim(index);
  while (own === null && index < MOST) own = claim((index += 1));
  let isOver = false;
  let hasWarned = false;
  const warn = (message: string): void => {
    hasWarned = true;
    log.warn(message);
  };
  return {
    used: () => {
      if (hasWarned) return;
      if (isOver) return warn('This client was destroyed. Create another one, or do not call destroy() before you use it.');
      const next = claim(index + 1);
      next?.();
      if (next === null) warn('Another client on this page has the same public token; one is enough.');
    },
    giveUp: () => {
      isOver = true;
      own?.();
    },
  };
}
