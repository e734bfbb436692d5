import { afterAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { providerWorlds } from './on-provider.ts';
import { ofFewProjects, someFlows, someOf } from './some-of.ts';

// The fakes play them all, wire/compare.test.ts compares the fakes with the provider, and the provider's own tests have the rules.
for (const [name, databaseUrl] of EITHER_DATABASE) {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  afterAll(close);
  someFlows(ofFewProjects(someOf({ describe, it, expect }, 16)), `on the provider, ${name}`, makeWorld);
}
