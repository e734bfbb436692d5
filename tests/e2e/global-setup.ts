/**
 * The provider in memory, the demo pages and the relying party, each on a free port, for the whole run.
 *
 * Tests find them in PORTICO_DEMO_URL, PORTICO_PROVIDER_URL and PORTICO_APP_URL, and the packed package in PORTICO_TARBALL.
 */
import getPort from 'get-port';
import { PATIENT_SERVER, startProvider } from '#scripts/lib/provider-process.ts';
import { ensureBuilt } from '#scripts/lib/steps.ts';
import { serveRelyingParty } from '../../examples/relying-party/serve.ts';
import { packPackage } from '#scripts/lib/pack.ts';
import { serveDemo } from '#scripts/serve-demo.ts';

export default async function globalSetup(): Promise<() => Promise<void>> {
  await ensureBuilt(['server', 'test-server', 'entries', 'types', 'demo', 'gallery', 'docs']);
  const port = await getPort();
  const demoPort = await getPort();
  const providerUrl = `http://localhost:${port}`;
  const demoUrl = `http://localhost:${demoPort}`;
  const app = await serveRelyingParty({ port: 0, issuer: providerUrl, demoUrl });
  const packed = await packPackage();
  const demo = await serveDemo({ port: demoPort, providerUrl, appUrl: app.url, tarball: async () => packed.tarball });
  const pages = ['--authorization-url', `${demoUrl}/authorize`, '--demo-url', demoUrl];
  const args = ['--dev', '--port', String(port), '--data', 'memory', ...pages];
  const provider = await startProvider(args, { main: PATIENT_SERVER });
  process.env['PORTICO_PROVIDER_URL'] = providerUrl;
  process.env['PORTICO_DEMO_URL'] = demo.url;
  process.env['PORTICO_APP_URL'] = app.url;
  process.env['PORTICO_TARBALL'] = packed.tarball;
  return async () => {
    packed.remove();
    await Promise.all([demo.close(), app.close(), provider.stop()]);
  };
}
