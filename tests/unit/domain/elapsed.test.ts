import { expect, it } from 'vitest';
import { ago, elapsed } from '#presentation/parts/passkeys/elapsed.ts';

const DAY_MS = 86_400_000;

it.each([
  [-5_000, [-0, 'second']],
  [59_999, [-0, 'second']],
  [60_000, [-1, 'minute']],
  [3_599_999, [-59, 'minute']],
  [DAY_MS - 1, [-23, 'hour']],
  [29 * DAY_MS, [-29, 'day']],
  [364 * DAY_MS, [-11, 'month']],
  [800 * DAY_MS, [-2, 'year']],
])('%d ms ago is told in the largest whole unit', (span, told) => {
  expect(elapsed(1_000_000, 1_000_000 + span)).toEqual(told);
});

it.each([
  [30_000, 'now'],
  [3 * 3_600_000, '3 hours ago'],
  // Two dates, if the first moment is late in the evening.
  [47 * 3_600_000, '1 day ago'],
  [31 * DAY_MS, '1 month ago'],
])('%d ms ago is a span in words', (span, words) => {
  expect(ago(1_000_000, 1_000_000 + span, 'en')).toBe(words);
});
