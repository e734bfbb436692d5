import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST, missing, PROXIES, startProxy, visit, type FrontProxy } from '../kit/front-proxies.ts';
import { basic } from '../kit/harness.ts';
import { MOST_SEARCHES, startProxiedServer, type ProxiedServer } from '../kit/proxied-server.ts';
import {
  BODY,
  CHUNK_TRICKS,
  CODINGS,
  DOWNGRADES,
  FORGED,
  FORGED_HEADERS,
  HIDDEN,
  H2,
  HIDDEN_REQUEST,
  LENGTHS,
  LINES,
  PATHS,
  SEARCH,
  START,
  lengthsAndChunks,
} from '../kit/proxy-attacks.ts';
import { sendHttp2, sendRaw } from '../kit/raw-visitor.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { listedIf } from '#tests/soak-tests.ts';

let server: ProxiedServer;
beforeAll(async () => {
  server = await startProxiedServer();
});
afterAll(() => server.close());

/** Outside of soaks one proxy; deploy/proxies.test.ts has attacks through each. */
const PLAYED = new Set(PROXIES.filter((name) => missing(name) === null).slice(0, SOAK ? undefined : 1));

for (const [index, name] of PROXIES.entries()) {
  const isMissing = missing(name) !== null;
  listedIf(isMissing || PLAYED.has(name), describe.skipIf(isMissing))(`attacks through ${name}`, () => {
    let proxy: FrontProxy;
    beforeAll(async () => {
      server.requests.length = 0;
      proxy = await startProxy(name, server.port);
      server.requests.length = 0;
    });
    afterAll(() => proxy.stop());
    let visitors = 0;
    const known = new Set<string | undefined>();
    /** An address that no other visitor has. */
    const visitor = (): string => {
      visitors += 1;
      const address = `127.${10 + index}.${visitors >> 8}.${visitors & 0xff}`;
      known.add(address);
      return address;
    };
    const requestsOf = (from: string): readonly string[] =>
      server.requests.filter(({ headers }) => headers['x-forwarded-for'] === from).map(({ target }) => target);

    /** Each request that arrived has what the proxy wrote, about a visitor that there was; the next visitor gets an answer of their own. */
    const expectPlain = async (): Promise<void> => {
      const from = visitor();
      const next = await visit({ port: proxy.port, path: '/errors/none', from });
      expect(next.status).toBe(404);
      expect(next.text).toContain('route_not_found');
      expect(requestsOf(from)).toEqual(['/errors/none']);
      for (const { target, headers } of server.requests.splice(0)) {
        expect(target).not.toContain(HIDDEN);
        expect(known).toContain(headers['x-forwarded-for']);
        expect(headers).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-host': HOST, host: HOST });
        expect(headers['forwarded']).toBeUndefined();
      }
    };

    const attack = async (bytes: string): Promise<string> => {
      const from = visitor();
      const text = await sendRaw({ port: proxy.port, from }, bytes);
      await expectPlain();
      return text;
    };

    it('a plain request arrives', async () => {
      const from = visitor();
      const text = await sendRaw({ port: proxy.port, from }, `${START}Content-Length: ${BODY.length}\r\n\r\n${BODY}`);
      expect(text).toMatch(/^HTTP\/1\.1 200/u);
      const sent = await sendHttp2({ port: proxy.port, from }, H2(SEARCH), BODY);
      expect(sent.answered).toBe(true);
      expect(requestsOf(from)).toEqual([SEARCH, SEARCH]);
      await expectPlain();
    });

    it.each(oneOf(4, CODINGS))('a body with a length and chunks, %s, is one request', async (_, coding) => {
      for (const bytes of lengthsAndChunks(coding)) await attack(bytes);
    });

    it.each(oneOf(3, LENGTHS))('two lengths, %s, are one request', async (_, lengths) => {
      await attack(`${START}${lengths}\r\n${BODY}${HIDDEN_REQUEST}`);
    });

    it.each(oneOf(3, CHUNK_TRICKS))('chunks with %s hide no request', async (_, bytes) => {
      await attack(bytes);
    });

    it.each(oneOf(3, LINES))('a request line with %s reaches nothing that is hidden', async (_, bytes) => {
      await attack(bytes);
    });

    it.each(oneOf(3, PATHS))('%j is not a way to a hidden path', async (path) => {
      const from = visitor();
      const text = await sendRaw(
        { port: proxy.port, from },
        `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: ${basic('a', 'b')}\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.[01] (?:400|404|405|421) /u);
      server.requests.length = 0;
      // The backend API would ask for its secret.
      expect(text).not.toMatch(/project_not_found|unauthorized|secret/u);
    });

    it.each(oneOf(4, FORGED_HEADERS))('a forged address by %s does not count', async (_, headers) => {
      const from = visitor();
      const statuses: number[] = [];
      for (let i = 0; i <= MOST_SEARCHES; i += 1) {
        const bytes = `${START}${headers.replaceAll(FORGED, `203.0.113.${i}`)}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
        statuses.push(Number((await sendRaw({ port: proxy.port, from }, bytes)).slice(9, 12)));
      }
      // A proxy may refuse such a request at once.
      if (!statuses.every((status) => status === 400)) expect(statuses).toEqual([200, 200, 200, 429]);
      await expectPlain();
    });

    it.each([
      'evil.example',
      `${HOST}.evil.example`,
      `evil.example:443`,
      `${HOST}@evil.example`,
      `${HOST}, evil.example`,
      '',
    ])('a request for the host %j does not reach the server', async (host) => {
      const from = visitor();
      const text = await sendRaw({ port: proxy.port, from }, `GET /errors/none HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(text).not.toContain('route_not_found');
      expect(requestsOf(from)).toEqual([]);
    });

    it.each([
      ['one header of 20 kB', `X-A: ${'a'.repeat(20_000)}\r\n`],
      ['five thousand headers', 'X-A: b\r\n'.repeat(5_000)],
      ['an address of 20 kB', ''],
    ])('%s is refused, and nobody else is', async (_, headers) => {
      const target = headers === '' ? `/errors/${'a'.repeat(20_000)}` : '/errors/none';
      const text = await sendRaw(
        { port: proxy.port, from: visitor() },
        `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n`,
      );
      // By the proxy or the server, never 404, the answer of the route. A proxy that still sends when the server has refused and closed
      // the connection reports a bad gateway.
      expect(text).toMatch(/^HTTP\/1\.[01] (?:400|413|414|431|502) /u);
      const next = await visit({ port: proxy.port, path: '/errors/none', from: visitor() });
      expect(next.status).toBe(404);
    });

    it.each(oneOf(3, ['X-A', 'Z-A', 'A']))(
      'no header of the proxy is lost behind thousands of a visitor, named %s',
      async (header) => {
        await attack(`GET /errors/none HTTP/1.1\r\nHost: ${HOST}\r\n${`${header}:\r\n`.repeat(2_200)}\r\n`);
      },
    );

    it.each(oneOf(3, DOWNGRADES))('HTTP/2 with %s becomes one request or none', async (_, fields, body) => {
      const from = visitor();
      await sendHttp2({ port: proxy.port, from }, fields, body);
      await expectPlain();
    });
  });
}
