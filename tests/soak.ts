/** `SOAK=1` runs the tests that are long and rarely fail, and repeats the others more often. */
export const SOAK: boolean = process.env['SOAK'] === '1';

/** Of cases that differ by data alone: all in soaks, else the first and each nth after it. */
export const oneOf = <Case>(nth: number, cases: readonly Case[]): readonly Case[] =>
  cases.filter((_, at) => SOAK || at % nth === 0);
