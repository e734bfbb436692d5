/**
 * The size gate: what a page downloads at start stays within bench/budgets.json, and holds no package that is meant to
 * come on demand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from './lib/root.mjs';

const ON_DEMAND = /node_modules\/(libphonenumber-js|@zxcvbn-ts)\//;

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

/**
 * @param {Record<string, { bytes: number, lazy: { name: string, bytes: number }[], modules: string[] }>} measured
 * @param {Record<string, { KiB: number, what: string }>} budgets
 * @returns {{ passed: number, failed: number, lines: string[] }} one test per budget and one per absence
 */
export function judgeSizes(measured, budgets) {
  const lines = [];
  let failed = 0;
  for (const [name, { KiB, what }] of Object.entries(budgets)) {
    const one = measured[name];
    const fits = one !== undefined && one.bytes > 0 && one.bytes <= KiB * 1024;
    const heavy = [...new Set(one?.modules.map((id) => ON_DEMAND.exec(id)?.[1]).filter(Boolean))];
    if (!fits) failed += 1;
    if (!one || heavy.length > 0) failed += 1;
    const verdict = fits && heavy.length === 0 ? '  ' : '! ';
    lines.push(`${verdict}${what}: ${one ? kib(one.bytes) : 'not measured'} of ${KiB} KiB`);
    if (heavy.length > 0) lines.push(`    holds ${heavy.join(', ')} at start, which must come on demand`);
    for (const { name: part, bytes } of one?.lazy ?? []) lines.push(`    on demand: ${part}, ${kib(bytes)}`);
  }
  return { passed: Object.keys(budgets).length * 2 - failed, failed, lines };
}

export async function checkSizes() {
  const { CONSUMERS, measure } = await import('../bench/bytes.mjs');
  const measured = {};
  for (const [name, consumer] of Object.entries(CONSUMERS)) measured[name] = await measure(consumer);
  const { passed, failed, lines } = judgeSizes(measured, readBudgets());
  return { ok: failed === 0, passed, failed, output: lines.join('\n'), note: `${passed} passed` };
}

const readBudgets = () => JSON.parse(readFileSync(join(ROOT, 'bench/budgets.json'), 'utf8'));

if (isMain(import.meta.url)) {
  const { ok, output } = await checkSizes();
  console.log(output);
  process.exit(ok ? 0 : 1);
}
