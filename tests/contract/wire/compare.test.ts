import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { makeFakeWorld } from '../flows/on-fakes.ts';
import { providerWorlds } from '../flows/on-provider.ts';
import type { MakeFlowWorld } from '../flows/world.ts';
import { comparable, Names } from './normalise.ts';
import { SCRIPTS } from './scripts/all.ts';
import { signIn } from './scripts/people.ts';
import { Wire, type Script } from './wire.ts';
import { oneOf } from '../../soak.ts';

const open = async (wire: Wire): Promise<void> => void (await signIn(wire));

async function replies(makeWorld: MakeFlowWorld, { title, pkceRequired = false, run }: Script) {
  const world = await makeWorld({ pkceRequired, realSignatures: true });
  try {
    const wire = new Wire(world, title.replaceAll(/[^a-z]+/giu, '-').toLowerCase());
    await run(wire);
    return comparable(wire.exchanged, new Names(wire.began));
  } finally {
    await world.dispose?.();
  }
}

for (const [name, databaseUrl] of EITHER_DATABASE) {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  // Opening a database takes seconds, and so do its first keys.
  beforeAll(async () => {
    for (const pkceRequired of [false, true]) await replies(makeWorld, { title: 'opening', pkceRequired, run: open });
  });
  afterAll(close);

  describe.each(Object.entries(SCRIPTS))(`the fake server answers as the provider on ${name}: %s`, (_, scripts) => {
    it.each(oneOf(6, scripts).map((script) => [script.title, script] as const))('%s', async (_title, script) => {
      const [fake, provider] = [await replies(makeFakeWorld, script), await replies(makeWorld, script)];
      expect(fake).toEqual(provider);
    });
  });
}
