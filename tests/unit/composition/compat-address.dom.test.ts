import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStytchClient, type StytchUIClient } from 'portico/compat';
import { impersonation, magicLinks, oauth } from '#application/api/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const MINUTES = { session_duration_minutes: 30 };
const ADDRESS = '/app?plan=pro&stytch_token_type=magic_links&token=of-a-mail#part';
let world: TestWorld;
let client: StytchUIClient;

beforeEach(async () => {
  world = new TestWorld();
  const { client: other } = world.open();
  const data = await world.signIn(other);
  other.destroy();
  for (const call of [magicLinks.authenticate, oauth.authenticate, impersonation.authenticate])
    world.transport.answer(call, () => data);
  client = createStytchClient(TOKEN, { adapters: world.tab(), telemetry: false });
});
afterEach(() => {
  client.destroy();
  window.history.replaceState(null, '', '/');
});

const address = (): string => `${window.location.pathname}${window.location.search}${window.location.hash}`;

describe('a login by the address of the page', () => {
  it('takes the token out of the address once it is used, and leaves the rest and the state of the page', async () => {
    window.history.replaceState({ at: 7 }, '', ADDRESS);
    const used = await client.authenticateByUrl(MINUTES);
    expect(used).toMatchObject({ handled: true, tokenType: 'magic_links' });
    const [request] = world.transport.requestsTo(magicLinks.authenticate);
    expect(request?.body).toMatchObject({ token: 'of-a-mail', ...MINUTES });
    expect(address()).toBe('/app?plan=pro#part');
    expect(window.history.state).toEqual({ at: 7 });
    expect(await client.authenticateByUrl(MINUTES)).toBe(null);
    expect(world.transport.requestsTo(magicLinks.authenticate)).toHaveLength(1);
  });

  it('leaves the address where the app says so, and by default with another address', async () => {
    window.history.replaceState(null, '', ADDRESS);
    await client.authenticateByUrl({ ...MINUTES, clearParams: false });
    expect(address()).toBe(ADDRESS);
    await client.authenticateByUrl(MINUTES, 'http://localhost:3000/app?stytch_token_type=oauth&token=another');
    expect(address()).toBe(ADDRESS);
    await client.authenticateByUrl({ ...MINUTES, clearParams: true }, window.location.href);
    expect(address()).toBe('/app?plan=pro#part');
  });

  it('keeps the token of a call that failed', async () => {
    world.transport.answer(magicLinks.authenticate, offline);
    window.history.replaceState(null, '', ADDRESS);
    await expect(client.authenticateByUrl(MINUTES)).rejects.toThrow();
    expect(address()).toBe(ADDRESS);
  });

  it.each([
    ['oauth', oauth.authenticate, { token: 't', ...MINUTES }],
    ['impersonation', impersonation.authenticate, { impersonation_token: 't' }],
  ] as const)('sends a token of the type %s to its call', async (tokenType, call, body) => {
    await client.authenticateByUrl(MINUTES, `http://localhost:3000/?stytch_token_type=${tokenType}&token=t`);
    await vi.waitFor(() => expect(world.transport.requestsTo(call)[0]?.body).toMatchObject(body));
  });
});
