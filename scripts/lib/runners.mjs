/**
 * Vitest and Playwright as stages: run to the end, counted from their JSON reports.
 *
 * A runner that left no report, ran no test, or exited badly without a failed test has failed all the same.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, runNode } from './run.mjs';

async function withReport(work) {
  const dir = mkdtempSync(join(tmpdir(), 'portico-report-'));
  try {
    const file = join(dir, 'report.json');
    const { code, output } = await work(file);
    let report = null;
    try {
      report = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return { ok: false, failed: 1, output: `${output}\nit left no report (exit code ${code})` };
    }
    return { code, output, report };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function verdict({ code, output }, counts) {
  const ran = counts.passed + counts.failed;
  const ok = code === 0 && counts.failed === 0 && ran > 0;
  const why = ok ? '' : ran === 0 ? '\nno test ran' : code !== 0 && counts.failed === 0 ? `\nexit code ${code}` : '';
  return { ok, ...counts, output: output + why, note: `${counts.passed} passed` };
}

/** @param {string[]} projects of vitest.config.ts */
export async function vitest(projects, { env = {}, live = false } = {}) {
  const done = await withReport((file) => {
    const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
    const only = projects.flatMap((name) => ['--project', name]);
    return runNode([bin('vitest/vitest.mjs'), ...args, ...only], {
      env: { ...process.env, NODE_ENV: 'test', ...env },
      live,
    });
  });
  return done.report ? verdict(done, countVitest(done.report)) : done;
}

/** A file that could not be loaded has no tests of its own; it counts as one failure. */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

export async function playwright({ env = {}, live = false } = {}) {
  const done = await withReport((file) =>
    runNode([bin('@playwright/test/cli.js'), 'test', '--reporter=dot,json'], {
      env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
      live,
    }),
  );
  if (!done.report) return done;
  const judged = verdict(done, countPlaywright(done.report));
  const { flaky } = done.report.stats;
  return flaky > 0 ? { ...judged, note: `${judged.note}, ${flaky} of them at the second try` } : judged;
}

export function countPlaywright({ stats, errors = [] }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}
