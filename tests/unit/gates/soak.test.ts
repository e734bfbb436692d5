import { describe, expect, it } from 'vitest';
import { oneOf, SOAK } from '../../soak.ts';

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe.skipIf(SOAK)('the cases of every run, which a soak plays whole', () => {
  it('are the first of a list, and each nth after it', () => {
    expect(oneOf(3, COLUMNS)).toEqual(['a', 'd', 'g']);
    expect(oneOf(3, ['a'])).toEqual(['a']);
    expect(oneOf(3, [])).toEqual([]);
  });

  it.each([1, 2, 3, 7, 9])('have each row and each column of a matrix, where a row plays one column of %i', (nth) => {
    const rows = Array.from({ length: nth }, (_, place) => oneOf(nth, COLUMNS, place));
    expect(rows.filter((row) => row.length === 0)).toEqual([]);
    expect([...new Set(rows.flat())].sort()).toEqual(COLUMNS);
    // Any rows that follow each other, not the first ones alone.
    const later = Array.from({ length: nth }, (_, place) => oneOf(nth, COLUMNS, place + 5));
    expect([...new Set(later.flat())].sort()).toEqual(COLUMNS);
  });
});
