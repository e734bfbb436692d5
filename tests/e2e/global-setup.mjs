/**
 * The provider in memory and the demo pages, each on a free port, for the whole run.
 *
 * Tests find them in PORTICO_DEMO_URL and PORTICO_PROVIDER_URL.
 */
import { freePort } from '../../scripts/lib/net.mjs';
import { startProvider } from '../../scripts/lib/provider-process.mjs';
import { ensureBuilt } from '../../scripts/lib/steps.mjs';
import { serveDemo } from '../../scripts/serve-demo.mjs';

export default async function globalSetup() {
  await ensureBuilt(['server', 'entries', 'demo']);
  const port = await freePort();
  const provider = await startProvider(['--port', String(port), '--data', 'memory']);
  const providerUrl = `http://localhost:${port}`;
  const demo = await serveDemo({ port: 0, providerUrl });
  process.env.PORTICO_PROVIDER_URL = providerUrl;
  process.env.PORTICO_DEMO_URL = demo.url;
  return async () => {
    await Promise.all([demo.close(), provider.stop()]);
  };
}
