/**
 * Measures what a visitor and a server pay (`npm run bench`): bytes at start, held by budgets, the time to a visible
 * field, what the client's own work costs, logins per second of the provider, and what a consent page costs.
 *
 * `--peers` measures the time to a visible field beside other clients instead; bench/peers/run.ts has its options.
 */
import { createJiti } from 'jiti';
import { stopAll, stopOnSignal } from './lib/run.mjs';
import { ensureBuilt } from './lib/steps.mjs';
import { startPostgres } from './postgres.mjs';
import { checkSizes } from './sizes.mjs';

let postgres = { reason: 'the run ended before it started' };
stopOnSignal(130, async () => postgres.stop?.());
let ok = false;

async function peers() {
  await ensureBuilt(['entries']);
  const { benchPeers } = await createJiti(import.meta.url).import('../bench/peers/run.ts');
  await benchPeers(process.argv.slice(2));
  return true;
}

async function ours() {
  await ensureBuilt(['entries', 'server', 'demo']);
  console.log('Bytes at start (minified, gzip level 9), and what is loaded on demand:');
  const sizes = await checkSizes();
  console.log(sizes.output);

  const { measureSources } = await import('../bench/sources.mjs');
  const { authorizeLines, clientLines, providerLines, timeLines } = await import('../bench/report.mjs');
  const flags = ['--expose-gc', '--max-semi-space-size=128'];
  console.log(`\n${clientLines(await measureSources('client.ts', { flags })).join('\n')}`);

  postgres = await startPostgres();
  const env = postgres.url ? { TEST_DATABASE_URL: postgres.url } : {};
  const logins = await measureSources('provider.ts', { env });
  console.log(`\n${providerLines(logins, postgres.reason ?? null).join('\n')}`);

  const { measureTime } = await import('../bench/time.mjs');
  console.log(`\n${timeLines(await measureTime()).join('\n')}`);
  const { measureAuthorize } = await import('../bench/authorize.mjs');
  console.log(`\n${authorizeLines(await measureAuthorize()).join('\n')}`);
  return sizes.ok;
}

try {
  ok = await (process.argv.includes('--peers') ? peers() : ours());
} catch (error) {
  console.error(error.message);
} finally {
  await Promise.allSettled([postgres.stop?.(), stopAll()]);
}
process.exit(ok ? 0 : 1);
