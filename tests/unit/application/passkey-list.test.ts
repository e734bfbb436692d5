import { describe, expect, it } from 'vitest';
import { users, webauthn } from '#application/api/index.ts';
import type { User } from '#domain/users/user.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { open, signedIn, withPasskey } from './open-passkeys.ts';
import { TestWorld } from './world.ts';

describe('the list of passkeys', () => {
  it('shows a new name at once, and keeps it when the server agrees', async () => {
    const { store, names, world, id, client, until } = await withPasskey();
    const gate = world.transport.hold(webauthn.update);
    store.send({ type: 'passkey/renamed', id, name: '<b>Ada’s</b>' });
    expect(names()).toEqual(['<b>Ada’s</b>']);
    await world.settle();
    gate.release();
    await until(() => client.user.getSync()?.webauthn_registrations[0]?.name === '<b>Ada’s</b>');
    expect(names()).toEqual(['<b>Ada’s</b>']);
  });

  it('takes a deleted one out at once, and reports who keeps it', async () => {
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

  it('undoes refused changes, and only logs the errors', async () => {
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

  it('shows that a second factor is missing, puts the passkey back, and goes on once it is there', async () => {
    const { store, names, world, id, client, errors, state, ports, until } = await withPasskey();
    const refusal = () => errorReply(403, 'mfa_required');
    world.transport.answer(webauthn.update, refusal);
    world.transport.answer(users.deleteWebauthnRegistration, refusal);
    for (const intent of [
      { type: 'passkey/renamed', id, name: 'other' } as const,
      { type: 'passkey/deleted', id } as const,
    ]) {
      store.send(intent);
      expect(state().error).toBeNull();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await world.settle();
      expect([names(), state().error]).toMatchObject([['Passkey'], { error_type: 'mfa_required' }]);
    }
    expect([errors.length, ports.log.messages('error'), state().screen.name]).toEqual([
      2,
      [],
      'PasskeyRegistrationSuccess',
    ]);
    expect(client.session.getSync()).not.toBeNull();
    expect(world.authenticator.count).toBe(1);
    const user = { ...(client.user.getSync() as User), webauthn_registrations: [] };
    const { user_id } = user;
    world.transport.answer(users.deleteWebauthnRegistration, () => ({ user_id, user, __user: user }));
    store.send({ type: 'passkey/deleted', id });
    await until(() => names()?.length === 0);
    expect(state().error).toBeNull();
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

  it('is unavailable without a session', async () => {
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
