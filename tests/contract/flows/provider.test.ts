import { afterAll, describe, expect, it } from 'vitest';
import { DATABASES } from '../../../provider/tests/kit/harness.ts';
import { allFlows } from './all.ts';
import { providerWorlds } from './on-provider.ts';

for (const [name, databaseUrl] of DATABASES) {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  afterAll(close);
  allFlows({ describe, it, expect }, `on the provider, ${name}`, makeWorld);
}
