/**
 * Vitest and Playwright as stages: run to the end, counted from their JSON reports.
 *
 * A runner that left no report, ran no test, or exited badly without a failed test has failed all the same.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from './report.ts';
import { bin, runNode } from './run.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs a runner that writes its report to the file of which it is told by arguments or variables. */
async function runner(
  args: (file: string) => readonly string[],
  env: (file: string) => NodeJS.ProcessEnv,
  count: (report: unknown) => Counts & { readonly note?: string },
): Promise<Verdict> {
  const dir = mkdtempSync(join(tmpdir(), 'portico-report-'));
  try {
    const file = join(dir, 'report.json');
    const { code, output } = await runNode(args(file), { env: { ...process.env, ...env(file) } });
    if (!existsSync(file)) return { ok: false, failed: 1, output: `${output}\nit left no report (exit code ${code})` };
    const counts = count(JSON.parse(readFileSync(file, 'utf8')));
    const ran = counts.passed + counts.failed;
    const why = ran === 0 ? 'no test ran' : `exit code ${code}`;
    const note = `${counts.passed} passed${counts.note ?? ''}`;
    return { ...counts, ok: code === 0 && counts.failed === 0 && ran > 0, output: `${output}\n${why}`, note };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param projects of vitest.config.ts */
export const vitest = async (projects: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Verdict> =>
  runner(
    (file) => [
      bin('vitest/vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...projects.flatMap((name) => ['--project', name]),
    ],
    () => ({ NODE_ENV: 'test', ...env }),
    (report) => countVitest(report as VitestReport),
  );

interface VitestResult {
  readonly status?: string;
  readonly fullName?: string;
  readonly failureMessages?: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly VitestResult[] }[];
}

/** A file that could not be loaded has no tests of its own; it counts as one failure. */
export function countVitest(report: VitestReport): Counts & { readonly note?: string } {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const results = report.testResults.flatMap((file) => file.assertionResults);
  // A test that passed keeps the failure of its first try.
  const again = results.filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    ...secondTries(again.map(({ fullName = 'a test' }) => fullName)),
  };
}

/** Names the tests that passed only at the second try: each of them has a race to be found. */
function secondTries(names: readonly string[]): { readonly note?: string } {
  return names.length === 0 ? {} : { note: `, ${names.length} of them at the second try: ${names.join('; ')}` };
}

export const playwright = async (env: NodeJS.ProcessEnv = {}): Promise<Verdict> =>
  runner(
    () => [bin('@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
    (file) => ({ ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }),
    (report) => countPlaywright(report as PlaywrightReport),
  );

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly { readonly title: string; readonly tests: readonly { readonly status: string }[] }[];
}

interface PlaywrightReport {
  readonly suites?: readonly PlaywrightSuite[];
  readonly stats: Readonly<Record<'expected' | 'flaky' | 'unexpected' | 'skipped', number>>;
  readonly errors?: readonly unknown[];
}

const flakyIn = ({ title, suites = [], specs = [] }: PlaywrightSuite): readonly string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map((spec) => `${title}: ${spec.title}`),
  ...suites.flatMap(flakyIn),
];

export function countPlaywright({
  stats,
  errors = [],
  suites = [],
}: PlaywrightReport): Counts & { readonly note?: string } {
  const { expected, flaky, unexpected, skipped } = stats;
  return {
    passed: expected + flaky,
    failed: unexpected + errors.length,
    skipped,
    ...secondTries(suites.flatMap(flakyIn)),
  };
}
