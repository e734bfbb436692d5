import { describe, expect, it } from 'vitest';
import { PorticoClient } from '#composition/client.ts';
import { TestWorld, TOKEN } from './world.ts';

/** The domains for which a client made a passkey and logged in with it. */
async function domainsOf(passkey_domain?: string, own: { readonly domain?: string } = {}) {
  const world = new TestWorld();
  if (passkey_domain !== undefined) world.server.project['passkey_domain'] = passkey_domain;
  const client = new PorticoClient(TOKEN, { adapters: world.tab('http://app.shop.localhost:3000/') });
  await world.signIn(client);
  await client.webauthn.register({ is_passkey: true, ...own });
  await client.session.revoke();
  await client.webauthn.authenticate({ is_passkey: true, session_duration_minutes: 60, ...own });
  return [
    ...new Set(world.transport.requests.flatMap(({ body }) => (body as { domain?: string } | undefined)?.domain ?? [])),
  ];
}

describe('the domain of a passkey', () => {
  it('is the host of the page', async () => {
    expect(await domainsOf()).toEqual(['app.shop.localhost']);
  });

  it('is the domain of the project, where it has one', async () => {
    expect(await domainsOf('shop.localhost')).toEqual(['shop.localhost']);
  });

  it('is the one of the call before all', async () => {
    expect(await domainsOf('shop.localhost', { domain: 'app.shop.localhost' })).toEqual(['app.shop.localhost']);
  });
});
