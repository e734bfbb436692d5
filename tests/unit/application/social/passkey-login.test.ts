import { describe, expect, it, vi } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { CHOSEN, no, open, READY } from './passkey-world.ts';

describe('logging in by the passkey button', () => {
  it('leads to the confirmation, and notifies the host', async () => {
    const { send, screen, heard, state, world } = await open();
    await send(CHOSEN);
    expect(screen()).toEqual({ name: 'PasskeyConfirmation' });
    expect(heard.map(({ type }) => type)).toEqual(['PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    expect(state()).toMatchObject({ pending: null, error: null, passkeyUsed: false });
    expect(world.transport.requestsTo(webauthn.authenticateStartPrimary)[0]?.body).toEqual({
      domain: 'localhost',
      return_passkey_credential_options: true,
    });
  });

  it('is quiet when the person ends it, shows a message when the browser fails, and notifies the host of both', async () => {
    const { passkeys, send, screen, state, errors } = await open();
    for (const name of ['NotAllowedError', 'AbortError']) {
      passkeys.refusal = no(name);
      await send(CHOSEN);
      expect([state().pending, state().error]).toEqual([null, null]);
    }
    expect(errors.splice(0)).toMatchObject([{ error_type: 'user_cancel', error_message: 'the browser says no' }]);
    passkeys.refusal = no('OperationError');
    await send(CHOSEN);
    expect(state().error).toMatchObject({ error_type: 'passkey_login_failed' });
    expect(errors[0]).toMatchObject({ error_type: 'passkey_login_failed', error_message: 'the browser says no' });
    passkeys.refusal = null;
    await send(CHOSEN);
    expect([screen().name, state().error]).toEqual(['PasskeyConfirmation', null]);
  });

  it('shows the result of the link until the next try, and notifies the host', async () => {
    const { passkeys, send, state, errors, hold } = await open();
    // Until the browser says that its fields offer none, the login has the link.
    const said: unknown[] = [];
    for (const name of ['NotAllowedError', 'AbortError', 'NotSupportedError', 'OperationError']) {
      passkeys.refusal = no(name);
      await send(CHOSEN);
      // The field's own offer, which begins anew, may fail too; it is told after this.
      const [told] = errors.splice(0);
      said.push([state().passkeyNote, state().error?.kind, told?.kind === 'api' && told.error_type]);
    }
    expect(said).toEqual([
      ['unused', undefined, 'user_cancel'],
      [null, undefined, false],
      ['unsupported', undefined, 'passkey_login_failed'],
      [null, 'api', 'passkey_login_failed'],
    ]);
    passkeys.refusal = no('NotAllowedError');
    await send(CHOSEN);
    expect(state().passkeyNote).toBe('unused');
    hold();
    await send(CHOSEN);
    expect(state().passkeyNote).toBe(null);
  });

  it('asks for passkeys of this device alone at the first press of the link, and for all at the next', async () => {
    const { passkeys, send, state, kinds, screen } = await open();
    passkeys.capabilities.add('immediateGet');
    const pressed = () => kinds().filter((kind) => kind !== 'conditional');
    passkeys.refusal = no('AbortError');
    await send(CHOSEN);
    expect([pressed(), state().passkeyNote]).toEqual([['immediate'], null]);
    passkeys.refusal = no('NotAllowedError');
    await send(CHOSEN);
    expect([pressed(), state().passkeyNote]).toEqual([['immediate', 'immediate'], 'elsewhere']);
    await send(CHOSEN);
    expect([pressed().slice(2), state().passkeyNote]).toEqual([['modal'], 'unused']);
    passkeys.refusal = null;
    await send(CHOSEN);
    expect([pressed().slice(3), screen().name]).toEqual([['modal'], 'PasskeyConfirmation']);
  });

  it('asks for all passkeys by the button, and where the browser cannot ask for those of this device', async () => {
    const { passkeys, send, kinds } = await open();
    passkeys.refusal = no('NotAllowedError');
    await send(CHOSEN);
    passkeys.autofill = false;
    passkeys.capabilities.add('immediateGet');
    await send(READY);
    await send(CHOSEN);
    expect(kinds().filter((kind) => kind !== 'conditional')).toEqual(['modal', 'modal']);
  });

  it('shows nothing of the button', async () => {
    const { passkeys, send, state } = await open();
    passkeys.autofill = false;
    await send(READY);
    passkeys.refusal = no('NotAllowedError');
    await send(CHOSEN);
    expect([state().passkeyAutofill, state().passkeyNote]).toEqual([false, null]);
  });

  it('shows that the server does not know the passkey', async () => {
    const { world, send, state } = await open();
    world.transport.answer(webauthn.authenticate, () => errorReply(404, 'webauthn_registration_not_found'));
    await send(CHOSEN);
    expect(state().error).toMatchObject({ error_type: 'webauthn_registration_not_found' });
  });

  it('begins one ceremony for ten presses, and ends it with the widget', async () => {
    const { hold, widget, passkeys, send, kinds } = await open();
    hold();
    for (let press = 0; press < 10; press += 1) await send(CHOSEN);
    expect([kinds(), passkeys.isRunning]).toEqual([['modal'], true]);
    widget.destroy();
    await vi.waitFor(() => expect(passkeys.isRunning).toBe(false));
  });

  it('ends when a user signs in in another tab, and the widget shows it', async () => {
    const { hold, world, passkeys, send, screen } = await open();
    hold();
    await send(CHOSEN);
    await world.signIn(world.open().client);
    await world.settle();
    expect([screen().name, passkeys.isRunning]).toEqual(['AuthenticateFlowComplete', false]);
  });
});
