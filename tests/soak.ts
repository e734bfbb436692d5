/** `SOAK=1` runs the tests that are long and rarely fail, and repeats the others more often. */
export const SOAK: boolean = process.env['SOAK'] === '1';

/**
 * Of cases that differ by data alone: all in soaks, else the first and each nth after it.
 *
 * Of a matrix, the columns that its row at `place` plays: with each row the share begins one further, so that each row has a column, and
 * `nth` rows that follow each other have every one.
 */
export const oneOf = <Case>(nth: number, cases: readonly Case[], place = 0): readonly Case[] =>
  cases.filter((_, at) => SOAK || (at + place) % Math.min(nth, cases.length) === 0);

/** These run on React 18 with `SOAK=1`: their screens are the same code, and the hooks and the mounting differ by the version. */
export const SOAK_ON_REACT_18: readonly string[] = [
  'composition/prerendered-widgets',
  'presentation/screens',
  'presentation/passcode',
].map((name) => `tests/unit/${name}.dom.test.tsx`);

/** These run with `SOAK=1` on the renderer of the build for hosts without React, too. */
export const SOAK_WITHOUT_REACT: readonly string[] = [
  'composition/silent-wallets',
  'presentation/borders',
  'presentation/instant-focus.soak',
  'presentation/translated',
].map((name) => `tests/unit/${name}.dom.test.ts`);

/** How many rounds a race of requests has. */
export const RACES = SOAK ? 30 : 1;
