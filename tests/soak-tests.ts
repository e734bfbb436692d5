/** The cases of the soak suite, for Vitest. What another suite plays is not listed: a run reports as skipped only what the machine lacks. */
import { describe, it } from 'vitest';
import { SOAK } from './soak.ts';

const nothing = (): void => undefined;
const NONE = Object.assign(nothing, {
  each: () => nothing,
  for: () => nothing,
  runIf: () => NONE,
  skipIf: () => NONE,
}) as unknown;

/** The runner, or one that lists nothing. */
export const listedIf = <Runner>(condition: boolean, runner: Runner): Runner => (condition ? runner : (NONE as Runner));

/** As `it`, in `npm run test:soak` alone. */
export const soakIt = listedIf(SOAK, it);
/** As `describe`, in `npm run test:soak` alone. A file with nothing else is named `*.soak.test.ts`. */
export const soakDescribe = listedIf(SOAK, describe);
