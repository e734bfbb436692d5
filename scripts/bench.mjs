/** Measures what a visitor pays (`npm run bench`): bytes at start, held by budgets, and the time to a visible field. */
import { stopOnSignal } from './lib/run.mjs';
import { ensureBuilt } from './lib/steps.mjs';
import { checkSizes } from './sizes.mjs';

stopOnSignal(130);
try {
  await ensureBuilt(['entries', 'server']);
  console.log('Bytes at start (minified, gzip level 9):');
  const sizes = await checkSizes();
  console.log(sizes.output);

  const { measureTime } = await import('../bench/time.mjs');
  console.log('\nFrom script evaluation to a visible email field (Chromium, median of 9):');
  for (const [name, ms] of Object.entries(await measureTime())) console.log(`  ${name}: ${ms.toFixed(0)} ms`);
  process.exit(sizes.ok ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
