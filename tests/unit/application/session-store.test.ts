import { describe, expect, it } from 'vitest';
import type { Session } from '#domain/sessions/session.ts';
import { sessions as sessionsApi, users } from '#application/api/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { PorticoClient } from '#composition/client.ts';
import { STATE_KEY, TestWorld } from './world.ts';

const ids = (seen: readonly (Session | null)[]) => seen.map((session) => session?.session_id ?? null);

describe('the session', () => {
  it('lives in the cookie pair and in local storage, and is gone from both when it ends', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const reply = await world.signIn(client);
    expect(tab.cookies.get('stytch_session')).toBe(reply.session_token);
    expect(tab.cookies.get('stytch_session_jwt')).toBe(reply.session_jwt);
    expect(JSON.parse(tab.storage.get(STATE_KEY) ?? '')).toEqual({ user: reply.user, session: reply.session });
    expect(client.session.getSync()).toEqual(reply.session);
    expect(client.user.getSync()).toEqual(reply.user);

    await client.session.revoke();
    expect(client.session.getTokens()).toBeNull();
    expect(tab.storage.get(STATE_KEY)).toBeNull();
    expect(client.session.getSync()).toBeNull();
    expect(client.user.getSync()).toBeNull();
  });

  it('expires with its cookies', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const { session } = await world.signIn(client, 'ada@example.com', 60);
    expect(world.jar.cookies.map(({ name, expiresAt }) => [name, expiresAt])).toEqual([
      ['stytch_session', Date.parse(session.expires_at)],
      ['stytch_session_jwt', Date.parse(session.expires_at)],
    ]);
  });

  it('reaches subscribers when it changes, and only then', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const sessions: (Session | null)[] = [];
    const users: unknown[] = [];
    const stop = client.session.onChange((session) => sessions.push(session));
    client.user.onChange((user) => users.push(user));
    const { session } = await world.signIn(client);
    world.clock.jump(1000);
    await client.session.authenticate();
    await client.session.authenticate();
    expect(ids(sessions)).toEqual([session.session_id]);
    expect(users).toHaveLength(1);
    expect({ ...client.session.getSync(), last_accessed_at: session.last_accessed_at }).toEqual(sessions[0]);
    expect(client.session.getSync()).toBe(client.session.getSync());
    await client.session.authenticate({ session_duration_minutes: 90 });
    expect(ids(sessions)).toEqual([session.session_id, session.session_id]);
    expect(users).toHaveLength(1);
    stop();
    await client.session.revoke();
    expect(sessions).toHaveLength(2);
    expect(users).toEqual([expect.anything(), null]);
  });

  it('is marked as cached after a reload until the server has confirmed it', async () => {
    const world = new TestWorld();
    await world.signIn(world.open().client);
    const { client } = world.open();
    expect(client.session.getInfo()).toMatchObject({ session: { user_id: expect.any(String) }, fromCache: true });
    const seen: unknown[] = [];
    client.session.onChange((session) => seen.push(session));
    await world.settle();
    expect(client.session.getInfo().fromCache).toBe(false);
    expect(seen).toEqual([client.session.getSync()]);
  });

  it('stays marked as cached when the check fails, in the tab that asked and in one that waited, until a check succeeds', async () => {
    const world = new TestWorld();
    const { session, user, session_token, session_jwt } = await world.signIn(world.open().client);
    let isDown = true;
    world.transport.answer(sessionsApi.authenticate, () => {
      const last_accessed_at = new Date(world.clock.now()).toISOString();
      return isDown ? offline() : { session: { ...session, last_accessed_at }, user, session_token, session_jwt };
    });
    const opened = [world.open(), world.open()];
    const marks = () => opened.map(({ client }) => client.session.getInfo().fromCache);
    await world.settle();
    expect(world.transport.requestsTo(sessionsApi.authenticate)).toHaveLength(1);
    expect(marks()).toEqual([true, true]);
    for (const { tab } of opened) tab.browser.wake();
    await world.settle();
    expect(marks()).toEqual([true, true]);
    isDown = false;
    await world.clock.advance(10_000);
    expect(marks()).toEqual([false, false]);
  });

  it('stays marked as cached when its stored copy is lost and the check fails', async () => {
    const world = new TestWorld();
    await world.signIn(world.open().client);
    world.transport.answer(sessionsApi.authenticate, () => offline());
    const { client, tab } = world.open();
    tab.storage.remove(STATE_KEY);
    await world.settle();
    expect(client.session.getInfo()).toMatchObject({ session: { user_id: expect.any(String) }, fromCache: true });
  });

  it('follows in another tab, both ways', async () => {
    const world = new TestWorld();
    const { client: one } = world.open();
    const { client: two } = world.open();
    const seen: (Session | null)[] = [];
    two.session.onChange((session) => seen.push(session));
    const { session } = await world.signIn(one);
    expect(two.session.getSync()).toEqual(session);
    expect(two.user.getSync()?.user_id).toBe(session.user_id);
    await two.session.revoke();
    expect(one.session.getSync()).toBeNull();
    expect(ids(seen)).toEqual([session.session_id, null]);
  });

  it('with tokens held by the server is kept, without tokens here', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const reply = await world.signIn(client);
    world.transport.answer(sessionsApi.authenticate, () => ({ ...reply, session_token: '', session_jwt: undefined }));
    await client.session.authenticate();
    expect(client.session.getSync()?.session_id).toBe(reply.session.session_id);
    expect(client.session.getTokens()).toBeNull();
    expect(tab.cookies.get('stytch_session')).toBeNull();
  });

  it('of a wrong shape is refused and changes nothing', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const { session } = await world.signIn(client);
    world.transport.answer(sessionsApi.authenticate, () => ({
      session: { session_id: 7 },
      user: {},
      session_token: 'evil',
    }));
    await expect(client.session.authenticate()).rejects.toMatchObject({
      message: 'Invalid response from our servers.',
    });
    expect(client.session.getSync()?.session_id).toBe(session.session_id);
    expect(client.session.getTokens()?.session_token).not.toBe('evil');
  });

  it('that another tab damages is put right by this one', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const { session } = await world.signIn(client);
    for (const poison of ['', '{', '[]', '{"session":{}}', '"x"']) {
      world.storage.tab().set(STATE_KEY, poison);
      expect(client.session.getSync()?.session_id).toBe(session.session_id);
      expect(tab.storage.get(STATE_KEY)).toContain(session.session_id);
    }
  });

  it('with one half of the cookies missing is made whole at the next start', async () => {
    const world = new TestWorld();
    const first = world.open();
    await world.signIn(first.client);
    first.client.destroy();
    first.tab.cookies.remove('stytch_session_jwt', { path: '/', domain: null, secure: false });
    const { client } = world.open();
    expect(client.session.getTokens()).toBeNull();
    await world.settle();
    expect(client.session.getTokens()).toMatchObject({
      session_token: expect.any(String),
      session_jwt: expect.any(String),
    });
  });

  it('of two clients with different tokens on one page is independent', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    await world.signIn(client);
    const other = new PorticoClient('public-token-test-2', {
      adapters: tab,
      cookieOptions: { opaqueTokenCookieName: 'other', jwtCookieName: 'other_jwt' },
    });
    expect(other.session.getSync()).toBeNull();
    expect(client.session.getSync()).not.toBeNull();
  });

  it('takes tokens that came from elsewhere', async () => {
    const world = new TestWorld();
    const elsewhere = world.open({ cookieOptions: { opaqueTokenCookieName: 'x', jwtCookieName: 'y' } }).client;
    const { session_token = '', session } = await world.signIn(elsewhere);
    elsewhere.destroy();
    world.storage.tab().remove(STATE_KEY);
    const { client } = world.open();
    client.session.updateSession({ session_token, session_jwt: 'jwt' });
    expect(client.session.getTokens()).toEqual({ session_token, session_jwt: 'jwt' });
    await client.session.authenticate();
    expect(client.session.getSync()?.session_id).toBe(session.session_id);
  });
});

