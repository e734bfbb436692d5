import { describe, expect, it, vi } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { openLogin } from '../open-widget.ts';
import { CHOSEN, CONFIG, no, open, READY, withPasskey } from './passkey-world.ts';

describe('passkeys in the form’s field', () => {
  it('are offered when the field is there, and lead to the confirmation', async () => {
    const { hold, send, kinds, screen, state, heard } = await open();
    const release = hold();
    await send(READY);
    expect([kinds(), state().passkeyAutofill, state().pending]).toEqual([['conditional'], true, null]);
    release();
    await vi.waitFor(() => expect(screen()).toEqual({ name: 'PasskeyConfirmation' }));
    expect(heard.map(({ type }) => type)).toEqual(['PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  });

  it('are offered five times, with longer and longer pauses, and then no more, without a word but to the host', async () => {
    const { passkeys, send, kinds, state, errors, world } = await open();
    passkeys.refusal = no('UnknownError');
    await send(READY);
    for (const [tries, pause] of [1_000, 2_000, 4_000, 8_000].entries()) {
      expect(kinds()).toHaveLength(tries + 1);
      await world.clock.advance(pause - 1);
      await world.settle();
      expect(kinds()).toHaveLength(tries + 1);
      await world.clock.advance(1);
      await world.settle();
    }
    await world.clock.advance(600_000);
    await world.settle();
    expect(kinds()).toEqual(Array.from({ length: 5 }, () => 'conditional'));
    expect(errors.map((error) => error.kind === 'api' && error.error_type)).toEqual(
      Array.from({ length: 5 }, () => 'passkey_login_failed'),
    );
    // The next field has tries of its own.
    await send(READY);
    expect(kinds()).toHaveLength(6);
    expect([state().error, passkeys.isRunning]).toEqual([null, false]);
  });

  it('are not offered by a browser that cannot, which the next page knows at once', async () => {
    const { world, passkeys, send, kinds, state } = await open();
    passkeys.autofill = false;
    await send(READY);
    expect([kinds(), state().passkeyAutofill]).toEqual([[], false]);
    expect(openLogin(CONFIG, { world }).store.getState().passkeyAutofill).toBe(false);
  });

  it('are offered only without a session', async () => {
    const world = await withPasskey();
    const { client } = world.open();
    await world.signIn(client);
    const { ports, store } = openLogin(CONFIG, { world });
    ports.webauthn.inputs.push('username webauthn');
    store.send(READY);
    await world.settle();
    expect([store.getState().screen.name, ports.webauthn.ceremonies]).toEqual(['Main', []]);
    expect(world.transport.requestsTo(webauthn.authenticateStartSecondary)).toEqual([]);
    await client.session.revoke();
    await world.settle();
    await vi.waitFor(() => expect(ports.webauthn.ceremonies.map(({ kind }) => kind)).toEqual(['conditional']));
    expect(world.transport.requestsTo(webauthn.authenticateStartSecondary)).toEqual([]);
  });

  it('are not offered without a field that asks for them', async () => {
    const { send, kinds } = await open({ inputs: ['email'] });
    await send(READY);
    expect(kinds()).toEqual([]);
  });

  it('give way to the button’s ceremony, and are offered again when that came to nothing', async () => {
    const { hold, passkeys, send, kinds } = await open();
    const release = hold();
    await send(READY);
    await send(CHOSEN);
    expect([kinds(), passkeys.isRunning]).toEqual([['conditional', 'modal'], true]);
    passkeys.refusal = no('NotAllowedError');
    release();
    hold();
    await vi.waitFor(() => expect(kinds()).toEqual(['conditional', 'modal', 'conditional']));
    expect(passkeys.isRunning).toBe(true);
  });

  it('end when Main is left, and when the widget is gone', async () => {
    const { hold, world, store, widget, passkeys, send, screen } = await open();
    hold();
    await send(READY);
    store.send({ type: 'magicLink/requested', email: 'ada@example.com' });
    await world.settle();
    expect([screen().name, passkeys.isRunning]).toEqual(['EmailConfirmation', false]);
    store.send({ type: 'magicLink/tryAgain' });
    await send(READY);
    expect(passkeys.isRunning).toBe(true);
    widget.destroy();
    await world.settle();
    expect(passkeys.isRunning).toBe(false);
  });

  it('show that the server does not know the passkey that was chosen', async () => {
    const { hold, world, send, state, errors, kinds } = await open();
    const release = hold();
    await send(READY);
    world.transport.answer(webauthn.authenticate, () => errorReply(404, 'webauthn_registration_not_found'));
    release();
    hold();
    await vi.waitFor(() =>
      expect(state()).toMatchObject({ pending: null, error: { error_type: 'webauthn_registration_not_found' } }),
    );
    await world.settle();
    expect([errors.length, kinds().length]).toEqual([1, 2]);
  });

  it('leave the page’s passkeys to whoever else begins a ceremony', async () => {
    const { hold, world, passkeys, send, kinds, api } = await open();
    hold();
    await send(READY);
    const own = api.webauthn.authenticate({ is_passkey: true, session_duration_minutes: 5 });
    own.catch(() => undefined);
    await world.settle();
    expect([kinds(), passkeys.isRunning]).toEqual([['conditional', 'modal'], true]);
  });

  it('are one ceremony at most over a hundred mounts', async () => {
    const world = await withPasskey();
    const ports = new Set<{ readonly isRunning: boolean }>();
    for (let mount = 0; mount < 100; mount += 1) {
      const opened = openLogin(CONFIG, { world });
      opened.ports.webauthn.inputs.push('username webauthn');
      opened.ports.webauthn.hold();
      opened.store.send(READY);
      if (mount % 2 === 0) await world.settle();
      opened.store.send(READY);
      opened.widget.destroy();
      ports.add(opened.ports.webauthn);
    }
    await world.settle();
    expect([...ports].filter(({ isRunning }) => isRunning)).toEqual([]);
  });
});
