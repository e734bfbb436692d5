/**
 * Vitest and Playwright as stages: run to the end, counted from their JSON reports.
 *
 * A runner without a report, without tests, or with an error status and no failed test has failed, too.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { REPORTED_LINE } from './run-reporter.ts';
import type { Verdict } from './report.ts';
import { ROOT } from './root.mjs';
import { bin, runNode } from './run.ts';
import { keepTimes } from './test-times.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A failed test: its file, its full title, and its message. */
interface Failure {
  readonly file: string;
  readonly title: string;
  readonly message: string;
}

/** The failures are printed before the runner's output, because readers may not reach the end of a long log. */
export function describeFailures(failures: readonly Failure[]): string {
  return failures.map(({ file, title, message }) => `${relative(ROOT, file)} > ${title}\n${message}\n`).join('\n');
}

/** The output of a runner without the dots that stand for the tests. */
const withoutDots = (output: string): string => output.replaceAll(/[·.±°x×*-]{20,}/g, '…');

const RUN_REPORTER = join(ROOT, 'scripts/lib/run-reporter.ts');

const showReported = (line: string): void => {
  if (REPORTED_LINE.test(line)) console.log(line);
};

/** Runs a runner that writes its report to the file in its arguments or variables. */
async function runner(
  name: string,
  args: (file: string) => readonly string[],
  env: (file: string) => NodeJS.ProcessEnv,
  count: (report: unknown) => Counts,
  failuresOf: (report: unknown) => readonly Failure[],
  timesOf: (report: unknown) => ReadonlyMap<string, number>,
  mayBeEmpty = false,
): Promise<Verdict> {
  const dir = mkdtempSync(join(tmpdir(), 'portico-report-'));
  try {
    const file = join(dir, 'report.json');
    const { code, output } = await runNode(args(file), { env: { ...process.env, ...env(file) } }, showReported);
    if (!existsSync(file)) return { ok: false, failed: 1, output: `${output}\nit left no report (exit code ${code})` };
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const counts = count(report);
    keepTimes(name, timesOf(report));
    const ran = counts.passed + counts.failed;
    const why = ran === 0 ? 'no test ran' : `exit code ${code}`;
    const note = `${counts.passed} passed`;
    return {
      ...counts,
      ok: code === 0 && counts.failed === 0 && (ran > 0 || mayBeEmpty),
      output: [describeFailures(failuresOf(report)), withoutDots(output), why].join('\n'),
      note,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * One more than the cores: servers, processes and browsers are waited for. As an argument, because projects that inherit the number from
 * the configuration do not heed the argument.
 */
const VITEST_WORKERS = availableParallelism() + 1;

interface Selection {
  /** Of the file with the times of the test files. */
  readonly times: string;
  /** Test files, from the root of the repository; without it all of the projects. */
  readonly files?: readonly string[];
  /** A part of the tests, such as `1/2`. */
  readonly shard?: string | undefined;
  /** Only tests that import a file that differs from the last commit. There may be none. */
  readonly onlyChanged?: boolean;
}

/** @param projects of vitest.config.ts; `!name` is all but that one, and none all */
export const vitest = async (
  projects: readonly string[],
  env: NodeJS.ProcessEnv,
  { times, files = [], shard, onlyChanged = false }: Selection,
): Promise<Verdict> =>
  runner(
    times,
    (file) => [
      bin('vitest/vitest.mjs'),
      'run',
      `--maxWorkers=${VITEST_WORKERS}`,
      '--reporter=dot',
      `--reporter=${RUN_REPORTER}`,
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...(shard === undefined ? [] : [`--shard=${shard}`]),
      ...(onlyChanged ? ['--changed', '--passWithNoTests'] : []),
      ...projects.flatMap((name) => ['--project', name]),
      ...files,
    ],
    () => ({ NODE_ENV: 'test', ...env }),
    (report) => countVitest(report as VitestReport),
    (report) => vitestFailures(report as VitestReport),
    (report) => vitestTimes(report as VitestReport),
    onlyChanged,
  );

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export const vitestFailures = ({ testResults }: VitestReport): readonly Failure[] =>
  testResults.flatMap(({ name: file, status, message, assertionResults }) =>
    status === 'failed' && assertionResults.length === 0
      ? [{ file, title: 'the file did not load', message }]
      : assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => ({ file, title: test.fullName, message: test.failureMessages.join('\n') })),
  );

/** Milliseconds of each file, of all projects that run it. */
export function vitestTimes({ testResults }: Pick<VitestReport, 'testResults'>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { name, startTime = 0, endTime = 0 } of testResults) {
    times.set(name, (times.get(name) ?? 0) + endTime - startTime);
  }
  return times;
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

/** @param projects of playwright.config.ts; without them all */
export const playwright = async (
  env: NodeJS.ProcessEnv,
  { times, files = [], shard }: Pick<Selection, 'times' | 'files' | 'shard'>,
  projects: readonly string[] = [],
): Promise<Verdict> =>
  runner(
    times,
    () => [
      bin('@playwright/test/cli.js'),
      'test',
      `--reporter=dot,${RUN_REPORTER},json`,
      ...(shard === undefined ? [] : [`--shard=${shard}`]),
      // With a space, Playwright takes the files for names of projects.
      ...projects.map((name) => `--project=${name}`),
      ...files,
    ],
    (file) => ({ ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }),
    (report) => countPlaywright(report as PlaywrightReport),
    (report) => playwrightFailures(report as PlaywrightReport),
    (report) => playwrightTimes(report as PlaywrightReport),
  );

interface PlaywrightReport {
  /** The files of the specs are relative to `rootDir`. */
  readonly config: { readonly rootDir: string };
  readonly stats: Readonly<Record<'expected' | 'flaky' | 'unexpected' | 'skipped', number>>;
  readonly errors?: readonly { readonly message?: string }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly duration?: number; readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

export function playwrightFailures({ config, suites = [], errors = [] }: PlaywrightReport): readonly Failure[] {
  const inSuite = (suite: PlaywrightSuite, above: readonly string[]): readonly Failure[] => [
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => ({
        file: join(config.rootDir, file),
        title: [...above, title].join(' > '),
        message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
      })),
    ...(suite.suites ?? []).flatMap((each) => inSuite(each, [...above, each.title])),
  ];
  return [
    ...suites.flatMap((suite) => inSuite(suite, [])),
    ...errors.map(({ message = '' }) => ({ file: ROOT, title: 'an error outside every test', message })),
  ].map((failure) => ({ ...failure, message: stripVTControlCharacters(failure.message) }));
}

/** Milliseconds of each file, of all projects that run it. */
export function playwrightTimes({
  config,
  suites = [],
}: Pick<PlaywrightReport, 'config' | 'suites'>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const add = ({ specs = [], suites: inner = [] }: PlaywrightSuite): void => {
    for (const { file, tests } of specs) {
      const path = join(config.rootDir, file);
      for (const { duration = 0 } of tests.flatMap(({ results }) => results)) {
        times.set(path, (times.get(path) ?? 0) + duration);
      }
    }
    for (const each of inner) add(each);
  };
  for (const each of suites) add(each);
  return times;
}

export function countPlaywright({ stats, errors = [] }: Pick<PlaywrightReport, 'stats' | 'errors'>): Counts {
  const { expected, flaky, unexpected, skipped } = stats;
  // Tests are not retried, so none is flaky. A flaky one would count as failed.
  return { passed: expected, failed: unexpected + flaky + errors.length, skipped };
}
