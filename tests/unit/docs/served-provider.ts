import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { makeControlled } from '../../../provider/tests/kit/controlled.ts';
import type { Provider } from '../../../provider/tests/kit/harness.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { ANY_DATABASE } from '../../../provider/tests/kit/harness.ts';

export interface ServedProvider {
  readonly url: string;
  readonly provider: Provider;
  /** The path of every request that came over the socket. */
  readonly requests: string[];
  close(): Promise<void>;
}

/**
 * The provider of the documents' samples, as `npm run provider -- --dev --data memory`, on a free port of loopback.
 *
 * @param settings fields of the project file in addition to those of `provider/project.json`
 */
export async function serveProvider(settings: object = {}): Promise<ServedProvider> {
  const file = JSON.parse(readFileSync(join(ROOT, 'provider/project.json'), 'utf8')) as object;
  const project = { ...file, ...settings };
  const provider = await makeControlled(ANY_DATABASE, { clock: { now: () => Date.now() } }, project);
  const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    void listener(request, response);
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    provider,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await provider.close();
    },
  };
}
