import { describe, expect, it } from 'vitest';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { FetchTransport } from '#infrastructure/http/fetch-transport.ts';
import { JwksOverHttp } from '#infrastructure/http/jwks-over-http.ts';
import { LoopbackServer } from '../unit/infrastructure/support/loopback-server.ts';
import { keysContract } from './keys.contract.ts';

const runner = { describe, it, expect };
const JSON_TYPE = { 'content-type': 'application/json' };

keysContract(runner, 'FakeKeys', () => {
  const keys = new FakeKeys();
  const fail = (): void => void (keys.failure = new Error('offline'));
  return {
    keys,
    publish: (published) => {
      keys.failure = null;
      if (published === null) fail();
      else keys.keys = published;
    },
    break: fail,
  };
});

keysContract(runner, 'JwksOverHttp on Node’s fetch and a server on loopback', async () => {
  const server = await LoopbackServer.start();
  const limits = { timeoutMs: 1_000, maxBytes: 10_000 };
  const transport = new FetchTransport(async (url, init) => fetch(url, init), new VirtualClock(), limits);
  return {
    keys: new JwksOverHttp(transport, server.url),
    publish: (keys) =>
      void (server.answer = {
        status: 200,
        headers: JSON_TYPE,
        text: keys === null ? '{"keys":"none"}' : JSON.stringify({ keys }),
      }),
    break: () => void (server.answer = 'broken'),
    dispose: async () => server.stop(),
  };
});
