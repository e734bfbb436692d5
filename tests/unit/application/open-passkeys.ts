import { expect, vi } from 'vitest';
import { passkeyRegistrationWidget } from '#application/widget/widgets.ts';
import { openWidget } from './open-widget.ts';
import { TestWorld } from './world.ts';

/** The widget in a page of the world's browser. */
export async function open(world: TestWorld) {
  const opened = openWidget((services, options) => passkeyRegistrationWidget(services, options), {}, { world });
  await world.settle();
  const state = () => opened.store.getState();
  /** What is done outside the clock, such as a signature, takes a few turns. */
  const until = (done: () => boolean) =>
    vi.waitFor(
      async () => {
        await world.settle();
        expect(done()).toBe(true);
      },
      { interval: 1 },
    );
  const create = async () => {
    opened.store.send({ type: 'passkey/createRequested' });
    await until(() => state().pending === null);
  };
  const names = () => state().passkeys?.map(({ name }) => name);
  return { ...opened, state, create, names, until };
}

export async function signedIn() {
  const world = new TestWorld();
  const { client } = world.open();
  await world.signIn(client);
  return { client, ...(await open(world)) };
}

export async function withPasskey() {
  const opened = await signedIn();
  await opened.create();
  const id = opened.state().passkeys?.[0]?.webauthn_registration_id ?? '';
  return { ...opened, id };
}
