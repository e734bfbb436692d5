import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../../../provider/tests/kit/harness.ts';
import { PorticoClient } from '#composition/client.ts';
import { EmulatedWebauthn } from '../../clients/webauthn-emulator.ts';
import { providerWorlds } from './on-provider.ts';
import { factorsOf, HOUR, refusalOf, signIn, SITE, type FlowWorld } from './world.ts';

/** The client and the provider, with an authenticator and a WebAuthn API that nobody here wrote, and no browser. */
describe.each(EITHER_DATABASE)('passkeys of an authenticator of others, on %s', (_, databaseUrl) => {
  const { makeWorld, close } = providerWorlds(databaseUrl);
  let world: FlowWorld;
  afterEach(() => world.dispose?.());
  afterAll(close);

  const opened = async () => {
    world = await makeWorld({ twoFactors: true });
    const webauthn = new EmulatedWebauthn(new URL(SITE).origin);
    const browser = world.newBrowser();
    const open = (): PorticoClient => {
      const adapters = { ...browser.tab(), webauthn };
      const client = new PorticoClient(world.publicToken, { adapters, apiUrl: 'http://localhost:4100' });
      world.after(() => client.destroy());
      return client;
    };
    return { webauthn, client: open(), open };
  };

  it('are registered, log in in another tab, and are gone from the authenticator when the server has none', async () => {
    const { webauthn, client, open } = await opened();
    const email = world.address('ada');
    const { user_id } = await signIn(world, client, email);
    const { webauthn_registration_id } = await client.webauthn.register({ is_passkey: true });
    expect(webauthn.passkeys).toEqual([{ name: email, uses: 0 }]);
    expect(await client.webauthn.register({ is_passkey: true }).catch((error: Error) => error.name)).toBe(
      'NotAllowedError',
    );
    await client.session.revoke();
    const again = open();
    expect((await again.webauthn.authenticate({ is_passkey: true, ...HOUR }))?.user_id).toBe(user_id);
    expect([factorsOf(again), webauthn.passkeys]).toEqual([['webauthn'], [{ name: email, uses: 1 }]]);
    await again.user.deleteWebauthnRegistration(webauthn_registration_id);
    expect(again.user.getSync()?.webauthn_registrations).toEqual([]);
    // The client reports the passkeys that the server still has.
    await expect.poll(() => webauthn.passkeys).toEqual([]);
    await again.session.revoke();
    const login = async () => open().webauthn.authenticate({ is_passkey: true, ...HOUR });
    expect(await login().catch((error: Error) => error.name)).toBe('NotAllowedError');
  });

  it('are the second factor of their own user alone', async () => {
    const { webauthn, client, open } = await opened();
    const email = world.address('ada');
    await signIn(world, client, email);
    await client.webauthn.register({ is_passkey: true });
    await client.session.revoke();
    const again = open();
    const { mfa } = await signIn(world, again, email);
    expect([mfa?.factors, again.session.getSync()]).toEqual([['webauthn'], null]);
    await again.webauthn.authenticate({ is_passkey: true, ...HOUR });
    expect([factorsOf(again), webauthn.passkeys]).toEqual([['otp', 'webauthn'], [{ name: email, uses: 1 }]]);
    await again.session.revoke();
    const eve = open();
    await signIn(world, eve, world.address('eve'));
    expect(await refusalOf(eve.webauthn.authenticate(HOUR))).toBe('webauthn_registration_not_found');
    expect(factorsOf(eve)).toEqual(['otp']);
  });
});
