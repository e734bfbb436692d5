import { describe, expect, it } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { signedIn, withPasskey } from './open-passkeys.ts';

describe('setting up a passkey', () => {
  it('makes one, shows it in the list, and notifies the host', async () => {
    const { create, screen, names, heard, world } = await signedIn();
    expect([screen(), names()]).toEqual([{ name: 'PasskeyRegistrationStart', creation: 'here' }, []]);
    await create();
    expect([screen(), names()]).toEqual([{ name: 'PasskeyRegistrationSuccess', created: true }, ['Passkey']]);
    expect(heard).toMatchObject([{ type: 'PASSKEY_REGISTER', data: { webauthn_registration_id: expect.anything() } }]);
    expect(world.transport.requestsTo(webauthn.registerStart)[0]?.body).toMatchObject({
      domain: 'localhost',
      return_passkey_credential_options: true,
    });
    expect(world.transport.requestsTo(webauthn.register)[0]?.body).toMatchObject({
      session_duration_minutes: 30,
      is_passkey: true,
    });
  });

  it('can be skipped, which ends the ceremony and says nothing of a success', async () => {
    const { store, ports, state, screen, heard, errors, until } = await signedIn();
    ports.webauthn.hold();
    store.send({ type: 'passkey/createRequested' });
    await until(() => ports.webauthn.isRunning);
    store.send({ type: 'passkey/skipped' });
    await until(() => !ports.webauthn.isRunning);
    expect(ports.webauthn.isRunning).toBe(false);
    expect([screen(), state().pending, state().error]).toEqual([
      { name: 'PasskeyRegistrationSuccess', created: false },
      null,
      null,
    ]);
    expect([heard, errors]).toEqual([[{ type: 'PASSKEY_SKIP', data: {} }], []]);
    store.send({ type: 'passkey/anotherRequested' });
    expect(screen().name).toBe('PasskeyRegistrationStart');
    store.send({ type: 'passkey/done' });
    expect(heard.at(-1)).toEqual({ type: 'PASSKEY_DONE', data: {} });
  });

  it('says in its own words what the browser refuses, and what the server does in the server’s', async () => {
    const cases = [
      ['NotAllowedError', 'passkey_not_created'],
      ['AbortError', 'passkey_not_created'],
      ['SecurityError', 'passkey_not_created'],
      ['NotSupportedError', 'passkey_not_created'],
      ['ConstraintError', 'passkey_not_created'],
      ['InvalidStateError', 'passkey_already_registered'],
      ['UnknownError', 'passkey_not_created'],
    ] as const;
    for (const [name, error_type] of cases) {
      const { ports, create, state, screen, errors } = await signedIn();
      ports.webauthn.refusal = new DOMException('no', name);
      await create();
      expect([screen().name, state().error, errors.length]).toMatchObject([
        'PasskeyRegistrationStart',
        { error_type },
        1,
      ]);
    }
    const refused = await signedIn();
    refused.world.transport.answer(webauthn.register, () => errorReply(400, 'duplicate_webauthn_registration'));
    await refused.create();
    expect(refused.state().error).toMatchObject({ error_type: 'duplicate_webauthn_registration' });
  });

  it.each([
    [400, 'invalid_public_key_credential', 0],
    [403, 'mfa_required', 0],
    [400, 'duplicate_webauthn_registration', 1],
    [503, 'service_unavailable', 1],
  ])('that the server refuses with %i %s leaves %i passkeys in the browser', async (status, type, count) => {
    const { world, ports, create } = await signedIn();
    world.transport.answer(webauthn.register, () => errorReply(status, type));
    await create();
    expect(ports.webauthn.authenticator.count).toBe(count);
  });

  it('shows that a second factor is missing, and can be tried again once it is there', async () => {
    for (const endpoint of [webauthn.registerStart, webauthn.register]) {
      const { world, create, state, screen, errors, client } = await signedIn();
      world.transport.answer(endpoint, () => errorReply(403, 'mfa_required'));
      await create();
      expect([screen().name, state().error, state().pending, errors.length]).toMatchObject([
        'PasskeyRegistrationStart',
        { error_type: 'mfa_required' },
        null,
        1,
      ]);
      expect(client.session.getSync()).not.toBeNull();
    }
  });

  it('is not done twice in one authenticator', async () => {
    const { store, create, state } = await withPasskey();
    store.send({ type: 'passkey/anotherRequested' });
    await create();
    expect(state().error).toMatchObject({ error_type: 'passkey_already_registered' });
  });

  it('is one ceremony for ten presses, and none once the widget is gone', async () => {
    const { store, ports, widget, until } = await signedIn();
    ports.webauthn.hold();
    for (let press = 0; press < 10; press += 1) store.send({ type: 'passkey/createRequested' });
    await until(() => ports.webauthn.isRunning);
    expect(ports.webauthn.ceremonies).toHaveLength(1);
    widget.destroy();
    await until(() => !ports.webauthn.isRunning);
    expect(ports.webauthn.isRunning).toBe(false);
  });

  it('reports where it can be done at all', async () => {
    const { store, ports, screen, world } = await signedIn();
    for (const [supported, platform, creation] of [
      [true, false, 'elsewhere'],
      [false, true, 'none'],
    ] as const) {
      Object.assign(ports.webauthn, { supported, platform });
      store.send({ type: 'passkey/skipped' });
      store.send({ type: 'passkey/anotherRequested' });
      await world.settle();
      expect(screen()).toEqual({ name: 'PasskeyRegistrationStart', creation });
    }
  });
});
