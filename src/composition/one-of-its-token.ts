import type { BrowserPort } from '../application/ports/index.ts';

/** A client's place among those of its page that have the same public token, in the order of their making. */
export interface Place {
  readonly index: number;
  giveUp(): void;
}

/** An adapter that finds every name taken ends the search here. */
const MOST = 1_000;

/** The name that a place is claimed under. */
export const placeName = (publicToken: string, index: number): string =>
  index === 0 ? publicToken : `${publicToken}#${index}`;

export function placeOf(publicToken: string, browser: Pick<BrowserPort, 'claim'>): Place {
  for (let index = 0; ; index += 1) {
    const giveUp = browser.claim(placeName(publicToken, index));
    if (giveUp !== null || index === MOST) return { index, giveUp: () => giveUp?.() };
  }
}
