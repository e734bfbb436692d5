import type { BrowserPort, LogPort } from '#application/ports/index.ts';

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
  return {
    used: () => {
      if (hasWarned) return;
      const next = isOver ? null : claim(index + 1);
      next?.();
      hasWarned = next === null;
      if (hasWarned)
        log.warn(
          isOver
            ? 'This client was destroyed; create another one.'
            : 'Another client on this page has the same public token; one is enough.',
        );
    },
    giveUp: () => {
      isOver = true;
      own?.();
    },
  };
}
