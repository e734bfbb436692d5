/**
 * The size gate: what a page downloads at start stays within bench/budgets.json, and holds no package that is meant to
 * come on demand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from './lib/root.mjs';

/** What a part that loads on demand may weigh; a heavy package stands in a part of its own and weighs what it weighs. */
const LAZY_KIB = 10;
const ON_DEMAND = /node_modules\/(libphonenumber-js|@zxcvbn-ts)\//;

/** What is wrong with a part that loads on demand, or null. */
function partProblem({ name, bytes, modules }) {
  const heavy = modules.some((id) => ON_DEMAND.test(id));
  const ours = modules.some((id) => /(?:^|\/)src\//.test(id) && !id.includes('node_modules'));
  if (heavy) return ours ? `${name} holds a heavy package and code of ours` : null;
  return bytes > LAZY_KIB * 1024 ? `${name} weighs ${kib(bytes)} of ${LAZY_KIB} KiB` : null;
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

/**
 * @param {Record<string, { bytes: number, lazy: { name: string, bytes: number, modules: string[] }[], modules: string[] }>} measured
 * @param {Record<string, { KiB: number, what: string }>} budgets
 * @returns {{ passed: number, failed: number, lines: string[] }} per budget one test of its weight, one of
 *   what is absent at start, and one of its parts on demand
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
    const problems = (one?.lazy ?? []).map(partProblem).filter(Boolean);
    if (!one || problems.length > 0) failed += 1;
    const verdict = fits && heavy.length === 0 ? '  ' : '! ';
    lines.push(`${verdict}${what}: ${one ? kib(one.bytes) : 'not measured'} of ${KiB} KiB`);
    if (heavy.length > 0) lines.push(`    holds ${heavy.join(', ')} at start, which must come on demand`);
    for (const problem of problems) lines.push(`!   on demand: ${problem}`);
    for (const { name: part, bytes } of one?.lazy ?? []) lines.push(`    on demand: ${part}, ${kib(bytes)}`);
  }
  return { passed: Object.keys(budgets).length * 3 - failed, failed, lines };
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
