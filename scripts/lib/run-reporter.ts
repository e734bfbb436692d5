/**
 * A reporter of Vitest and of Playwright for long runs, which may be ended early. It writes the name of a failed test, and the first and the
 * last line of its error, as soon as the test has ended. In soaks it also writes how many files or tests have ended.
 */
import { relative } from 'node:path';
import type { FullConfig, Suite, TestCase as PlaywrightTest, TestResult } from '@playwright/test/reporter';
import type { TestCase, TestModule, TestSpecification } from 'vitest/node';
import { ROOT } from './root.mjs';

/** The lines of this reporter among those of another. */
export const REPORTED_LINE = /^(?:FAILED|PROGRESS) /u;
/** A soak writes a line each time when another of these parts has ended. */
const PARTS = 20;
const SUCCESSES: ReadonlySet<string> = new Set(['passed', 'skipped']);

function write(file: string, title: string, message = ''): void {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const ends = [...new Set([lines[0] ?? '', lines.at(-1) ?? ''])];
  // After the dots of another reporter.
  process.stdout.write(`\nFAILED ${relative(ROOT, file)} > ${title}: ${ends.join(' … ')}\n`);
}

class Progress {
  private done = 0;

  constructor(
    private readonly all: number,
    private readonly things: string,
  ) {}

  step(): void {
    this.done += 1;
    const part = (done: number): number => Math.floor((done * PARTS) / this.all);
    if (process.env['SOAK'] !== '1' || part(this.done) === part(this.done - 1)) return;
    process.stdout.write(`\nPROGRESS ${this.done} of ${this.all} ${this.things}\n`);
  }
}

// oxlint-disable-next-line import/no-default-export -- the runners look for it
export default class RunReporter {
  private progress: Progress | null = null;

  /** Of Vitest. */
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.progress = new Progress(specifications.length, 'files');
  }

  /** Of Playwright. */
  onBegin(_config: FullConfig, suite: Suite): void {
    this.progress = new Progress(suite.allTests().length, 'browser tests');
  }

  /** Of Vitest. */
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'failed') write(test.module.moduleId, test.fullName, errors[0]?.message);
  }

  /** Of Vitest: a file that did not load, or that failed before or after its tests. */
  onTestModuleEnd(module: TestModule): void {
    this.progress?.step();
    const [error] = module.errors();
    if (error !== undefined) write(module.moduleId, 'outside of its tests', error.message);
  }

  /** Of Playwright. */
  onTestEnd(test: PlaywrightTest, { status, error }: TestResult): void {
    this.progress?.step();
    if (!SUCCESSES.has(status)) write(test.location.file, test.titlePath().slice(1).join(' > '), error?.message);
  }

  /** Of Playwright: the dots come from another reporter. */
  printsToStdio(): boolean {
    return false;
  }
}
