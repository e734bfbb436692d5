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
  count: (report: unknown) => Counts,
): Promise<Verdict> {
  const dir = mkdtempSync(join(tmpdir(), 'portico-report-'));
  try {
    const file = join(dir, 'report.json');
    const { code, output } = await runNode(args(file), { env: { ...process.env, ...env(file) } });
    if (!existsSync(file)) return { ok: false, failed: 1, output: `${output}\nit left no report (exit code ${code})` };
    const counts = count(JSON.parse(readFileSync(file, 'utf8')));
    const ran = counts.passed + counts.failed;
    const why = ran === 0 ? 'no test ran' : `exit code ${code}`;
    const note = `${counts.passed} passed`;
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

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A file that could not be loaded has no tests of its own; it counts as one failure. */
export function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

export const playwright = async (env: NodeJS.ProcessEnv = {}): Promise<Verdict> =>
  runner(
    () => [bin('@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
    (file) => ({ ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }),
    (report) => countPlaywright(report as PlaywrightReport),
  );

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'flaky' | 'unexpected' | 'skipped', number>>;
  readonly errors?: readonly unknown[];
}

export function countPlaywright({ stats, errors = [] }: PlaywrightReport): Counts {
  const { expected, flaky, unexpected, skipped } = stats;
  // Nothing is tried twice, so that none is flaky; were it, its first try has failed.
  return { passed: expected, failed: unexpected + flaky + errors.length, skipped };
}
