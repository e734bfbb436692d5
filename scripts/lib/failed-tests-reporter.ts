/**
 * A reporter of Vitest and of Playwright: writes the name of a failed test, and the first and the last line of its error, as soon as it has
 * ended, because a long run may be ended early.
 */
import { relative } from 'node:path';
import type { TestCase as PlaywrightTest, TestResult } from '@playwright/test/reporter';
import type { TestCase, TestModule } from 'vitest/node';
import { ROOT } from './root.mjs';

/** Begins a line with the name of a failed test. */
export const FAILED_LINE = 'FAILED ';
const SUCCESSES: ReadonlySet<string> = new Set(['passed', 'skipped']);

function write(file: string, title: string, message = ''): void {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const ends = [...new Set([lines[0] ?? '', lines.at(-1) ?? ''])];
  // After the dots of another reporter.
  process.stdout.write(`\n${FAILED_LINE}${relative(ROOT, file)} > ${title}: ${ends.join(' … ')}\n`);
}

// oxlint-disable-next-line import/no-default-export -- the runners look for it
export default class FailedTestsReporter {
  /** Of Vitest. */
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'failed') write(test.module.moduleId, test.fullName, errors[0]?.message);
  }

  /** Of Vitest: a file that did not load, or that failed before or after its tests. */
  onTestModuleEnd(module: TestModule): void {
    const [error] = module.errors();
    if (error !== undefined) write(module.moduleId, 'outside of its tests', error.message);
  }

  /** Of Playwright. */
  onTestEnd(test: PlaywrightTest, { status, error }: TestResult): void {
    if (!SUCCESSES.has(status)) write(test.location.file, test.titlePath().slice(1).join(' > '), error?.message);
  }

  /** Of Playwright: the dots come from another reporter. */
  printsToStdio(): boolean {
    return false;
  }
}
