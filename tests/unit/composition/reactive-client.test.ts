import { expect, it } from 'vitest';
import { reactive } from 'vue';
import type { PorticoClient } from '#composition/client.ts';
import { TestWorld } from '../application/world.ts';

it('a client inside reactive state of Vue logs a user in and out', async () => {
  const world = new TestWorld();
  const state = reactive({ client: world.open().client });
  const client = state.client as PorticoClient;
  expect(client.session.getSync()).toBeNull();
  await world.signIn(client);
  expect(client.session.getSync()).not.toBeNull();
  await client.session.revoke();
  expect(client.session.getSync()).toBeNull();
});
