/**
 * The size gate: the bytes that a page downloads at start are within bench/budgets.json and contain no on-demand package. The sizes
 * in the readme are written by `npx jiti scripts/sizes.ts --write`, and checked to be current.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { measureAll, type SizeTable, type Part } from '../bench/bytes.ts';
import type { Verdict } from './lib/report.ts';
import { isMain, ROOT } from './lib/root.mjs';

/** The size limit of a file that loads on demand. Files of a heavy package have no limit. */
const LAZY_KIB = 12;
const LOGIN_KIB = 63.25;
/** The account page is one file: its sections are read together. */
const ACCOUNT_KIB = 16;
/** The passkeys tell of the phone's QR code, and load the sign-up with a passkey alone. */
const PASSKEYS_KIB = 12.5;
/** The consent page answers authorization, devices and log-outs, and takes the focus over from the login before it. */
const CONSENT_KIB = 12.25;
const ON_DEMAND = /node_modules\/(libphonenumber-js|@zxcvbn-ts)\//;
/** The container is loaded together with the use cases that it wires. */
const CONTAINER = /node_modules\/(inversify|@inversifyjs|reflect-metadata)\//;
/** The list of common passwords is data for the package that it is loaded with. */
const OURS = /^(?!.*node_modules)(?!.*\/common-passwords\.ts$).*(?:^|\/)src\//;

/** The most that a page with a prerendered login loads for it, in KiB. The takeover is that of all widgets. */
const BEFORE_SCRIPT = { 'early.js': 1, 'login.css': 4 };
const TAKEOVER_KIB = 2.5;

type Budgets = Readonly<Record<string, { readonly KiB: number; readonly what: string }>>;

/** The problem with a part that loads on demand, or null. */
function partProblem({ name, bytes, modules }: Part): string | null {
  if (modules.some((id) => ON_DEMAND.test(id))) {
    return modules.some((id) => OURS.test(id)) ? `${name} holds a heavy package and code of ours` : null;
  }
  const isLogin = /\b(?:login|screens)-/.test(name) || modules.some((id) => CONTAINER.test(id));
  const isAccount = /^(?:standalone-)?account-(?!changes)/.test(name);
  const isPasskeys = /^(?:standalone-)?passkeys-/.test(name);
  const isConsent = /^(?:standalone-)?consent-/.test(name);
  const most = isLogin
    ? LOGIN_KIB
    : isAccount
      ? ACCOUNT_KIB
      : isPasskeys
        ? PASSKEYS_KIB
        : isConsent
          ? CONSENT_KIB
          : LAZY_KIB;
  return bytes > most * 1024 ? `${name} weighs ${kib(bytes)} of ${most} KiB` : null;
}

/** The files of a prerendered login that are too large. */
function prerenderedProblems(measured: SizeTable): readonly string[] {
  const parts = Object.values(measured).flatMap(({ lazy }) => lazy.filter(({ name }) => name.includes('adoption-')));
  const files = Object.entries(BEFORE_SCRIPT).map(([name, most]) => {
    const { length: bytes } = gzipSync(readFileSync(join(ROOT, 'dist', name)), { level: 9 });
    return { name, bytes, most };
  });
  return [...files, ...parts.map((part) => ({ ...part, most: TAKEOVER_KIB }))]
    .filter(({ bytes, most }) => bytes > most * 1024)
    .map(({ name, bytes, most }) => `! ${name} weighs ${kib(bytes)} of ${most} KiB`);
}

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

