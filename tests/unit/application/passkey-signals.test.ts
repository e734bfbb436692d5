import { describe, expect, it } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { Traps } from './resilience/traps.ts';
import { TestWorld } from './world.ts';

const HOUR = { session_duration_minutes: 60 };

/** Somebody who made a passkey in this browser, and deleted it at the server alone. */
async function withForgotten() {
  const world = new TestWorld();
  const { client, tab } = world.open();
  await world.signIn(client);
  const { webauthn_registration_id: id } = await client.webauthn.register({ is_passkey: true });
  // The deletion tells the passkey provider which ones are left, with the options of a registration.
  world.transport.answer(webauthn.registerStart, () => errorReply(503, 'service_unavailable'));
  await client.user.deleteWebauthnRegistration(id);
  return { world, client, tab };
}

describe('a passkey that the server does not know', () => {
  it('is let go of by whoever keeps it, once a login with it was refused', async () => {
    const { world, client } = await withForgotten();
    await client.session.revoke();
    const { client: again } = world.open();
    await expect(again.webauthn.authenticate({ is_passkey: true, ...HOUR })).rejects.toMatchObject({
      error_type: 'webauthn_registration_not_found',
    });
    await expect.poll(() => world.authenticator.count).toBe(0);
  });

  it('is let go of at once where a call of this browser deletes it', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    await world.signIn(client);
    const { webauthn_registration_id: id } = await client.webauthn.register({ is_passkey: true });
    expect(world.authenticator.count).toBe(1);
    await client.user.deleteWebauthnRegistration(id);
    await expect.poll(() => world.authenticator.count).toBe(0);
  });

  it('is kept with a session: it may be a valid one of another user', async () => {
    const { world, client } = await withForgotten();
    world.transport.answer(webauthn.authenticateStartSecondary, () => ({
      public_key_credential_request_options: JSON.stringify({ challenge: 'AAAA', rpId: 'localhost' }),
    }));
    world.transport.answer(webauthn.authenticate, () => errorReply(404, 'webauthn_registration_not_found'));
    await expect(client.webauthn.authenticate(HOUR)).rejects.toThrow();
    await world.settle();
    expect(world.authenticator.count).toBe(1);
  });

  it('is kept when the login failed for any other reason', async () => {
    const { world, client } = await withForgotten();
    await client.session.revoke();
    world.transport.answer(webauthn.authenticate, () => errorReply(400, 'webauthn_verification_failed'));
    await expect(world.open().client.webauthn.authenticate(HOUR)).rejects.toThrow();
    await world.settle();
    expect(world.authenticator.count).toBe(1);
  });

  it('is refused all the same where the report of it fails, and nothing else happens', async () => {
    const { world, client } = await withForgotten();
    await client.session.revoke();
    const { client: again, tab } = world.open();
    const traps = new Traps();
    let reports = 0;
    tab.webauthn.signalUnknown = async () => {
      reports += 1;
      throw new Error('no');
    };
    await expect(again.webauthn.authenticate(HOUR)).rejects.toMatchObject({
      error_type: 'webauthn_registration_not_found',
    });
    await world.settle();
    expect([reports, await traps.close()]).toEqual([1, []]);
  });
});

describe('renaming a passkey', () => {
  it('shows in the signed-in user at once', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    await world.signIn(client);
    const { webauthn_registration_id } = await client.webauthn.register({ is_passkey: true });
    await client.webauthn.update({ webauthn_registration_id, name: 'My phone' });
    expect(client.user.getSync()?.webauthn_registrations.map(({ name }) => name)).toEqual(['My phone']);
  });
});
