/**
 * The provider, the demo host page, and another app that signs in with them, from one command (`npm start`).
 *
 * - builds stale outputs, prints the addresses, and runs until Ctrl-C;
 * - the documentation and the gallery are built in the background;
 * - PORT, PROVIDER_PORT and APP_PORT name ports; when a default port is in use, the next free one is used; a named port in use ends
 *   the command;
 * - `--fresh` deletes the provider's data; PORTICO_DATA names another data folder.
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { choosePort } from './lib/net.ts';
import { packOnDemand } from './lib/pack-on-demand.ts';
import { startProvider } from './lib/provider-process.ts';
import { ROOT } from './lib/root.mjs';
import { stopAll, stopOnSignal } from './lib/run.ts';
import { BuildError, ensureBuilt } from './lib/steps.ts';
import { serveRelyingParty } from '../examples/relying-party/serve.ts';
import { serveDemo } from './serve-demo.ts';

let stopping = false;

const DATA = resolve(process.env['PORTICO_DATA'] ?? join(ROOT, '.data/provider'));

async function main(): Promise<void> {
  const unknown = process.argv.slice(2).filter((arg) => arg !== '--fresh');
  if (unknown.length > 0) throw new RangeError(`npm start knows no ${unknown.join(' ')}; it takes --fresh.`);
  const serving: { close(): Promise<void> }[] = [];
  stopOnSignal(0, async () => {
    stopping = true;
    console.log('\nStopped.');
    await Promise.all(serving.map(async (one) => one.close()));
  });

  const port = await choosePort('PORT', 3000);
  const providerPort = await choosePort('PROVIDER_PORT', 4100);
  const appPort = await choosePort('APP_PORT', 3100);

  if (process.argv.includes('--fresh')) rmSync(DATA, { recursive: true, force: true });
  const demoUrl = `http://localhost:${port}`;
  const pages = ['--authorization-url', `${demoUrl}/authorize`, '--demo-url', demoUrl];
  const started = async () => {
    await ensureBuilt(['server']);
    console.log('Starting the provider …');
    return startProvider(['--dev', '--port', String(providerPort), '--data', DATA, ...pages], {
      say: (text) => process.stderr.write(text),
    });
  };
  // Each keeps one core busy.
  const [provider] = await Promise.all([started(), ensureBuilt(['entries', 'demo'])]);
  provider.child.once('exit', (code) => {
    if (stopping) return;
    console.error(`The provider has ended (code ${code}), so the demo ends too.`);
    process.exit(1);
  });
  const providerUrl = `http://localhost:${providerPort}`;
  const app = await serveRelyingParty({ port: appPort, issuer: providerUrl, demoUrl });
  let show: () => void = () => {};
  const shown = new Promise<void>((resolve) => (show = resolve));
  let isStale = false;
  const say = (line: string): void => {
    isStale = true;
    console.log(line);
  };
  const docs = shown.then(async () => ensureBuilt(['types', 'docs'], say));
  const gallery = docs.catch(() => {}).then(async () => ensureBuilt(['gallery'], say));
  const tarball = packOnDemand();
  const demo = await serveDemo({ port, providerUrl, appUrl: app.url, welcome: true, docs, gallery, tarball });
  serving.push(demo, app);

  console.log(`
  Demo page     ${demo.url}
  Documentation ${demo.url}/docs/
  Another app   ${app.url}   signs in with the demo, as an OpenID provider
  Provider      ${providerUrl}
  Dev inbox     ${providerUrl}/dev/inbox

  Public token  ${provider.publicToken}   for a page of your own, on any port of this machine
  Project id    ${provider.projectId}   the audience of the session JWTs

  Ctrl-C stops them all.
`);
  show();
  const built = await Promise.allSettled([docs, gallery]);
  const failures = built.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  for (const { reason } of failures) console.error(reason instanceof BuildError ? reason.message : reason);
  if (isStale && failures.length === 0) console.log('The documentation and the gallery are built.');
}

try {
  await main();
} catch (error) {
  if (stopping) await new Promise(() => {});
  const plain = error instanceof RangeError || error instanceof BuildError;
  console.error(plain || process.env['DEBUG'] === undefined ? (error as Error).message : error);
  await stopAll();
  process.exit(1);
}
