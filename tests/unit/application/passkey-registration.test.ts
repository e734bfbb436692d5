import { describe, expect, it } from 'vitest';
import { users, webauthn } from '../../../src/application/api/index.ts';
import { PasskeyRegistrationWidget } from '../../../src/application/widget/passkey-registration-widget.ts';
import { errorReply, offline } from '../../../src/infrastructure/fake/fake-reply.ts';
import { openWidget } from './open-widget.ts';
import { TestWorld } from './world.ts';

/** The widget in a page of the world's browser. */
async function open(world: TestWorld) {
  const opened = openWidget((parts, options) => new PasskeyRegistrationWidget(parts, options), {}, { world });
  await world.settle();
  const state = () => opened.store.getState();
  /** What is done outside the clock, such as a signature, takes a few turns. */
  const until = async (done: () => boolean) => {
    for (let turn = 0; turn < 200 && !done(); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await world.settle();
    }
  };
  const create = async () => {
    opened.store.send({ type: 'passkey/createRequested' });
    await until(() => state().pending === null);
  };
  const names = () => state().passkeys?.map(({ name }) => name);
  return { ...opened, state, create, names, until };
}

async function signedIn() {
  const world = new TestWorld();
  const { client } = world.open();
  await world.signIn(client);
  return { client, ...(await open(world)) };
}

async function withPasskey() {
  const opened = await signedIn();
  await opened.create();
  const id = opened.state().passkeys?.[0]?.webauthn_registration_id ?? '';
  return { ...opened, id };
}

describe('setting up a passkey', () => {
  it('makes one, shows it in the list, and tells the host', async () => {
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
      ['UnknownError', 'passkey_login_failed'],
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

  it('tells where it can be done at all', async () => {
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

describe('the list of passkeys', () => {
  it('shows a new name at once, and keeps it when the server agrees', async () => {
    const { store, names, world, id, client } = await withPasskey();
    const gate = world.transport.hold(webauthn.update);
    store.send({ type: 'passkey/renamed', id, name: '<b>Ada’s</b>' });
    expect(names()).toEqual(['<b>Ada’s</b>']);
    await world.settle();
    gate.release();
    await world.settle();
    expect([names(), client.user.getSync()?.webauthn_registrations[0]?.name]).toEqual([
      ['<b>Ada’s</b>'],
      '<b>Ada’s</b>',
    ]);
  });

  it('takes a deleted one out at once, and tells who keeps it', async () => {
    const { store, names, world, id, until } = await withPasskey();
    const gate = world.transport.hold(users.deleteWebauthnRegistration);
    store.send({ type: 'passkey/deleted', id });
    expect(names()).toEqual([]);
    expect(world.authenticator.count).toBe(1);
    await world.settle();
    gate.release();
    await until(() => world.authenticator.count === 0);
    expect([names(), world.authenticator.count]).toEqual([[], 0]);
  });

  it('puts back what was refused, and only logs it', async () => {
    const { store, names, world, id, ports, errors, state } = await withPasskey();
    world.transport.answer(webauthn.update, () => errorReply(500, 'internal_error'));
    world.transport.answer(users.deleteWebauthnRegistration, () => offline());
    store.send({ type: 'passkey/renamed', id, name: 'other' });
    store.send({ type: 'passkey/deleted', id });
    expect(names()).toEqual([]);
    await world.settle();
    expect([names(), errors, state().error, state().toasts]).toEqual([['Passkey'], [], null, []]);
    expect(ports.log.messages('error')).toHaveLength(2);
    expect(world.authenticator.count).toBe(1);
  });

  it('does one thing after the other', async () => {
    const { store, world, id } = await withPasskey();
    const gate = world.transport.hold(webauthn.update);
    store.send({ type: 'passkey/renamed', id, name: 'a' });
    store.send({ type: 'passkey/renamed', id, name: 'b' });
    await world.settle();
    expect(world.transport.requestsTo(webauthn.update)).toHaveLength(1);
    gate.release();
    await world.settle();
    expect(world.transport.requestsTo(webauthn.update).map(({ body }) => body)).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  it('follows another tab', async () => {
    const { names, world, client, id } = await withPasskey();
    await client.webauthn.update({ webauthn_registration_id: id, name: 'from there' });
    await world.settle();
    expect(names()).toEqual(['from there']);
    await client.session.revoke();
    await world.settle();
    expect(names()).toBeUndefined();
  });

  it('is nobody’s where nobody is signed in', async () => {
    const { state, errors, ports } = await open(new TestWorld());
    expect([state().passkeys, errors, ports.log.messages('error')]).toEqual([null, [], []]);
  });

  it('that could not be loaded is only logged', async () => {
    const { world } = await signedIn();
    world.transport.answer(users.me, () => offline());
    const again = await open(world);
    expect([again.names(), again.errors, again.ports.log.messages('error').length]).toEqual([[], [], 1]);
  });
});
