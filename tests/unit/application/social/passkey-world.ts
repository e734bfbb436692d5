import { expect, vi } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

export const CONFIG: LoginConfig = { products: ['passkeys', 'emailMagicLinks'] };
export const READY = { type: 'passkey/autofillReady' } as const;
export const CHOSEN = { type: 'passkey/chosen' } as const;

/** Somebody with a passkey in this browser, signed out again. */
export async function withPasskey(): Promise<TestWorld> {
  const world = new TestWorld();
  const { client } = world.open();
  await world.signIn(client);
  await client.webauthn.register({ is_passkey: true });
  await client.session.revoke();
  return world;
}

export async function open({ inputs = ['username webauthn'] }: { inputs?: readonly string[] } = {}) {
  const world = await withPasskey();
  const opened = openLogin(CONFIG, { world });
  const passkeys = opened.ports.webauthn;
  passkeys.inputs.push(...inputs);
  let held = false;
  const hold = (): (() => void) => {
    const release = passkeys.hold();
    held = true;
    return () => {
      held = false;
      release();
    };
  };
  const send = async (intent: typeof READY | typeof CHOSEN): Promise<void> => {
    opened.store.send(intent);
    await world.settle();
    // Signing takes the platform's own time.
    await vi.waitFor(() => expect(held || opened.store.getState().pending === null).toBe(true));
    await world.settle();
  };
  const kinds = () => passkeys.ceremonies.map(({ kind }) => kind);
  return { ...opened, passkeys, hold, send, kinds, state: () => opened.store.getState() };
}
/** What a browser rejects with. */
export const no = (name: string) => new DOMException('the browser says no', name);