describe('the user', () => {
  it('is fetched without status and request id, and taken over', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const { user } = await world.signIn(client);
    world.transport.answer(users.me, () => ({
      ...user,
      name: { first_name: 'Ada' },
      status_code: 200,
      request_id: 'r',
    }));
    const seen: unknown[] = [];
    client.user.onChange((next) => seen.push(next));
    expect(await client.user.get()).toEqual({ ...user, name: { first_name: 'Ada' } });
    expect(client.user.getSync()?.name).toEqual({ first_name: 'Ada' });
    expect(seen).toHaveLength(1);
  });

  it('is null when the server has no session', async () => {
    const world = new TestWorld();
    expect(await world.open().client.user.get()).toBeNull();
    expect(world.transport.requestsTo(users.me)).toHaveLength(1);
  });
});

describe('the cookies', () => {
  const flagsOf = async (href: string, cookieOptions = {}) => {
    const world = new TestWorld();
    const { client } = world.open({ cookieOptions, adapters: { browser: world.tab(href).browser } });
    await world.signIn(client);
    return world.jar.cookies.map(({ name, scope }) => ({ name, ...scope }));
  };

  it.each([
    ['https://example.com/', true],
    ['http://example.com/', true],
    ['http://localhost:3000/', false],
    ['http://127.0.0.1/', false],
  ])('on %s are secure: %s', async (href, secure) => {
    expect((await flagsOf(href)).map((cookie) => cookie.secure)).toEqual([secure, secure]);
  });

  it('have the configured names and scope', async () => {
    const options = { opaqueTokenCookieName: 'a', jwtCookieName: 'b', path: '/app', availableToSubdomains: true };
    expect(await flagsOf('https://example.com/', options)).toEqual([
      { name: 'a', path: '/app', domain: 'example.com', secure: true },
      { name: 'b', path: '/app', domain: 'example.com', secure: true },
    ]);
  });

  it.each([
    [{ jwtCookieName: 7 }, 'cookieOptions.jwtCookieName must be a string'],
    [{ jwtCookieName: 'a; Domain=x' }, 'cookieOptions.jwtCookieName must be a string'],
    [{ jwtCookieName: '__Host-j', domain: 'example.com' }, 'cookieOptions.jwtCookieName must not begin with __Host-'],
    [{ opaqueTokenCookieName: '__host-t', path: '/app' }, 'cookieOptions.opaqueTokenCookieName must not begin with'],
    [{ istCookieName: '__Host-i', availableToSubdomains: true }, 'cookieOptions.istCookieName must not begin with'],
    [{ path: '/\r\nSet-Cookie: x' }, 'cookieOptions.path must be a string'],
    [{ availableToSubdomains: 'yes' }, 'cookieOptions.availableToSubdomains must be a boolean'],
  ])('refuse %o', (cookieOptions, message) => {
    expect(() => new TestWorld().open({ cookieOptions: cookieOptions as never })).toThrow(
      `Invalid call to PorticoClient\n${message}`,
    );
  });
});

describe('a page that returns from the back-forward cache, where events of other tabs do not reach it', () => {
  it('is signed out when another tab has signed out, without a request', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    await world.signIn(client);
    const other = world.open();
    await world.settle();
    world.storage.hold();
    await other.client.session.revoke();
    const asked = world.transport.requestsTo(sessionsApi.authenticate).length;
    tab.browser.wake();
    expect(client.session.getSync()).toBeNull();
    await world.settle();
    expect(world.transport.requestsTo(sessionsApi.authenticate)).toHaveLength(asked);
  });

  it('has the session of a login in another tab', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const other = world.open();
    world.storage.hold();
    const { session } = await world.signIn(other.client);
    tab.browser.wake();
    expect(client.session.getSync()?.session_id).toBe(session.session_id);
  });

  it('keeps a session that the server has not confirmed yet as unconfirmed', async () => {
    const world = new TestWorld();
    await world.signIn(world.open().client);
    world.transport.answer(sessionsApi.authenticate, () => new Promise<never>(() => {}));
    const { client, tab } = world.open();
    await world.settle();
    tab.browser.wake();
    expect(client.session.getInfo().fromCache).toBe(true);
  });
});
