import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { makeProvider, type Provider } from '../../../provider/tests/kit/harness.ts';

export interface ServedProvider {
  readonly url: string;
  readonly provider: Provider;
  close(): Promise<void>;
}

/** The provider of the documents' samples, as `npm run provider -- --dev --data memory`, on a free port of loopback. */
export async function serveProvider(): Promise<ServedProvider> {
  const provider = await makeProvider(undefined, { clock: { now: () => Date.now() } });
  const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    provider,
    async close() {
      server.close();
      server.closeAllConnections();
      await provider.close();
    },
  };
}
