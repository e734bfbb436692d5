import { describe, expect, it } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

const CONFIG: LoginConfig = { products: ['oauth'], oauthOptions: { providers: [{ type: 'github' }] } };
const PAGE = 'http://localhost:3000/in';
const DENIED = 'error=access_denied&error_description=Evil%20words&provider_type=github';

async function arrive(query: string, world = new TestWorld()) {
  const opened = openLogin(CONFIG, { world, href: `${PAGE}?${query}` });
  await world.settle();
  return { ...opened, declined: () => opened.store.getState().declined };
}

describe('a page that a denied social login leads back to', () => {
  it('shows at which provider, as no error, and takes it out of the address', async () => {
    const { declined, store, errors, ports } = await arrive(`x=1&${DENIED}&y=2`);
    expect(declined()).toEqual({ provider: 'github', reason: 'denied' });
    expect(store.getState()).toMatchObject({ screen: { name: 'Main' }, error: null, pending: null });
    expect(errors).toEqual([]);
    expect(ports.browser.href()).toBe(`${PAGE}?x=1&y=2`);
  });

  it.each(['server_error', 'temporarily_unavailable', 'words of somebody else'])(
    'says that the login failed where the provider answered %s',
    async (error) => {
      const { declined, errors, ports } = await arrive(
        new URLSearchParams({ error, provider_type: 'github' }).toString(),
      );
      expect(declined()).toEqual({ provider: 'github', reason: 'failed' });
      expect(errors).toEqual([]);
      expect(ports.browser.href()).toBe(PAGE);
    },
  );

  it('shows it until the next request', async () => {
    const { declined, store } = await arrive(DENIED);
    store.send({ type: 'oauth/chosen', index: 0 });
    expect(declined()).toBeNull();
  });

  it.each([
    'error=access_denied',
    'error=access_denied&provider_type=myspace',
    'error=access_denied&provider_type=constructor',
    'error=server_error',
    'error=&provider_type=github',
    'provider_type=github',
  ])('leaves %s to the page', async (query) => {
    const { declined, ports } = await arrive(query);
    expect(declined()).toBeNull();
    expect(ports.browser.href()).toBe(`${PAGE}?${query}`);
  });

  it('does not count the denied way as the last one used', async () => {
    const world = new TestWorld();
    const before = openLogin(CONFIG, { world });
    await world.settle();
    before.store.send({ type: 'oauth/chosen', index: 0 });
    await world.settle();
    const leftBy = before.services.keys.storage('last_method_left_by');
    expect(before.services.storage.get(leftBy)).toBe('oauth:github');
    const { services } = await arrive(DENIED, world);
    expect(services.storage.get(leftBy)).toBeNull();
  });
});
