/** What `npm start` does. */
import { join, resolve } from 'node:path';
import { serveRelyingParty } from '../../examples/relying-party/serve.ts';
import { serveDemo } from '../serve-demo.ts';
import { choosePort } from './net.ts';
import { packOnDemand } from './pack-on-demand.ts';
import { startProvider } from './provider-process.ts';
import { ROOT } from './root.mjs';
import { stopAll, stopOnSignal } from './run.ts';
import { BuildError, ensureBuilt } from './steps.ts';
import { endWithParent } from './with-parent.mjs';

interface StartOptions {
  readonly build?: typeof ensureBuilt;
  /** The program of the provider. */
  readonly main?: string;
}

let stopping = false;

async function startAll({ build = ensureBuilt, main }: StartOptions): Promise<void> {
  const unknown = process.argv.slice(2).filter((arg) => arg !== '--fresh');
  if (unknown.length > 0) throw new RangeError(`npm start knows no ${unknown.join(' ')}; it takes --fresh.`);
  const data = resolve(process.env['PORTICO_DATA'] ?? join(ROOT, '.data/provider'));
  const serving: { close(): Promise<void> }[] = [];
  stopOnSignal(0, async () => {
    stopping = true;
    console.log('\nStopped.');
    await Promise.all(serving.map(async (one) => one.close()));
  });

  const port = await choosePort('PORT', 3000);
  const providerPort = await choosePort('PROVIDER_PORT', 4100);
  const appPort = await choosePort('APP_PORT', 3100);

  const demoUrl = `http://localhost:${port}`;
  const pages = ['--authorization-url', `${demoUrl}/authorize`, '--demo-url', demoUrl];
  const started = async () => {
    await build(['server']);
    console.log('Starting the provider …');
    // The provider empties the folder once it has locked it: another start may use it.
    const fresh = process.argv.includes('--fresh') ? ['--fresh'] : [];
    return startProvider(['--dev', '--port', String(providerPort), '--data', data, ...fresh, ...pages], {
      say: (text) => process.stderr.write(text),
      ...(main === undefined ? {} : { main }),
    });
  };
  // Each keeps one core busy.
  const [provider] = await Promise.all([started(), build(['entries', 'demo'])]);
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
  const docs = shown.then(async () => build(['types', 'docs'], say));
  const gallery = docs.catch(() => {}).then(async () => build(['gallery'], say));
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

/** Starts everything, and ends the process when that fails. */
export async function runStart(options: StartOptions = {}): Promise<void> {
  // npm that is killed says nothing to its commands.
  if (process.env['npm_lifecycle_event'] === 'start') endWithParent();
  try {
    await startAll(options);
  } catch (error) {
    if (stopping) await new Promise(() => {});
    const plain = error instanceof RangeError || error instanceof BuildError;
    console.error(plain || process.env['DEBUG'] === undefined ? explained((error as Error).message) : error);
    await stopAll();
    process.exit(1);
  }
}

/** The provider names its option, and this command has a variable in place of it. */
function explained(message: string): string {
  if (!message.includes(' is in use by ')) return message;
  return `${message}\nPORTICO_DATA names another data folder for npm start.`;
}
