import type { BrowserPort, LogPort } from '../application/ports/index.ts';
import { placeName } from './one-of-its-token.ts';

/**
 * Whether another client has the same token is no fault by itself: after a hot reload, the last one is left behind and nobody
 * uses it any more. Two of them are in use when an earlier one is used after a later one was made: of that it warns, once.
 *
 * @returns to be called whenever somebody uses the client
 */
export function warnsWhenUsedTogether(
  publicToken: string,
  index: number,
  { browser, log }: { readonly browser: Pick<BrowserPort, 'claim'>; readonly log: LogPort },
): () => void {
  let hasWarned = false;
  return () => {
    if (hasWarned) return;
    const free = browser.claim(placeName(publicToken, index + 1));
    free?.();
    hasWarned = free === null;
    if (hasWarned) log.warn('Another client on this page has the same public token; one is enough.');
  };
}
