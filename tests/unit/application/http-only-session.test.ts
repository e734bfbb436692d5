import { afterEach, describe, expect, it } from 'vitest';
import { otps, sessions } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { FakeWorld, type FakeTab } from '#kit/fake-world.ts';
import { settle } from '#kit/ports/settle.ts';

const TOKEN = 'public-token-test-1';
const EMAIL = 'ada@example.com';
const HINT = 'stytch_session_hint';
const opened: PorticoClient[] = [];
afterEach(() => opened.splice(0).forEach((client) => client.destroy()));

function makeWorld(httpOnlySessions = true) {
  const world = new FakeWorld();
  const server = new FakeServer(world.transport, world.clock);
  server.settings.httpOnlySessions = httpOnlySessions;
  const open = (tab: FakeTab = world.tab()) => {
    const client = new PorticoClient(TOKEN, { adapters: tab });
    opened.push(client);
    return { client, tab };
  };
  const logIn = async (client: PorticoClient, email = EMAIL) => {
    const { method_id } = await client.otps.email.loginOrCreate(email);
    return client.otps.authenticate(server.codeFor(email) ?? '', method_id, { session_duration_minutes: 60 });
  };
  const asked = (): number => world.transport.requestsTo(sessions.authenticate).length;
  return { world, server, open, logIn, asked };
}

describe('a session in HttpOnly cookies', () => {
  it('is not asked for when a visitor has none', async () => {
    const { open, asked } = makeWorld();
    open();
    await settle();
    expect(asked()).toBe(0);
  });

  it('takes the place of one that scripts could read, at its next refresh, in all tabs', async () => {
    const { world, server, open, logIn } = makeWorld(false);
    const { client, tab } = open();
    const { session } = await logIn(client);
    const { client: other } = open();
    expect(client.session.getTokens()).not.toBeNull();
    server.settings.httpOnlySessions = true;
    await client.session.authenticate();
    for (const each of [client, other]) {
      expect([each.session.getTokens(), each.session.getSync()?.session_id]).toEqual([null, session.session_id]);
    }
    expect(world.jar.cookies.map(({ name }) => name)).toEqual([HINT]);
    expect(tab.cookies.get('stytch_session')).toBeNull();
    expect((await other.session.authenticate()).session.session_id).toBe(session.session_id);
  });

  it.each(['authenticate', 'revoke'] as const)(
    'survives a login in another tab during %s, which then acts on the newer cookies',
    async (call) => {
      const { world, open, logIn } = makeWorld();
      const { client } = open();
      await logIn(client);
      const { client: other } = open();
      await settle();
      const { method_id } = await client.otps.email.loginOrCreate(EMAIL);
      expect(method_id).not.toBe('');
      const login = world.transport.hold(otps.authenticate);
      const again = logIn(client);
      await settle();
      // The server has replaced the token, and the browser does not know yet. It knows before the refusal of the old one arrives.
      const refusal = world.transport.hold(sessions[call]);
      const asking = other.session[call]();
      await settle();
      login.release();
      await again;
      refusal.release();
      await asking;
      const isThere = call === 'authenticate';
      expect([client.session.getSync() !== null, other.session.getSync() !== null]).toEqual([isThere, isThere]);
      expect(world.jar.cookies.length > 0).toBe(isThere);
    },
  );

  it('that is left without a connection stays left, and is revoked as soon as the server can be reached', async () => {
    const { world, open, logIn, asked } = makeWorld();
    const { client } = open();
    await logIn(client);
    let isOffline = true;
    const real = world.transport.send.bind(world.transport);
    world.transport.send = (request) => (isOffline ? Promise.reject(offline()) : real(request));
    await expect(client.session.revoke({ forceClear: true })).rejects.toMatchObject({ kind: 'unreachable' });
    expect(client.session.getSync()).toBeNull();
    client.destroy();

    const { client: next, tab } = open();
    await settle();
    await expect(next.session.authenticate()).rejects.toMatchObject({ kind: 'unreachable' });
    expect([next.session.getSync(), tab.cookies.get(HINT), asked()]).toEqual([null, '1', 0]);

    isOffline = false;
    tab.browser.wake();
    await settle();
    expect([tab.cookies.get(HINT), world.transport.requestsTo(sessions.revoke).length]).toEqual([null, 1]);
    await logIn(next);
    expect(open().client.session.getSync()).not.toBeNull();
  });

  it('is not believed in for the sake of a hint that another host has set', async () => {
    const { world, open, asked } = makeWorld();
    world.jar.put({
      name: HINT,
      value: '1',
      scope: { path: '/app', domain: 'example.com', secure: true },
      expiresAt: null,
    });
    const { client } = open();
    await settle();
    expect(client.session.getSync()).toBeNull();
    expect(asked()).toBeLessThanOrEqual(4);
  });
});
