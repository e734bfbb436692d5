import { keptReset, keyOf, type ResetStorage } from './kept-reset.ts';

/** Deletes a token that was used or refused. */
export function dropReset(place: ResetStorage, token: string): void {
  if (keptReset(place)?.token === token) place.tabStorage.remove(keyOf(place));
}
