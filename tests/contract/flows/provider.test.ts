import { afterAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { SOAK } from '../../soak.ts';
import type { TestRunner } from '../runner.ts';
import { allFlows } from './all.ts';
import { providerWorlds } from './on-provider.ts';

/**
 * All cases in soaks, else the first of each flow, and every fourth one: the fakes play them all, wire/compare.test.ts compares the fakes
 * with the provider, and the provider's own tests have the rules.
 */
function someOf(runner: TestRunner): TestRunner {
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
      return SOAK || place % 4 === 1 ? runner.it(title, body) : undefined;
    },
  };
}

for (const [name, databaseUrl] of EITHER_DATABASE) {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  afterAll(close);
  allFlows(someOf({ describe, it, expect }), `on the provider, ${name}`, makeWorld);
}
