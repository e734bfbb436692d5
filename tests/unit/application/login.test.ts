import { describe, expect, it } from 'vitest';
import { magicLinks, otps, projects, sessions } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { sha256url, TestWorld, TOKEN } from './world.ts';

const MINUTES = { session_duration_minutes: 60 };

describe('magic links', () => {
  it('send the options under the names of the wire and answer the reply unchanged', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const options = { login_magic_link_url: 'http://localhost:3000/in', login_expiration_minutes: 10, locale: 'en' };
    world.transport.answer(magicLinks.loginOrCreate, () => ({
      user_id: 'u',
      request_id: 'r',
      status_code: 200,
      extra: [1],
    }));
    expect(await client.magicLinks.email.loginOrCreate('ada@example.com', options)).toEqual({
      user_id: 'u',
      request_id: 'r',
      status_code: 200,
      extra: [1],
    });
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)[0]?.body).toEqual({
      email: 'ada@example.com',
      ...options,
    });
  });

  it('use no proof key unless the project requires one', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', MINUTES);
    expect(world.transport.requestsTo(magicLinks.authenticate)[0]?.body).toEqual({
      token: world.server.inbox[0]?.token,
      session_duration_minutes: 60,
    });
    expect(client.session.getSync()).not.toBeNull();
  });

  it('with a proof key send its challenge, then its verifier, and forget the pair', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    const { client, tab } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', MINUTES);
    const { code_challenge } = world.transport.requestsTo(magicLinks.loginOrCreate)[0]?.body as {
      code_challenge: string;
    };
    const { code_verifier } = world.transport.requestsTo(magicLinks.authenticate)[0]?.body as { code_verifier: string };
    expect(code_verifier).toMatch(/^[0-9a-f]{128}$/u);
    expect(await sha256url(code_verifier)).toBe(code_challenge);
    expect(tab.storage.get(`stytch_sdk_state_${TOKEN}::pkce_magic_links`)).toBeNull();
  });

  it('opened in another browser are refused, and still work in the first', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    const { client } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    const token = world.server.inbox[0]?.token ?? '';
    const stranger = new PorticoClient(TOKEN, { adapters: { ...new TestWorld().tab(), transport: world.transport } });
    await expect(stranger.magicLinks.authenticate(token, MINUTES)).rejects.toMatchObject({
      error_type: 'pkce_expected_code_verifier',
    });
    expect(stranger.session.getSync()).toBeNull();
    await client.magicLinks.authenticate(token, MINUTES);
    expect(client.session.getSync()).not.toBeNull();
  });

  it('begun without a proof key leave none of an older link behind', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    const first = world.open().client;
    await first.magicLinks.email.loginOrCreate('ada@example.com');
    first.destroy();
    world.server.project['pkce_required_for_email_magic_links'] = false;
    const { client } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', MINUTES);
    expect(client.session.getSync()).not.toBeNull();
  });

  it('keep the pair when the exchange fails', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    const { client, tab } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    await expect(client.magicLinks.authenticate('wrong', MINUTES)).rejects.toMatchObject({
      error_type: 'unable_to_auth_magic_link',
    });
    expect(tab.storage.get(`stytch_sdk_state_${TOKEN}::pkce_magic_links`)).not.toBeNull();
  });
});

describe('bootstrap', () => {
  it.each([true, false, null])('that fails counts as requiring a proof key; its last good copy: %s', async (copy) => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = copy;
    if (copy !== null) await world.open().client.magicLinks.email.loginOrCreate('ada@example.com');
    world.transport.answer(projects.bootstrap, () => (copy === true ? offline() : errorReply(500, 'x')));
    const { client } = world.open();
    await client.magicLinks.email.loginOrCreate('ada@example.com');
    const asked = world.transport.requestsTo(magicLinks.loginOrCreate).at(-1)?.body as { code_challenge?: string };
    expect(asked.code_challenge).toMatch(/^[\w-]{43}$/u);
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', MINUTES);
    expect(client.session.getSync()).not.toBeNull();
  });

  it('of a B2B project is reported to the developer', async () => {
    const world = new TestWorld();
    world.server.project['vertical'] = 'B2B';
    const { tab } = world.open();
    await world.settle();
    expect(tab.log.entries.map(({ message }) => message).join()).toContain('B2B');
  });
});

