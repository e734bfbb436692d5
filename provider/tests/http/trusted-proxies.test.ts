import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { proxiesOf } from '#provider/operation/server/serving.ts';
import { arrivalOf, NO_PROXIES, trustedProxies } from '#provider/base/http/arrival.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { createLog } from '#provider/base/log/log.ts';
import { ANY_DATABASE, basic, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

type Headers = Readonly<Record<string, string>>;

const arrive = (trust: string | null, peer: string, headers: Headers = {}, url = 'http://10.0.0.9:4100/sdk') =>
  arrivalOf(trust === null ? NO_PROXIES : trustedProxies(trust), {
    peer,
    header: (name) => headers[name],
    url: new URL(url),
  });
const from = (trust: string | null, peer: string, forwarded: string): string =>
  arrive(trust, peer, { 'x-forwarded-for': forwarded }).address;

describe('the address of a visitor', () => {
  it.each([
    ['without trusted proxies is that of the peer', null, '10.0.0.1', '203.0.113.7', '10.0.0.1'],
    ['is the one that a trusted proxy names', '10.0.0.1', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is that of a peer that is no trusted proxy', '10.0.0.1', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    [
      'is the last one that is no trusted proxy',
      '10.0.0.0/8',
      '10.0.0.1',
      '8.8.8.8, 203.0.113.7, 10.0.0.2',
      '203.0.113.7',
    ],
    ['is the first one where all are trusted', 'uniquelocal', '10.0.0.1', '192.168.1.4, 172.16.0.1', '192.168.1.4'],
    ['by one hop is the last one', '1', '198.51.100.1', '8.8.8.8, 203.0.113.7', '203.0.113.7'],
    ['by two hops is the second last one', '2', '198.51.100.1', '8.8.8.8, 203.0.113.7, 192.0.2.1', '203.0.113.7'],
    ['by more hops than there are is the first one', '5', '198.51.100.1', '203.0.113.7, 192.0.2.1', '203.0.113.7'],
    ['by no hops is that of the peer', '0', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['may have a port', '10.0.0.1', '10.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['may be in brackets', '10.0.0.1', '10.0.0.1', '[2001:db8::7]:51234', '2001:db8::7'],
    ['passes trusted proxies that write ports', '10.0.0.0/8', '10.0.0.1', '203.0.113.7, 10.0.0.2:80', '203.0.113.7'],
    ['is that of the proxy where it names none', '10.0.0.1', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['is that of the proxy where it names a text', '10.0.0.1', '10.0.0.1', '203.0.113.7, _hidden', '10.0.0.1'],
    ['is that of the proxy where the header is empty', '10.0.0.1', '10.0.0.1', ' , ', '10.0.0.1'],
    ['is found where the peer is written as IPv6', '10.0.0.1', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is found through loopback', 'loopback', '::1', '203.0.113.7', '203.0.113.7'],
    ['is found through several networks', 'loopback, 2001:db8::/32', '2001:db8::1', '203.0.113.7', '203.0.113.7'],
  ])('%s', (_, trust, peer, forwarded, address) => {
    expect(from(trust, peer, forwarded)).toBe(address);
  });

  it('is the peer that a visitor did not write in front, however long the header is', () => {
    const spoofed = Array.from({ length: 2_000 }, (_, index) => `10.0.${index % 256}.1`).join(', ');
    expect(from('10.0.0.0/8', '10.0.0.1', `${spoofed}, 203.0.113.7`)).toBe('203.0.113.7');
  });

  it('is not taken from Forwarded and other headers, which proxies pass on as visitors write them', () => {
    const headers = { forwarded: 'for=8.8.8.8', 'x-real-ip': '8.8.8.8', 'cf-connecting-ip': '8.8.8.8' };
    expect(arrive('loopback', '127.0.0.1', headers).address).toBe('127.0.0.1');
  });
});

describe('the origin at which the server was reached', () => {
  const at = (headers: Headers, peer = '127.0.0.1') => arrive('loopback', peer, headers).origin;

  it.each<[string, Headers, string]>([
    ['is that of the connection', {}, 'http://10.0.0.9:4100'],
    ['has the scheme that the proxy names', { 'x-forwarded-proto': 'https' }, 'https://10.0.0.9:4100'],
    ['has the host that the proxy names', { 'x-forwarded-host': 'auth.example' }, 'http://auth.example'],
    [
      'has the values of the nearest proxy',
      { 'x-forwarded-host': 'evil.example, auth.example', 'x-forwarded-proto': 'http, https' },
      'https://auth.example',
    ],
    [
      'may have a port',
      { 'x-forwarded-host': 'auth.example:8443', 'x-forwarded-proto': 'https' },
      'https://auth.example:8443',
    ],
    ['has no scheme but http and https', { 'x-forwarded-proto': 'javascript' }, 'http://10.0.0.9:4100'],
    ['has no host that is none', { 'x-forwarded-host': 'a/b@c#d' }, 'http://10.0.0.9:4100'],
    ['has no host with an impossible port', { 'x-forwarded-host': 'auth.example:99999' }, 'http://10.0.0.9:4100'],
  ])('%s', (_, headers, origin) => {
    expect(at(headers)).toBe(origin);
  });

  it('is not taken from the headers of a visitor', () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
    expect(at(headers, '203.0.113.7')).toBe('http://10.0.0.9:4100');
  });
});

describe('--trust-proxy', () => {
  it.each([
    'true',
    '*',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.1/8/8',
    'proxy.example',
    '10.0.0.1 10.0.0.2',
    '21',
  ])('%j is refused in one sentence', (trustProxy) => {
    expect(() => proxiesOf({ trustProxy, dev: false })).toThrow(
      /^--trust-proxy \(PORTICO_TRUST_PROXY\) is wrong: .*\.$/u,
    );
  });

  it('does not go with --dev', () => {
    expect(() => proxiesOf({ trustProxy: 'loopback', dev: true })).toThrow('cannot be combined with --trust-proxy');
  });
});

describe('a server behind a proxy', () => {
  const provider = suiteProvider(ANY_DATABASE);

  const ISSUER = 'https://auth.shop.example';
  const lines: string[] = [];
  const served = (trust: string | null, issuer: string | null = ISSUER, loopback = false) => {
    const limits = { ...DEFAULT_LIMITS, searchesPerNetwork: { max: 2, windowMs: 60_000 } };
    const app = createApp({
      ...provider.services,
      limits,
      loopback,
      dev: false,
      project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, issuer },
      log: createLog({ level: 'warn', format: 'text' }, (line) => lines.push(line)),
      ...(trust === null ? {} : { proxies: trustedProxies(trust) }),
    });
    return (path: string, peer: string, headers: Headers = {}, body?: object) =>
      app.request(
        `http://${loopback ? '127.0.0.1' : '10.0.0.9'}:4100${path}`,
        {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json', ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        },
        { incoming: { socket: { remoteAddress: peer } } },
      );
  };
  const search = async (call: ReturnType<typeof served>, peer: string, forwarded: string) =>
    (await call('/sdk/v1/users/search', peer, { 'x-forwarded-for': forwarded }, { email: 'ada@example.com' })).status;

  soakIt('limits each visitor, and without the option all of them together, of which it warns', async () => {
    const alone = served('192.168.7.0/24');
    for (const visitor of ['203.0.113.1', '203.0.113.2']) {
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push(await search(alone, '192.168.7.1', `8.8.8.8, ${visitor}`));
      expect(statuses).toEqual([200, 200, 429]);
    }
    expect(lines).toEqual([]);
    const together = served(null);
    expect(await search(together, '192.168.8.1', '203.0.113.3')).toBe(200);
    expect(await search(together, '192.168.8.1', '203.0.113.4')).toBe(200);
    expect(await search(together, '192.168.8.1', '203.0.113.5')).toBe(429);
    expect(lines).toEqual([expect.stringMatching(/^warning: a proxy that --trust-proxy does not name/u)]);
  });

  it('limits each visitor of the operators’ page, too', async () => {
    const origin = 'https://ops.shop.example';
    const limits = { ...DEFAULT_LIMITS, searchesPerNetwork: { max: 2, windowMs: 60_000 } };
    const proxies = trustedProxies('10.0.0.1');
    const app = operatorsApp({ ...provider.services, dev: false, limits, proxies, metrics: NO_METRICS }, { origin });
    const logIn = async (visitor: string) => {
      const headers = { host: new URL(origin).host, origin, 'x-forwarded-for': visitor };
      const incoming = { socket: { remoteAddress: '10.0.0.1' } };
      return (await app.request(`${origin}/operators/login/start`, { method: 'POST', headers }, { incoming })).status;
    };
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push(await logIn('203.0.113.1'));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await logIn('203.0.113.2')).toBe(200);
  });

  it('counts a visitor who connects directly as themselves, whatever they write', async () => {
    const call = served('192.168.7.0/24');
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push(await search(call, '198.51.100.9', `203.0.113.${100 + i}`));
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('names itself by its issuer, and without one as the proxy says', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'login.shop.example' };
    const issuer = async (call: ReturnType<typeof served>, peer: string) => {
      const reply = await call('/.well-known/openid-configuration', peer, forwarded);
      return ((await reply.json()) as { readonly issuer: string }).issuer;
    };
    expect(await issuer(served('loopback'), '127.0.0.1')).toBe(ISSUER);
    expect(await issuer(served('loopback', null), '127.0.0.1')).toBe('https://login.shop.example');
    expect(await issuer(served('loopback', null), '198.51.100.9')).toBe('http://10.0.0.9:4100');
  });

  it('on loopback answers no name but the issuer’s, whichever header has it', async () => {
    const call = served('loopback', ISSUER, true);
    const status = async (host: string, peer = '127.0.0.1') =>
      (await call('/.well-known/jwks.json', peer, { host: 'localhost:4100', 'x-forwarded-host': host })).status;
    expect(await status('auth.shop.example')).toBe(200);
    expect(await status('evil.example')).toBe(421);
    expect(await status('evil.example', '203.0.113.7')).toBe(200);
  });
});
