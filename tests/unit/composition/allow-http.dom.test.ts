import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '#composition/compat/client-options.ts';
import { PorticoClient, type ClientOptions } from '#composition/headless.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const LAN = 'http://192.168.1.20:4100';
const LIVE = 'public-token-live-1';
const RULE = 'http needs localhost, or allowHttp: true with a test token';
const clients: PorticoClient[] = [];

afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

/** A client of the page, but for these adapters of a fake browser. */
function open(options: ClientOptions, token = TOKEN) {
  const { log, transport, storage, cookies } = new TestWorld().tab('http://localhost:3000/');
  const adapters = { log, transport, storage, cookies, ...options.adapters };
  const client = new PorticoClient(token, { telemetry: false, ...options, adapters });
  clients.push(client);
  return { client, log };
}

describe('a server with http on another host', () => {
  it.each(['http://portico:4100', LAN, 'http://host.docker.internal:4100', 'http://[fd00::1]:4100'])(
    'is accepted with allowHttp alone, and the developer is warned: %s',
    async (apiUrl) => {
      expect(() => open({ apiUrl })).toThrow(RULE);
      expect(() => open({ apiUrl, allowHttp: false })).toThrow(RULE);
      const { client, log } = open({ apiUrl, allowHttp: true });
      await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
      expect(log.messages('warn').join()).toContain(`Passwords and sessions are sent unencrypted to ${apiUrl}`);
    },
  );

  it('is refused for a live project: its users would send their passwords in clear', () => {
    expect(() => open({ apiUrl: LAN, allowHttp: true }, LIVE)).toThrow(RULE);
    expect(() => open({ endpointOptions: { apiDomain: LAN }, allowHttp: true }, LIVE)).toThrow(RULE);
  });

  it('is not accepted for scripts and telemetry', () => {
    const endpointOptions = { testApiDomain: LAN, dfpCdnDomain: LAN };
    expect(() => open({ endpointOptions, allowHttp: true })).toThrow('dfpCdnDomain is');
  });

  it.each(['true', 'false', 1, ''])('is not accepted by a text of an environment variable: %j', (allowHttp) => {
    expect(() => open({ apiUrl: LAN, allowHttp: allowHttp as never })).toThrow('allowHttp must be a boolean');
  });

  it('makes no difference for https and for this machine', async () => {
    for (const apiUrl of ['http://localhost:4100', 'https://login.example.com']) {
      const { client, log } = open({ apiUrl, allowHttp: true });
      await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
      expect(log.messages('warn').join()).not.toContain('unencrypted');
    }
  });

  it('cannot be called by a page with https, which the developer is told', async () => {
    const warning = `Browsers do not let this https page call ${LAN}: the API needs https, too.`;
    const page = vi.spyOn(window.location, 'origin', 'get');
    for (const [origin, isTold] of [
      ['https://app.example.com', true],
      ['http://localhost:3000', false],
    ] as const) {
      page.mockReturnValue(origin);
      const { client, log } = open({ apiUrl: LAN, allowHttp: true });
      await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
      expect(log.messages('warn').includes(warning)).toBe(isTold);
    }
  });

  it('gets the browser for social logins, and no other such server does', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
    const { client } = open({ apiUrl: LAN, allowHttp: true });
    await client.oauth.github.start();
    expect(assign.mock.calls).toEqual([[expect.stringContaining(`${LAN}/v1/public/oauth/github/start?`)]]);
    await client.oauth.github.start({ method: 'POST' } as never);
    expect(submit).toHaveBeenCalledTimes(1);
  });

  it('is accepted under the reference client’s names, too', () => {
    const given = { customBaseUrl: LAN, dfpCdnUrl: LAN };
    const options = clientOptions(TOKEN, { ...given, allowHttp: true });
    expect(options).toMatchObject({ apiUrl: LAN, allowHttp: true });
    expect(options.endpointOptions).toEqual({});
    expect(clientOptions(TOKEN, given)).not.toHaveProperty('apiUrl');
  });
});

describe('a page with http on another host', () => {
  it('says that the browser has no Web Cryptography there, and what to do', async () => {
    vi.stubGlobal('crypto', { getRandomValues: (words: Uint32Array) => words });
    const { client, log } = open({ apiUrl: 'https://login.example.com' });
    await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
    expect(log.messages('warn').join()).toContain('serve this page with https, or on localhost');
  });
});
