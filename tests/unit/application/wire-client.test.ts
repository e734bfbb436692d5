import { describe, expect, it } from 'vitest';
import { otps, projects, users } from '#application/api/index.ts';
import type { LateServices } from '#application/services.ts';
import { publicApi } from '#application/client/public-api.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { later } from '#domain/later.ts';
import { ClientKeys } from '#application/wire/client-keys.ts';
import { WireClient } from '#application/wire/wire-client.ts';
import { pathOf } from '#application/api/endpoint.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { TestWorld, TOKEN } from './world.ts';

const decode = (text = ''): string => Buffer.from(text, 'base64').toString('utf8');

describe('a request', () => {
  it('is sent below /sdk/v1 of the test host, authorised by the public token without a session', async () => {
    const world = new TestWorld();
    await world.open().client.otps.email.loginOrCreate('ada@example.com');
    const [request] = world.transport.requestsTo(otps.emailLoginOrCreate);
    expect(request?.url).toBe('https://test.stytch.com/sdk/v1/otps/email/login_or_create');
    expect(decode(request?.headers['authorization']?.replace('Basic ', ''))).toBe(`${TOKEN}:${TOKEN}`);
    expect(request?.headers['x-sdk-parent-host']).toBe('http://localhost:3000');
  });

  it('is authorised by the session token with a session', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    await world.signIn(client);
    await client.user.get();
    const request = world.transport.requestsTo(users.me)[0];
    expect(decode(request?.headers['authorization']?.replace('Basic ', ''))).toBe(
      `${TOKEN}:${client.session.getTokens()?.session_token}`,
    );
  });

  it('names the caller in base64 of UTF-8, with ids that last: one a browser, one a tab, one a request', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open({ adapters: { browser: world.tab('https://tür.example/').browser } });
    await client.otps.email.loginOrCreate('ada@example.com');
    await client.otps.email.loginOrCreate('ada@example.com');
    const other = world.open();
    await other.client.otps.email.loginOrCreate('ada@example.com');
    const [first, second, third] = world.transport
      .requestsTo(otps.emailLoginOrCreate)
      .map(({ headers }) => JSON.parse(decode(headers['x-sdk-client'])) as Record<string, string>);
    expect(first).toMatchObject({
      event_id: expect.stringMatching(/^event-id-/u),
      app_session_id: expect.stringMatching(/^app-session-id-/u),
      persistent_id: expect.stringMatching(/^persistent-id-/u),
      client_sent_at: new Date(world.clock.now()).toISOString(),
      timezone: 'UTC',
      app: { identifier: tab.browser.hostname },
      sdk: { version: '5.37.1' },
    });
    expect(second?.['app_session_id']).toBe(first?.['app_session_id']);
    expect(second?.['event_id']).not.toBe(first?.['event_id']);
    expect(third?.['persistent_id']).toBe(first?.['persistent_id']);
    expect(third?.['app_session_id']).not.toBe(first?.['app_session_id']);
  });

  it('sends the documented fields and no undefined ones', async () => {
    const world = new TestWorld();
    await world.open().client.otps.email.loginOrCreate('ada@example.com', { expiration_minutes: 3, locale: undefined });
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)[0]?.body).toEqual({
      email: 'ada@example.com',
      expiration_minutes: 3,
    });
  });

  it('without an answer is an unreachable error with its cause', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.transport.answer(otps.emailLoginOrCreate, () => offline());
    await expect(client.otps.email.loginOrCreate('ada@example.com')).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'Unable to contact our servers.',
      cause: expect.any(TypeError),
    });
  });
});

describe('a path', () => {
  it('takes each parameter as one segment', () => {
    expect(pathOf(projects.bootstrap.path, { publicToken: 'a/b?c#d e' })).toBe('/projects/bootstrap/a%2Fb%3Fc%23d%20e');
    expect(pathOf('/x/:id', { id: '__proto__' })).toBe('/x/__proto__');
  });

  it.each(['', '.', '..'])('refuses %o as a parameter', (id) => {
    expect(() => pathOf('/x/:id', { id })).toThrow(RangeError);
  });
});

describe('a method whose use case loads on demand', () => {
  it('is unreachable while it cannot be loaded, and is tried anew by the next call', async () => {
    let online = false;
    const members = { search: async () => ({ member: null }) };
    const { load } = later(async () => {
      if (!online) throw new TypeError('Failed to fetch dynamically imported module: https://a.example/login.js');
      return { members } as unknown as LateServices;
    });
    const { b2b } = publicApi(load);
    const options = { email_address: 'ada@example.com', organization_id: 'o' };
    await expect(b2b.searchMember(options)).rejects.toMatchObject({
      kind: 'unreachable',
      url: 'https://a.example/login.js',
      cause: expect.any(TypeError),
    });
    online = true;
    expect(await b2b.searchMember(options)).toEqual({ member: null });
  });
});

describe('a login whose binding to the browser cannot be loaded', () => {
  const NOBODY = { secret: () => null, intermediateToken: () => null, state: () => ({ session: null, user: null }) };

  it('rejects with the error of the network, which has the cause, and sends nothing', async () => {
    const world = new TestWorld();
    const cause = new TypeError('Failed to fetch dynamically imported module: https://app.example/assets/binding.js');
    const wire = new WireClient(
      world.tab('http://localhost:3000/'),
      new ClientKeys(TOKEN),
      NOBODY,
      'https://test.stytch.com',
      () => undefined,
      async () => Promise.reject(cause),
    );
    const body = { token: '000000', method_id: 'm', session_duration_minutes: 60 };
    const error: unknown = await wire.call(otps.authenticate, body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SDKAPIUnreachableError);
    expect(error).toMatchObject({ cause, problem: 'file', url: 'https://app.example/assets/binding.js' });
    expect(world.transport.requestsTo(otps.authenticate)).toEqual([]);
  });
});
