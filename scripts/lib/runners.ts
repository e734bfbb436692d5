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

interface Ran {
  readonly code: number;
  readonly output: string;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A verdict without a report, or what the runner wrote. */
async function withReport(
  work: (file: string) => Promise<Ran>,
  judge: (ran: Ran, report: string) => Verdict,
): Promise<Verdict> {
  const dir = mkdtempSync(join(tmpdir(), 'portico-report-'));
  try {
    const file = join(dir, 'report.json');
    const { code, output } = await work(file);
    if (!existsSync(file)) return { ok: false, failed: 1, output: `${output}\nit left no report (exit code ${code})` };
    return judge({ code, output }, readFileSync(file, 'utf8'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function verdict({ code, output }: Ran, counts: Counts): Verdict {
  const ran = counts.passed + counts.failed;
  const ok = code === 0 && counts.failed === 0 && ran > 0;
  const why = ok ? '' : ran === 0 ? '\nno test ran' : code !== 0 && counts.failed === 0 ? `\nexit code ${code}` : '';
  return { ok, ...counts, output: output + why, note: `${counts.passed} passed` };
}

interface Around {
  readonly env?: NodeJS.ProcessEnv;
  readonly live?: boolean;
}

/** @param projects of vitest.config.ts */
export async function vitest(projects: readonly string[], { env = {}, live = false }: Around = {}): Promise<Verdict> {
  const ran = async (file: string): Promise<Ran> => {
    const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
    const only = projects.flatMap((name) => ['--project', name]);
    return runNode([bin('vitest/vitest.mjs'), ...args, ...only], {
      env: { ...process.env, NODE_ENV: 'test', ...env },
      live,
    });
  };
  return withReport(ran, (done, report) => verdict(done, countVitest(JSON.parse(report) as VitestReport)));
}

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

export async function playwright({ env = {}, live = false }: Around = {}): Promise<Verdict> {
  const ran = async (file: string): Promise<Ran> =>
    runNode([bin('@playwright/test/cli.js'), 'test', '--reporter=dot,json'], {
      env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
      live,
    });
  return withReport(ran, (done, text) => {
    const report = JSON.parse(text) as PlaywrightReport;
    const judged = verdict(done, countPlaywright(report));
    const { flaky } = report.stats;
    return flaky > 0 ? { ...judged, note: `${judged.note}, ${flaky} of them at the second try` } : judged;
  });
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'flaky' | 'unexpected' | 'skipped', number>>;
  readonly errors?: readonly unknown[];
}

export function countPlaywright({ stats, errors = [] }: PlaywrightReport): Counts {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}
