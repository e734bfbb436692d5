import { expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { AUTHENTICATED } from '#application/api/authenticated.ts';
import { makeFakeWorld } from '../flows/on-fakes.ts';
import { SCRIPTS } from './scripts/all.ts';
import { Wire, type Fields } from './wire.ts';

const MINUTES_MS = 600_000;

/** Repeats each call that succeeds, and collects the names of those that the server then refuses. */
class RepeatingWire extends Wire {
  readonly refused = new Set<string>();

  override async call(...call: Parameters<Wire['call']>): Promise<Fields> {
    const fields = await super.call(...call);
    if (this.lastStatus() > 299) return fields;
    await super.call(...call);
    if (this.lastStatus() > 299) this.refused.add(call[0].name);
    return fields;
  }

  private lastStatus(): number {
    return this.exchanged.at(-1)?.status ?? 0;
  }
}

it('each call that the server accepts once is a login, a removal, or says that it spends something', async () => {
  const refused = new Set<string>();
  for (const { title, pkceRequired = false, run } of Object.values(SCRIPTS).flat()) {
    // oxlint-disable-next-line no-await-in-loop -- one world after the other
    const world = await makeFakeWorld({ pkceRequired, realSignatures: true });
    const wire = new RepeatingWire(world, title.replaceAll(/[^a-z]+/giu, '-').toLowerCase());
    // A script that was written for one call of each may end early.
    // oxlint-disable-next-line no-await-in-loop
    await run(wire).catch(() => undefined);
    for (const name of wire.refused) refused.add(name);
    world.passTime(MINUTES_MS);
    // oxlint-disable-next-line no-await-in-loop
    await world.dispose?.();
  }
  // So that the test notices if nothing is repeated any more.
  expect(refused).toContain('magicLinks.authenticate');
  const isRemoval = ({ method, path }: Endpoint): boolean => method === 'DELETE' || path.endsWith('/revoke');
  const calls = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);
  const unmarked = calls.filter(
    (call) => refused.has(call.name) && !isRemoval(call) && call.reply !== AUTHENTICATED && call.spends !== true,
  );
  expect(unmarked.map(({ name }) => name)).toEqual([]);
});
