import type { HttpRequest, TransportPort } from '#application/ports/index.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface ServedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface ReceivedRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The value of the cookie named `kept`, or null. */
  readonly cookie: string | null;
}

export interface TransportHarness extends Disposable {
  readonly transport: TransportPort;
  /** An address of the server, for every method. */
  readonly url: string;
  /**
   * What the server does from now on: answer, break the connection, or leave the request open. Connections must not be
   * kept alive: browsers themselves send again what a kept one lost.
   */
  readonly serve: (answer: ServedAnswer | 'broken' | 'open') => void;
  /** What reached the server, oldest first. */
  readonly received: () => readonly ReceivedRequest[];
  /** Gives the browser a cookie for the server, named `kept`; null for a transport of servers, which have no cookies. */
  readonly setCookie: ((value: string) => void) | null;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const OK: ServedAnswer = { status: 200, headers: JSON_TYPE, text: '{"data":{}}' };

/** The contract of TransportPort. */
export function transportContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => TransportHarness | Promise<TransportHarness>,
): void {
  const { expect } = runner;
  const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {}, body: null });
  const post = (url: string, body: string): HttpRequest => ({ method: 'POST', url, headers: JSON_TYPE, body });

  suite(runner, `TransportPort: ${name}`, makeHarness, (test) => {
    test('carries method, headers and body as they are', async ({ transport, url, serve, received }) => {
      serve(OK);
      await transport.send(get(url));
      await transport.send({
        ...post(url, '{"email":"ü@example.com"}'),
        headers: { ...JSON_TYPE, 'X-SDK-Client': 'e30=' },
      });
      await transport.send({ ...post(url, '{"name":"n"}'), method: 'PUT' });
      await transport.send({ ...get(url), method: 'DELETE' });
      expect(received().map(({ method, body }) => [method, body])).toEqual([
        ['GET', ''],
        ['POST', '{"email":"ü@example.com"}'],
        ['PUT', '{"name":"n"}'],
        ['DELETE', ''],
      ]);
      expect(received()[1]?.headers['x-sdk-client']).toBe('e30=');
      expect(received()[1]?.headers['content-type']).toBe('application/json');
      expect(received()[0]?.headers['content-type']).toBe(undefined);
    });

    test('resolves an answer of any status, with its body as text', async ({ transport, url, serve }) => {
      for (const status of [200, 201, 299, 400, 401, 404, 413, 418, 429, 500, 502, 503]) {
        serve({ status, headers: { 'content-type': 'text/plain' }, text: `<p>not JSON, ü, ${status}` });
        const answer = await transport.send(post(url, '{}'));
        expect([answer.status, answer.text]).toEqual([status, `<p>not JSON, ü, ${status}`]);
      }
    });

    test('resolves an answer without a body with empty text', async ({ transport, url, serve }) => {
      for (const status of [200, 204, 500]) {
        serve({ status, headers: {}, text: '' });
        expect((await transport.send(get(url))).text).toBe('');
      }
    });

    test('reports the answer’s headers, their names in lower case', async ({ transport, url, serve }) => {
      serve({ ...OK, status: 429, headers: { 'content-type': 'text/plain', 'retry-after': '7' } });
      const { headers } = await transport.send(get(url));
      expect([headers['retry-after'], headers['content-type']]).toEqual(['7', 'text/plain']);
    });

    test('rejects when no answer comes', async ({ transport, url, serve }) => {
      serve('broken');
      expect((await rejectionOf(transport.send(get(url)))) instanceof Error).toBe(true);
      expect((await rejectionOf(transport.send(post(url, '{}')))) instanceof Error).toBe(true);
    });

    test('sends a request that changes something once, and so any that asks for it', async (harness) => {
      const { transport, url, serve, received } = harness;
      const requests = [
        post(url, '{}'),
        { ...post(url, '{}'), method: 'PUT' },
        { ...get(url), method: 'DELETE' },
      ] as const;
      let sent = 0;
      for (const request of [...requests, { ...get(url), once: true }]) {
        for (const status of [408, 413, 429, 500, 502, 503, 504]) {
          serve({ status, headers: { 'retry-after': '0' }, text: '' });
          await transport.send(request);
          expect(received().length).toBe((sent += 1));
        }
        serve('broken');
        await rejectionOf(transport.send(request));
        expect(received().length).toBe((sent += 1));
      }
    });

    test('sends a GET at most three times, and once where the answer is final', async (harness) => {
      const { transport, url, serve, received } = harness;
      for (const status of [400, 401, 404, 500]) {
        serve({ status, headers: { 'retry-after': '0' }, text: '' });
        const before = received().length;
        expect((await transport.send(get(url))).status).toBe(status);
        expect(received().length - before).toBe(1);
      }
      for (const status of [429, 503]) {
        serve({ status, headers: { 'retry-after': '0' }, text: `busy ${status}` });
        const before = received().length;
        const answer = await transport.send(get(url));
        expect([answer.status, answer.text]).toEqual([status, `busy ${status}`]);
        expect([1, 2, 3].includes(received().length - before)).toBe(true);
      }
    });

    test('follows no redirect', async ({ transport, url, serve, received }) => {
      for (const status of [301, 302, 303, 307, 308]) {
        serve({ status, headers: { location: url }, text: '' });
        expect((await rejectionOf(transport.send(post(url, '{"token":"secret"}')))) instanceof Error).toBe(true);
      }
      expect(received().length).toBe(5);
    });

    test('takes cookies along, where there are any', async ({ transport, url, serve, received, setCookie }) => {
      serve(OK);
      await transport.send(get(url));
      setCookie?.('v');
      await transport.send(get(url));
      expect(received().map(({ cookie }) => cookie)).toEqual([null, setCookie === null ? null : 'v']);
    });

    test('carries a request that goes on when the page is left as any other', async (harness) => {
      const { transport, url, serve, received } = harness;
      serve(OK);
      const { status, text } = await transport.send({ ...post(url, '{"a":1}'), keepalive: true });
      expect([status, text, received()[0]?.body]).toEqual([200, OK.text, '{"a":1}']);
    });

    test('rejects when the signal is aborted under way', async ({ transport, url, serve, received }) => {
      serve('open');
      const abort = new AbortController();
      const rejection = rejectionOf(transport.send({ ...get(url), signal: abort.signal }));
      while (received().length === 0) await new Promise((resolve) => void setTimeout(resolve, 1));
      abort.abort();
      expect(((await rejection) as Error).name).toBe('AbortError');
    });

    test('sends nothing when the signal is aborted already', async ({ transport, url, serve, received }) => {
      serve(OK);
      const signal = AbortSignal.abort();
      expect(((await rejectionOf(transport.send({ ...get(url), signal }))) as Error).name).toBe('AbortError');
      expect(received().length).toBe(0);
    });
  });
}
