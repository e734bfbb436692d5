import { describe, expect, it, vi } from 'vitest';
import '#application/use-cases/passkeys/passkey-creation.ts';
import '#application/use-cases/passkeys/passkey-extensions.ts';
import '#application/widget/effects/passkeys/passkey-sign-up.ts';
import type { PasskeyExtensions } from '#domain/prf.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';
import { withPasskey } from './passkey-world.ts';

const ADA = 'ada@example.com';
const FIRST = Uint8Array.from({ length: 32 }, (_, index) => index);

type OpenLogin = ReturnType<typeof openLogin>;

async function eventOf({ heard }: OpenLogin, world: TestWorld, type: string) {
  const found = () => heard.find((event) => event.type === type);
  await vi.waitFor(async () => {
    await world.settle();
    expect(found()).toBeDefined();
  });
  const data = found()?.data as { client_extension_results?: { prf?: { results?: { first: ArrayBuffer } } } };
  return data.client_extension_results;
}

const open = (world: TestWorld, extensions: unknown): OpenLogin =>
  openLogin(
    { products: ['passkeys', 'emailMagicLinks'], passkeyOptions: { signUp: true, extensions: extensions as never } },
    { world },
  );
const hex = (bytes: ArrayBuffer | undefined) => Buffer.from(bytes ?? new ArrayBuffer(0)).toString('hex');
/** Everything that the page has sent. */
const sentBy = (world: TestWorld): string => JSON.stringify(world.transport.requests);

describe('the secrets that a passkey derives in the widget (prf)', () => {
  it.each([
    ['bytes', FIRST],
    ['base64url', Buffer.from(FIRST).toString('base64url')],
  ])('are in the event of a login, by the button and in the field, from %s, and are not sent', async (_, first) => {
    const secrets: string[] = [];
    for (const intent of [{ type: 'passkey/chosen' }, { type: 'passkey/autofillReady' }] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one login after the other
      const world = await withPasskey();
      const opened = open(world, { prf: { eval: { first } } } satisfies PasskeyExtensions);
      opened.ports.webauthn.inputs.push('username webauthn');
      opened.store.send(intent);
      // oxlint-disable-next-line no-await-in-loop
      const results = await eventOf(opened, world, 'PASSKEY_AUTHENTICATE');
      const secret = results?.prf?.results?.first;
      expect(secret?.byteLength).toBe(32);
      const sent = sentBy(world);
      expect(sent).toContain('public_key_credential');
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(sent).not.toContain(Buffer.from(secret ?? new ArrayBuffer(1)).toString(encoding));
      expect(JSON.stringify(opened.store.getState())).not.toContain('client_extension_results');
      secrets.push(hex(secret));
    }
    expect(secrets.every((secret) => secret.length === 64)).toBe(true);
  });

  it('are in the event of a registration that signs up', async () => {
    const world = new TestWorld();
    world.server.settings.passkeySignUp = true;
    const opened = open(world, { prf: { eval: { first: FIRST } } });
    opened.store.send({ type: 'passkey/createRequested', email: ADA });
    const results = await eventOf(opened, world, 'PASSKEY_REGISTER');
    expect(results?.prf).toMatchObject({ enabled: true });
    expect(sentBy(world)).not.toContain(
      Buffer.from(results?.prf?.results?.first ?? new ArrayBuffer(1)).toString('base64url'),
    );
  });

  it('are in no event without the option', async () => {
    const world = await withPasskey();
    const opened = open(world, undefined);
    opened.store.send({ type: 'passkey/chosen' });
    expect(await eventOf(opened, world, 'PASSKEY_AUTHENTICATE')).toBeUndefined();
  });

  it('are not asked for with a wrong value, and the host hears of an error', async () => {
    const world = await withPasskey();
    const opened = open(world, { prf: { eval: { first: 'not base64!' } } });
    opened.store.send({ type: 'passkey/chosen' });
    await vi.waitFor(async () => {
      await world.settle();
      expect(opened.errors[0]).toBeDefined();
    });
    expect(opened.ports.webauthn.ceremonies).toEqual([]);
  });
});
