import { nearestName } from './option-names.ts';

/** The most letters that a name may differ by from the one that was meant. */
const MOST_EDITS = 2;

/** The letters to insert, remove, replace or swap with their neighbour that make one text of the other. */
function edits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

/**
 * The known name that was meant by a misspelled one: that with the same start, else that with the fewest other letters. Empty when
 * none is near. It is more than the start of a page has room for, so that files use it that load later.
 */
export function meantName(name: string, known: readonly string[]): string {
  const alike = nearestName(name, known);
  if (alike !== '') return alike;
  const most = Math.min(MOST_EDITS, Math.floor(name.length / 3));
  const ranked = known
    .map((other) => ({ other, count: edits(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ count }) => count <= most)
    .sort((a, b) => a.count - b.count);
  return ranked[0]?.other ?? '';
}

/** The question at the end of a sentence about a misspelled name, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = meantName(name, known);
  return meant === '' ? '' : ` Did you mean ${meant}?`;
}
