import { SOAK } from '../../soak.ts';
import type { TestRunner } from '../runner.ts';

/** A runner for all cases in soaks, else for the first of each flow, and each nth one after it: other files play them all. */
export function someOf(runner: TestRunner, nth: number): TestRunner {
  let place = 0;
  return {
    ...runner,
    describe(title, body) {
      // Vitest runs the body after the file: each flow counts its own cases.
      return runner.describe(title, () => {
        place = 0;
        body();
      });
    },
    it(title, body) {
      place += 1;
      return SOAK || place % nth === 1 ? runner.it(title, body) : undefined;
    },
  };
}
