/**
 * Measures the costs for visitors and servers (`npm run bench`): bytes at start, with budgets; the time to a visible field; the
 * client's own work; requests per second that `portico/server` authenticates; logins and imported users per second of the provider;
 * response times for addresses with and without an account; what the proof of a bound session adds to its refresh; the cost of a
 * consent page.
 *
 * The session checks are compared with better-auth, which is installed into a scratch folder. `--million` also measures them with a
 * million users.
 *
 * `--peers` measures the time to a visible field of other clients instead; bench/peers/run.ts has its options.
 */
import type {
  BoundRefresh,
  ClientCost,
  ImportCosts,
  KnownAddressTimes,
  HookedLogins,
  Latency,
  ProviderRates,
  Rates,
} from '../bench/report.ts';
import { stopAll, stopOnSignal } from './lib/run.ts';
import { ensureBuilt } from './lib/steps.ts';
import { startPostgres, type MaybePostgres } from './postgres.ts';
import { checkSizes } from './sizes.ts';

let postgres: MaybePostgres = { reason: 'the run ended before it started' };
stopOnSignal(130, async () => stopPostgres());
const stopPostgres = async (): Promise<void> => ('url' in postgres ? postgres.stop() : undefined);
let ok = false;

async function peers(): Promise<boolean> {
  await ensureBuilt(['entries']);
  const { benchPeers } = await import('../bench/peers/run.ts');
  await benchPeers(process.argv.slice(2));
  return true;
}

async function ours(): Promise<boolean> {
  await ensureBuilt(['entries', 'server', 'demo']);
  console.log('Bytes at start (minified, gzip level 9), and what is loaded on demand:');
  const sizes = await checkSizes();
  console.log(sizes.output);

  const { measureSources } = await import('../bench/sources.ts');
  const {
    answerLines,
    authorizeLines,
    boundLines,
    checkLines,
    clientLines,
    crowdLines,
    hookLines,
    importLines,
    providerLines,
    timeLines,
    verifierLines,
  } = await import('../bench/report.ts');
  const flags = ['--expose-gc', '--max-semi-space-size=128'];
  console.log(`\n${clientLines((await measureSources('client.ts', { flags })) as ClientCost).join('\n')}`);

  console.log(`\n${verifierLines((await measureSources('verifier.ts')) as Rates).join('\n')}`);

  postgres = await startPostgres();
  const env: Record<string, string> = 'url' in postgres ? { TEST_DATABASE_URL: postgres.url } : {};
  const logins = (await measureSources('provider.ts', { env })) as ProviderRates;
  console.log(`\n${providerLines(logins, 'reason' in postgres ? postgres.reason : null).join('\n')}`);
  const answers = (await measureSources('known-addresses.ts', { env })) as KnownAddressTimes;
  console.log(`\n${answerLines(answers).join('\n')}`);
  const checks = (await measureSources('session-checks.ts', { env })) as Parameters<typeof checkLines>[0];
  console.log(`\n${checkLines(checks).join('\n')}`);
  const hooked = (await measureSources('hooked-logins.ts', { env })) as HookedLogins;
  console.log(`\n${hookLines(hooked).join('\n')}`);
  const bound = (await measureSources('bound-refreshes.ts', { env })) as readonly BoundRefresh[];
  console.log(`\n${boundLines(bound).join('\n')}`);
  const imports = 'url' in postgres ? ((await measureSources('import-users.ts', { env })) as ImportCosts) : null;
  console.log(`\n${importLines(imports, 'reason' in postgres ? postgres.reason : null).join('\n')}`);
  if (process.argv.includes('--million') && 'url' in postgres) {
    const crowds = (await measureSources('many-users.ts', { env })) as readonly Latency[];
    console.log(`\n${crowdLines(crowds).join('\n')}`);
  }

  const { measureTime } = await import('../bench/time.ts');
  console.log(`\n${timeLines(await measureTime()).join('\n')}`);
  const { measureAuthorize } = await import('../bench/authorize.ts');
  console.log(`\n${authorizeLines(await measureAuthorize()).join('\n')}`);
  return sizes.ok;
}

try {
  ok = await (process.argv.includes('--peers') ? peers() : ours());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await Promise.allSettled([stopPostgres(), stopAll()]);
}
process.exit(ok ? 0 : 1);
