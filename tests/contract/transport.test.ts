import { describe, expect, it } from 'vitest';
import type { TransportPort } from '#application/ports/index.ts';
import { FakeTransport } from '#kit/transport/fake-transport.ts';
import { offline, rawReply } from '#kit/transport/fake-reply.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { FetchTransport } from '#infrastructure/http/fetch-transport.ts';
import type { FetchScope } from '#infrastructure/http/timed-fetch.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { StartTransport } from '#infrastructure/http/start-transport.ts';
import { LoopbackServer } from '../unit/infrastructure/support/loopback-server.ts';
import { transportContract, type TransportHarness } from './transport.contract.ts';

const runner = { describe, it, expect };

transportContract(runner, 'FakeTransport', () => {
  const transport = new FakeTransport();
  let served: Parameters<TransportHarness['serve']>[0] = 'broken';
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    transport.answer({ name: method, method, path: '/anything', body: {}, list: false, reply: {} }, async () => {
      if (served === 'open') return new Promise(() => undefined);
      return served === 'broken' ? offline() : rawReply(served.status, served.text, served.headers);
    });
  }
  return {
    transport,
    url: 'https://api.example.com/sdk/v1/anything',
    serve: (answer) => void (served = answer),
    received: () =>
      transport.requests.map(({ method, headers, body, cookies }) => ({
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body: body === null ? '' : JSON.stringify(body),
        cookie: cookies.get('kept') ?? null,
      })),
    setCookie: (value) => transport.cookies.set('kept', value),
  };
});

/** A server on loopback, and Node's fetch with the cookie that a browser would add: what `credentials` does there. */
async function onLoopback(transportOn: (scope: FetchScope) => TransportPort): Promise<TransportHarness> {
  const server = await LoopbackServer.start();
  let cookie: string | null = null;
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (cookie !== null && request.credentials === 'include') request.headers.set('cookie', `kept=${cookie}`);
    return fetch(request);
  };
  return {
    transport: transportOn({ fetch: fetchWithCookies }),
    url: server.url,
    serve: (answer) => void (server.answer = answer),
    received: () => server.received,
    setCookie: (value) => void (cookie = value),
    dispose: async () => server.stop(),
  };
}

transportContract(runner, 'KyTransport on Node’s fetch and a server on loopback', async () =>
  onLoopback((scope) => new KyTransport(scope)),
);

transportContract(runner, 'StartTransport on Node’s fetch and a server on loopback', async () =>
  onLoopback((scope) => new StartTransport(scope, new VirtualClock())),
);

transportContract(runner, 'FetchTransport on Node’s fetch and a server on loopback', async () => {
  const server = await LoopbackServer.start();
  const limits = { timeoutMs: 60_000, maxBytes: 1_000 };
  return {
    transport: new FetchTransport(async (url, init) => fetch(url, init), new VirtualClock(), limits),
    url: server.url,
    serve: (answer) => void (server.answer = answer),
    received: () => server.received,
    setCookie: null,
    dispose: async () => server.stop(),
  };
});

describe('FetchTransport', () => {
  it('rejects an answer that is too long, or takes too long', async () => {
    const server = await LoopbackServer.start();
    const clock = new VirtualClock();
    const transport = new FetchTransport(async (url, init) => fetch(url, init), clock, {
      timeoutMs: 100,
      maxBytes: 10,
    });
    const get = async () => transport.send({ method: 'GET', url: server.url, headers: {}, body: null });
    server.answer = { status: 200, headers: {}, text: 'x'.repeat(10) };
    expect((await get()).text).toHaveLength(10);
    server.answer = { status: 200, headers: {}, text: 'x'.repeat(11) };
    await expect(get()).rejects.toThrow('longer than 10 bytes');
    server.answer = 'open';
    const late = expect(get()).rejects.toThrow('no answer within 100 ms');
    await clock.advance(100);
    await late;
    expect(clock.pending).toBe(0);
    await server.stop();
  });
});