describe('wrong arguments', () => {
  const { client } = new TestWorld().open();
  const text = (value: unknown): string => value as string;
  it.each([
    ['otps.authenticate', 'code must be a string', () => client.otps.authenticate(text(123456), 'm', MINUTES)],
    ['otps.authenticate', 'method_id must be a string', () => client.otps.authenticate('1', text(null), MINUTES)],
    [
      'otps.authenticate',
      'session_duration_minutes must be a number',
      () => client.otps.authenticate('1', 'm', {} as never),
    ],
    [
      'otps.authenticate',
      'session_duration_minutes must be a number',
      () => client.otps.authenticate('1', 'm', undefined as never),
    ],
    ['otps.email.loginOrCreate', 'email must be a string', () => client.otps.email.loginOrCreate(text({}))],
    [
      'magicLinks.authenticate',
      'token must be a string',
      () => client.magicLinks.authenticate(text(undefined), MINUTES),
    ],
    [
      'magicLinks.authenticate',
      'session_duration_minutes must be a number',
      () => client.magicLinks.authenticate('t', { session_duration_minutes: Number.NaN }),
    ],
    ['magicLinks.email.loginOrCreate', 'email must be a string', () => client.magicLinks.email.loginOrCreate(text(7))],
    [
      'session.authenticate',
      'session_duration_minutes must be a number',
      () => client.session.authenticate({ session_duration_minutes: '5' as never }),
    ],
    ['session.revoke', 'forceClear must be a boolean', () => client.session.revoke({ forceClear: 1 as never })],
  ])('of %s: %s', async (method, details, call) => {
    await expect(call()).rejects.toMatchObject({ kind: 'usage', message: `Invalid call to ${method}\n${details}` });
  });

  it('send nothing', async () => {
    const world = new TestWorld();
    await world
      .open()
      .client.otps.authenticate(text(1), 'm', MINUTES)
      .catch(() => undefined);
    expect(world.transport.requestsTo(otps.authenticate)).toEqual([]);
  });
});

describe('a client', () => {
  it('outside a browser is refused, unless it has every adapter', () => {
    expect(() => new PorticoClient(TOKEN)).toThrow(/runs in browsers/u);
    const { clock: _, ...incomplete } = new TestWorld().tab();
    expect(() => new PorticoClient(TOKEN, { adapters: incomplete })).toThrow(/runs in browsers/u);
  });

  it.each([
    ['apiUrl is undefined: is its environment variable set? Give apiUrl an origin', { apiUrl: undefined }],
    [
      'testApiDomain is undefined: is its environment variable set? Give apiUrl',
      { endpointOptions: { apiDomain: 'auth.example.com' } },
    ],
    ['endpointOptions: must be an object', { endpointOptions: undefined }],
    ['apiURL is no option. Did you mean apiUrl?', { apiURL: 'http://localhost:4100' }],
    ['apiDomain is no option. Did you mean apiUrl?', { apiDomain: 'http://localhost:4100' }],
    ['adapters: transports is no option. Did you mean transport?', { adapters: { transports: {} } }],
    ['cookieOptions: jwtCookie is no option. Did you mean jwtCookieName?', { cookieOptions: { jwtCookie: 'x' } }],
    ['options: must be an object', 'http://localhost:4100'],
  ])('with a wrong address or a misspelled option throws before anything is sent: %s', (message, wrong) => {
    const world = new TestWorld();
    const { adapters }: { readonly adapters?: object } = typeof wrong === 'string' ? {} : (wrong as object);
    const options = typeof wrong === 'string' ? wrong : { ...wrong, adapters: { ...world.tab(), ...adapters } };
    expect(() => new PorticoClient(TOKEN, options as never)).toThrow(message);
    expect(world.transport.requests).toEqual([]);
  });

  it('with cookies and storage blocked works in its page', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.jar.blocked = true;
    await world.signIn(client);
    expect(client.session.getTokens()).not.toBeNull();
    await client.session.authenticate();
    await client.session.revoke();
    expect(client.session.getTokens()).toBeNull();
    expect(world.transport.requestsTo(sessions.revoke)).toHaveLength(1);
  });
});
