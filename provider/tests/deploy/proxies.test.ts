import { createServer, request, type Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST, missing, PROXIES, startProxy, visit, type FrontProxy } from '../kit/front-proxies.ts';
import { basic, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { MAILED_LINKS, redeem, type MailedVisitor } from '../kit/mailed-links.ts';
import { privateExamples, publicExamples } from '../kit/public-paths.ts';
import { ISSUER, MOST_SEARCHES, PAGE, startProxiedServer, type ProxiedServer } from '../kit/proxied-server.ts';
import { SOAK } from '#tests/soak.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

let server: ProxiedServer;
beforeAll(async () => {
  server = await startProxiedServer();
});
afterAll(() => server.close());

const JSON_HEADERS = { 'content-type': 'application/json', origin: PAGE };

for (const [index, name] of PROXIES.entries()) {
  const reason = missing(name);
  if (reason !== null) console.warn(`The configuration of ${name} is not tested: ${reason}.`);

  describe.skipIf(reason !== null)(`behind ${name}`, () => {
    const browser = new Agent({ keepAlive: true });
    afterAll(() => browser.destroy());
    let proxy: FrontProxy | { readonly port: 0; readonly plainPort: 0; stop(): void } = {
      port: 0,
      plainPort: 0,
      stop: () => undefined,
    };
    beforeAll(async () => {
      proxy = await startProxy(name, server.port);
    });
    afterAll(() => proxy.stop());

    /** Addresses that no other proxy's visitors have. */
    const visitor = (number: number): string => `127.0.${index + 1}.${number}`;
    const post = async (path: string, body: object, from: string, extra: Fields = {}) => {
      const { session = PUBLIC_TOKEN, ...headers } = extra as Record<string, string>;
      const reply = await visit({
        port: proxy.port,
        path: `/sdk/v1${path}`,
        body: JSON.stringify(body),
        from,
        headers: { authorization: basic(PUBLIC_TOKEN, session), ...JSON_HEADERS, ...headers },
      });
      return { ...reply, data: (JSON.parse(reply.text || '{}') as Fields)['data'] as Fields };
    };
    const search = async (from: string, headers: Fields = {}) =>
      (await post('/users/search', { email: 'ada@example.com' }, from, headers)).status;

    it('a login’s session has the visitor’s address', async () => {
      const email = `ada-${name}@example.com`;
      const sent = await post('/otps/email/login_or_create', { email }, visitor(1));
      expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
      expect(sent.headers['strict-transport-security']).toBe('max-age=31536000');
      const code = (await server.provider.newest(email))?.code;
      const entered = { token: code, method_id: sent.data['method_id'], session_duration_minutes: 60 };
      const { status, data } = await post('/otps/authenticate', entered, visitor(1));
      expect(status).toBe(200);
      expect(data['session'].attributes.ip_address).toBe(visitor(1));
      const checked = await post('/sessions/authenticate', {}, visitor(1), { session: String(data['session_token']) });
      expect(checked.status).toBe(200);
    });

    soakIt('each visitor has separate limits', async () => {
      const statuses: number[] = [];
      for (let i = 0; i <= MOST_SEARCHES; i += 1) statuses.push(await search(visitor(2)));
      expect(statuses).toEqual([...Array.from({ length: MOST_SEARCHES }, () => 200), 429]);
      expect(await search(visitor(3))).toBe(200);
    });

    soakIt('a visitor cannot pretend to be another one, or the server to be elsewhere', async () => {
      const statuses: number[] = [];
      for (let i = 0; i <= MOST_SEARCHES; i += 1) {
        const other = `203.0.113.${i}`;
        statuses.push(
          await search(visitor(4), {
            'x-forwarded-for': `${other}, 127.0.0.1`,
            forwarded: `for=${other};host=evil.example`,
            'x-real-ip': other,
          }),
        );
      }
      expect(statuses.at(-1)).toBe(429);
      const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      const { status, text } = await visit({ port: proxy.port, path: '/errors/none', headers });
      expect(status).toBe(404);
      expect((JSON.parse(text) as Fields)['error_url']).toBe(`${ISSUER}/errors/route_not_found`);
    });

    it.each(Object.entries(MAILED_LINKS))('the link of a mail of the kind %s does its work', async (_, mail) => {
      const mailed: MailedVisitor = {
        provider: server.provider,
        post: (path, body, session = PUBLIC_TOKEN) => post(path, body, visitor(5), { session }),
      };
      const link = await mail(mailed);
      if (link.url.origin !== ISSUER) {
        expect(await redeem(mailed, link)).toBe(200);
        return;
      }
      const { port } = proxy;
      const page = await visit({ port, path: `${link.url.pathname}${link.url.search}`, from: visitor(5) });
      expect(page.status).toBe(200);
      const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)"/u.exec(page.text) ?? [];
      expect((await visit({ port, path: styles, from: visitor(5) })).status).toBe(200);
      // The last button is the one that the link is for.
      const [, action = ''] = /<form method="post" action="([^"]+)"/u.exec(page.text) ?? [];
      const [, press = ''] = [...page.text.matchAll(/<button[^>]* name="do" value="(\w+)"/gu)].at(-1) ?? [];
      const body = new URLSearchParams({ token: link.url.searchParams.get('token') ?? '', do: press }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await visit({ port, path: action, body, headers, from: visitor(5) })).status).toBe(200);
    });

    it('every public route is reached, and no other', async () => {
      const { port } = proxy;
      const reached = async (path: string): Promise<boolean> => {
        server.requests.length = 0;
        await visit({ port, path, agent: browser });
        return server.requests.some(({ target }) => target === path);
      };
      const missed: string[] = [];
      for (const path of publicExamples(server.app)) if (!(await reached(path))) missed.push(path);
      expect(missed).toEqual([]);
      for (const path of privateExamples(server.app)) expect(await reached(path), path).toBe(false);
    });

    it.each([
      ['/clientside-services/index.html', 200],
      ['/clientside-services/services.js', 200],
      // The project does not use telemetry: the server says so, in JSON.
      ['/telemetry.js', 404],
    ])('%s reaches the server, for the reference client', async (path, status) => {
      const answer = await visit({ port: proxy.port, path });
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(status === 200 ? /services/iu : /route_not_found/u);
    });

    it.each([
      '/v1/users/user-test-1',
      '/v1/sessions/authenticate',
      '/admin/impersonate',
      '/healthz',
      '/readyz',
      '/metrics',
      '/',
      '/sdk/v1/../../v1/users/x',
      '/sdk/v1/..%2f..%2fv1/users/x',
      '/sdk/v1/%2e%2e/%2e%2e/v1/users/x',
      '/sdk/v1/..\\..\\v1/users/x',
      '/sdk/v1/.%2e\\..\\admin/impersonate',
      '//v1/users/x',
      '/v1/public/../users/x',
      '/V1/users/x',
    ])('%s is not reached', async (path) => {
      const { status, text } = await visit({
        port: proxy.port,
        path,
        agent: browser,
        headers: { authorization: basic('a', 'b') },
      });
      // A redirect to the path that is meant would be no way in either, but a wrong answer.
      expect([400, 404]).toContain(status);
      // The backend API would ask for its secret.
      expect(text).not.toMatch(/project_not_found|unauthorized|secret/u);
    });

    it('a body that is too long is refused', async () => {
      const body = JSON.stringify({ email: 'x'.repeat(100_000) });
      const sent = visit({ port: proxy.port, path: '/sdk/v1/users/search', body, headers: JSON_HEADERS });
      // Caddy says 502 if it notices after it has asked the server.
      expect(name === 'caddy' ? [413, 502] : [413]).toContain((await sent).status);
    });

    // The others have no such checks.
    listedIf(name === 'haproxy', it)('a server that fails its checks answers visitors where no other can', async () => {
      let status = 200;
      const alone = createServer(({ url }, reply) => reply.writeHead(url === '/readyz' ? status : 200).end('answered'));
      await new Promise<void>((resolve) => alone.listen(0, '127.0.0.1', resolve));
      const front = await startProxy(name, (alone.address() as AddressInfo).port);
      try {
        status = 503;
        await expect.poll(() => front.output()).toContain('has no server available');
        const reply = await visit({ port: front.port, path: '/.well-known/jwks.json' });
        expect([reply.status, reply.text]).toEqual([200, 'answered']);
      } finally {
        await front.stop();
        alone.closeAllConnections();
        alone.close();
      }
    });

    it('plain HTTP is redirected to TLS', async () => {
      const location = await new Promise((resolve, reject) => {
        const asked = { host: '127.0.0.1', port: proxy.plainPort, path: '/sdk/v1/x?y=1' };
        const headers = { host: name === 'caddy' ? HOST : 'evil.example' };
        const outgoing = request({ ...asked, headers, agent: false as unknown as PlainAgent }, (incoming) => {
          incoming.resume();
          resolve([incoming.statusCode, incoming.headers.location]);
        });
        outgoing.on('error', reject).end();
      });
      // Caddy names the port of this test, which is not that of https.
      expect(location).toEqual([
        308,
        expect.stringMatching(/^https:\/\/auth\.example\.com(?::\d+)?\/sdk\/v1\/x\?y=1$/u),
      ]);
    });

    listedIf(SOAK || name === 'nginx', it)(
      '100 requests over few connections are answered, while the proxy gives idle ones up',
      async () => {
        const before = server.connections();
        const visitors = Array.from({ length: 5 }, async (_, number) => {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          const statuses: number[] = [];
          for (let i = 0; i < 20; i += 1) {
            // About as long as the proxy keeps an idle connection in this test: some requests find it, others do not.
            await sleep(60 + ((number * 7 + i * 13) % 80));
            statuses.push((await visit({ port: proxy.port, path: '/.well-known/jwks.json', agent })).status);
          }
          agent.destroy();
          return statuses;
        });
        const statuses = (await Promise.all(visitors)).flat();
        expect(statuses.filter((status) => status !== 200)).toEqual([]);
        // With each request nginx asks a server whether it closes.
        expect(server.connections() - before).toBeLessThan(name === 'nginx' ? 200 : 100);
      },
    );
  });
}
