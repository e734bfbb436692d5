import { afterAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { allFlows } from './all.ts';
import { providerWorlds } from './on-provider.ts';

for (const [name, databaseUrl] of EITHER_DATABASE) {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  afterAll(close);
  allFlows({ describe, it, expect }, `on the provider, ${name}`, makeWorld);
}