/** Three tests per budget: its size, the packages that must be absent at start, and its parts on demand. */
export function judgeSizes(
  measured: SizeTable,
  budgets: Budgets,
): { passed: number; failed: number; lines: readonly string[] } {
  const lines: string[] = [];
  let failed = 0;
  for (const [name, { KiB, what }] of Object.entries(budgets)) {
    const one = measured[name];
    const fits = one !== undefined && one.bytes > 0 && one.bytes <= KiB * 1024;
    const nameOf = (id: string): string | undefined => (ON_DEMAND.exec(id) ?? CONTAINER.exec(id))?.[1];
    const heavy = [...new Set(one?.modules.flatMap((id) => nameOf(id) ?? []))];
    if (!fits) failed += 1;
    if (!one || heavy.length > 0) failed += 1;
    const problems = (one?.lazy ?? []).flatMap((part) => partProblem(part) ?? []);
    if (!one || problems.length > 0) failed += 1;
    const verdict = fits && heavy.length === 0 ? '  ' : '! ';
    lines.push(`${verdict}${what}: ${one ? kib(one.bytes) : 'not measured'} of ${KiB} KiB`);
    if (heavy.length > 0) lines.push(`    holds ${heavy.join(', ')} at start, which must come on demand`);
    for (const problem of problems) lines.push(`!   on demand: ${problem}`);
    for (const { name: part, bytes } of one?.lazy ?? []) lines.push(`    on demand: ${part}, ${kib(bytes)}`);
  }
  return { passed: Object.keys(budgets).length * 3 - failed, failed, lines };
}

const README = join(ROOT, 'README.md');
const SECTION = /(?<=<!-- sizes -->\n)[\s\S]*?(?=<!-- \/sizes -->)/;

/** The heavy packages, by purpose. */
const HEAVY = { 'libphonenumber-js': 'telephone numbers', '@zxcvbn-ts': 'password estimates' };

/** The readme's section about sizes: the budgets, and the rounded-up sizes of the heavy packages. */
export function sizeSection(measured: SizeTable, budgets: Budgets): string {
  const start = Object.values(budgets).map(({ KiB, what }) => `| ${what} | ${KiB} KiB |`);
  const parts = Object.values(measured)[0]?.lazy ?? [];
  const heavy = Object.entries(HEAVY).map(([name, what]) => {
    const bytes = parts
      .filter(({ modules }) => modules.some((id) => ON_DEMAND.exec(id)?.[1] === name))
      .reduce((sum, part) => sum + part.bytes, 0);
    return `| ${what} | ${Math.ceil(bytes / 1024)} KiB |`;
  });
  return [
    '',
    "| at a page's start, minified and gzipped | at most |",
    '|---|---|',
    ...start,
    '',
    `| only when it is needed | |`,
    '|---|---|',
    ...heavy,
    `| the login: what follows the first screen | at most ${LOGIN_KIB} KiB |`,
    `| each other part: passwords, passkeys, a language, an adapter | at most ${LAZY_KIB} KiB |`,
    ...Object.entries(BEFORE_SCRIPT).map(
      ([name, most]) => `| \`${name}\`, for a prerendered login | at most ${most} KiB |`,
    ),
    `| the widget's takeover of a prerendered login | at most ${TAKEOVER_KIB} KiB |`,
    '',
    '',
  ].join('\n');
}

/** Whether the text contains the current section. */
export const saysSizes = (text: string, section: string): boolean => SECTION.exec(text)?.[0] === section;

/** Measures and checks the sizes. With `write`, the readme is updated first. */
export async function checkSizes({ write = false } = {}): Promise<Verdict & { readonly output: string }> {
  const budgets = JSON.parse(readFileSync(join(ROOT, 'bench/budgets.json'), 'utf8')) as Budgets;
  const measured = await measureAll();
  const section = sizeSection(measured, budgets);
  const readme = readFileSync(README, 'utf8');
  const text = write ? readme.replace(SECTION, () => section) : readme;
  if (write) writeFileSync(README, text);
  const { passed, failed, lines } = judgeSizes(measured, budgets);
  const stale = saysSizes(text, section) ? 0 : 1;
  const hint = stale
    ? ['! The sizes in README.md are not these; `npx jiti scripts/sizes.ts --write` writes them.']
    : [];
  const heavy = prerenderedProblems(measured);
  const counts = { passed: passed + 1 - stale, failed: failed + stale + heavy.length };
  return {
    ...counts,
    ok: counts.failed === 0,
    output: [...lines, ...heavy, ...hint].join('\n'),
    note: `${counts.passed} passed`,
  };
}

if (isMain(import.meta.url)) {
  const { ok, output } = await checkSizes({ write: process.argv.includes('--write') });
  console.log(output);
  process.exit(ok ? 0 : 1);
}
