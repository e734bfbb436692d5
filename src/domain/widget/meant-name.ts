import { nearestName } from './option-names.ts';

/** The most letters in which a name differs, in one place, from the one that was meant: one more, one less, another, or two that changed places. */
const MOST_LETTERS = 2;

/** The letters of the longer text between the start and the end that two texts share; two that changed places count as one. */
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
 * The known name that was meant by a misspelled one: that with the same start, else one that differs in one place. Empty when none is
 * near. It is more than the start of a page has room for, so that files use it that load later.
 */
export function meantName(name: string, validNames: readonly string[]): string {
  const most = Math.min(MOST_LETTERS, Math.floor(name.length / 3));
  const isNear = (other: string): boolean => lettersBetween(name.toLowerCase(), other.toLowerCase()) <= most;
  return nearestName(name, validNames) || (validNames.find(isNear) ?? '');
}

/** The question at the end of a sentence about a misspelled name, or nothing. */
export function didYouMean(name: string, validNames: readonly string[]): string {
  const nearest = meantName(name, validNames);
  return nearest === '' ? '' : ` Did you mean ${nearest}?`;
}
