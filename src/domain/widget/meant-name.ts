import { nearestName } from './option-names.ts';

/**
 * The maximum number of letters in which a misspelled name differs from a known one. All are in one place: an extra letter, a missing one,
 * another one, or two swapped ones.
 */
const MOST_LETTERS = 2;

/** The length of the difference between two texts, after their common start and end. Two swapped letters count as one. */
function lettersBetween(one: string, other: string): number {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const length = Math.max(one.length, other.length) - start - end;
  const isSwap =
    length === 2 && one.length === other.length && one[start] === other[start + 1] && one[start + 1] === other[start];
  return isSwap ? 1 : length;
}

/**
 * The known name that a misspelled one most likely means: one with the same start, else one that differs in one place. Empty if none is
 * near. Only files that load later use it, because it is too large for the start of a page.
 */
export function meantName(name: string, validNames: readonly string[]): string {
  const most = Math.min(MOST_LETTERS, Math.floor(name.length / 3));
  const isNear = (other: string): boolean => lettersBetween(name.toLowerCase(), other.toLowerCase()) <= most;
  return nearestName(name, validNames) || (validNames.find(isNear) ?? '');
}

/** The question that ends a message about a misspelled name, or an empty text. */
export function didYouMean(name: string, validNames: readonly string[]): string {
  const nearest = meantName(name, validNames);
  return nearest === '' ? '' : ` Did you mean ${nearest}?`;
}
