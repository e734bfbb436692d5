/** A reporter of Vitest and of Playwright: writes the name of a failed test as soon as it has ended. A long run may be ended early. */
import { relative } from 'node:path';
import type { TestCase as PlaywrightTest, TestResult } from '@playwright/test/reporter';
import type { TestCase, TestModule } from 'vitest/node';
import { ROOT } from './root.mjs';
import { FAILED_LINE } from './failed-line.ts';

const SUCCESSES: ReadonlySet<string> = new Set(['passed', 'skipped']);

function write(file: string, title: string): void {
  // After the dots of another reporter.
  process.stdout.write(`\n${FAILED_LINE}${relative(ROOT, file)} > ${title}\n`);
}

// oxlint-disable-next-line import/no-default-export -- the runners look for it
export default class FailedTestsReporter {
  /** Of Vitest. */
  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') write(test.module.moduleId, test.fullName);
  }

  /** Of Vitest: a file that did not load, or that failed before or after its tests. */
  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) write(module.moduleId, 'outside of its tests');
  }

  /** Of Playwright. */
  onTestEnd(test: PlaywrightTest, { status }: TestResult): void {
    if (!SUCCESSES.has(status)) write(test.location.file, test.titlePath().slice(1).join(' > '));
  }

  /** Of Playwright: the dots come from another reporter. */
  printsToStdio(): boolean {
    return false;
  }
}
