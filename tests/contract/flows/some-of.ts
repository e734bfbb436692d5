import { SOAK } from '../../soak.ts';
import type { TestRunner } from '../runner.ts';
import { allFlows, flowsWithoutScript } from './all.ts';

/** In soaks all flows, else those that no other file plays on the provider request by request. */
export const someFlows = SOAK ? allFlows : flowsWithoutScript;

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

const OTHER_PROJECT = /with a proof key|for everybody/u;

/** A runner for all flows in soaks, else without those that differ from another by the project alone: each would start a server. */
export function ofFewProjects(runner: TestRunner): TestRunner {
  return {
    ...runner,
    describe: (title, body) => (!SOAK && OTHER_PROJECT.test(title) ? undefined : runner.describe(title, body)),
  };
}
