import { describe, expect, it } from 'vitest';
import { FakeTransport } from '../../src/infrastructure/fake/fake-transport.ts';
import { offline, rawReply } from '../../src/infrastructure/fake/fake-reply.ts';
import { KyTransport } from '../../src/infrastructure/http/ky-transport.ts';
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

transportContract(runner, 'KyTransport on Node’s fetch and a server on loopback', async () => {
  const server = await LoopbackServer.start();
  let cookie: string | null = null;
  // Node's fetch keeps no cookies: what a browser does with `credentials` is done here.
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (cookie !== null && request.credentials === 'include') request.headers.set('cookie', `kept=${cookie}`);
    return fetch(request);
  };
  return {
    transport: new KyTransport({ fetch: fetchWithCookies }),
    url: server.url,
    serve: (answer) => void (server.answer = answer),
    received: () => server.received,
    setCookie: (value) => void (cookie = value),
    dispose: async () => server.stop(),
  };
});
