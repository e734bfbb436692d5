/**
 * The provider by itself (`npm run provider -- --port 4100 --data DIR|memory` or `--database-url postgres://…`).
 *
 * Builds it when stale; arguments, signals and the exit code pass through unchanged.
 */
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { start } from './lib/run.ts';
import { ensureBuilt } from './lib/steps.ts';

try {
  await ensureBuilt(['server'], (line) => console.error(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const args = ['--enable-source-maps', join(ROOT, '.server/main.js'), ...process.argv.slice(2)];
const child = start(process.execPath, args);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
