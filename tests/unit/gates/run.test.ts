import { describe, expect, it } from 'vitest';
import { Report } from '#scripts/lib/report.ts';
import {
  countPlaywright,
  countVitest,
  describeFailures,
  playwrightFailures,
  playwrightTimes,
  vitestFailures,
  vitestTimes,
} from '#scripts/lib/runners.ts';
import { slowestFirst } from '#scripts/lib/test-times.ts';
import { judgeSizes } from '#scripts/sizes.ts';

function report(): { readonly report: Report; readonly said: string[]; readonly last: () => string | undefined } {
  const said: string[] = [];
  return { report: new Report((line) => said.push(line)), said, last: () => said.join('\n').split('\n').at(-1) };
}

describe('the tally', () => {
  it('counts a gate as one test, and a runner as many', async () => {
    const run = report();
    await run.report.stage('gate', async () => ({ ok: true }));
    await run.report.stage('tests', async () => ({ ok: true, passed: 7, failed: 0, skipped: 2 }));
    expect(run.report.close()).toBe(0);
    expect(run.last()).toBe('8 passed, 0 failed, 2 skipped');
  });

  it('leaves the skipped out when there are none', async () => {
    const run = report();
    await run.report.stage('gate', async () => ({ ok: true }));
    run.report.close();
    expect(run.last()).toBe('1 passed, 0 failed');
  });

  it('counts a stage that throws, that is held up, or that fails without a failed test', async () => {
    const run = report();
    await run.report.stage('broken', async () => {
      throw new Error('out of order');
    });
    run.report.heldUp('browser tests', 'build');
    await run.report.stage('none ran', async () => ({ ok: false, passed: 0, failed: 0 }));
    expect(run.report.close()).toBe(1);
    expect(run.last()).toBe('0 passed, 3 failed');
    expect(run.said.join('\n')).toContain('out of order');
  });
});

describe('the reports of the runners', () => {
  it('counts a test file that does not load as a failure', () => {
    const testResults = [{ name: 'a.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] }];
    const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, testResults };
    expect(countVitest(counts)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(describeFailures(vitestFailures(counts))).toBe('a.test.ts > the file did not load\nSyntaxError\n');
  });

  it('counts a browser test that only a second try passed as a failure', () => {
    const stats = { expected: 1, flaky: 1, unexpected: 0, skipped: 0 };
    expect(countPlaywright({ stats })).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('counts an error outside every browser test as a failure', () => {
    const stats = { expected: 3, flaky: 0, unexpected: 1, skipped: 2 };
    expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });
});

describe('the failures of a runner', () => {
  it('names each failed unit test by file and title, with its message', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'links open', failureMessages: [] },
      { status: 'failed', fullName: 'links close', failureMessages: ['expected 1 to be 2'] },
    ];
    const testResults = [{ name: 'tests/links.test.ts', status: 'failed', message: '', assertionResults }];
    const report = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, testResults };
    expect(vitestFailures(report)).toEqual([
      { file: 'tests/links.test.ts', title: 'links close', message: 'expected 1 to be 2' },
    ]);
  });

  it('names each failed browser test, and errors outside of tests', () => {
    const failed = { title: 'opens', file: 'login.spec.ts', ok: false };
    const specs = [
      { ...failed, tests: [{ results: [{ error: { message: '\u001B[31mtimeout\u001B[39m' } }] }] },
      { ...failed, title: 'closes', ok: true, tests: [] },
    ];
    const stats = { expected: 1, flaky: 0, unexpected: 1, skipped: 0 };
    const suites = [{ title: 'login.spec.ts', suites: [{ title: 'a login', specs }] }];
    const lines = describeFailures(
      playwrightFailures({ config: { rootDir: 'tests' }, stats, suites, errors: [{ message: 'no server' }] }),
    );
    expect(lines).toContain('tests/login.spec.ts > a login > opens\ntimeout\n');
    expect(lines).toContain('an error outside every test\nno server\n');
    expect(lines).not.toContain('closes');
  });
});

describe('the times of the files', () => {
  it('are those of every project that runs a file, the slowest first', () => {
    const file = { status: 'passed', message: '', assertionResults: [] };
    const testResults = [
      { ...file, name: 'a.test.ts', startTime: 1000, endTime: 1400 },
      { ...file, name: 'b.test.ts', startTime: 1000, endTime: 3000 },
      { ...file, name: 'a.test.ts', startTime: 2000, endTime: 2100 },
    ];
    expect(slowestFirst(vitestTimes({ testResults }))).toEqual([
      { file: 'b.test.ts', seconds: 2 },
      { file: 'a.test.ts', seconds: 0.5 },
    ]);
  });

  it('are the sum of the browser tests, however deep they stand', () => {
    const spec = (duration: number) => ({
      title: '',
      file: 'a.spec.ts',
      ok: true,
      tests: [{ results: [{ duration }] }],
    });
    const suites = [{ title: '', specs: [spec(700)], suites: [{ title: '', specs: [spec(600)] }] }];
    expect(slowestFirst(playwrightTimes({ config: { rootDir: 'tests' }, suites }))).toEqual([
      { file: 'tests/a.spec.ts', seconds: 1.3 },
    ]);
  });
});

describe('the size gate', () => {
  const budgets = { widget: { KiB: 2, what: 'the widget' } };
  const one = { bytes: 2048, lazy: [{ name: 'Phone', bytes: 9, modules: ['src/b.ts'] }], modules: ['src/a.ts'] };

  it('accepts what fits', () => {
    expect(judgeSizes({ widget: one }, budgets)).toMatchObject({ passed: 3, failed: 0 });
  });

  it('names what is too large, holds a heavy package at start, or was not measured', () => {
    expect(judgeSizes({ widget: { ...one, bytes: 2049 } }, budgets)).toMatchObject({ passed: 2, failed: 1 });
    const heavy = { ...one, modules: ['../node_modules/libphonenumber-js/min/index.js'] };
    const withContainer = { ...one, modules: ['../node_modules/@inversifyjs/core/lib/esm/index.js'] };
    expect(judgeSizes({ widget: withContainer }, budgets).failed).toBe(1);
    const { failed, lines } = judgeSizes({ widget: heavy }, budgets);
    expect(failed).toBe(1);
    expect(lines.join('\n')).toContain('holds libphonenumber-js at start');
    const parts = [
      { name: 'large', bytes: 12_289, modules: ['src/c.ts'] },
      { name: 'login-Ab3', bytes: 51_200, modules: ['src/l.ts'] },
      {
        name: 'strength-Ab3',
        bytes: 15_000,
        modules: ['a/src/common-passwords.ts', '../node_modules/@zxcvbn-ts/core/dist/index.mjs'],
      },
      { name: 'mixed', bytes: 9, modules: ['src/d.ts', '../node_modules/@zxcvbn-ts/core/dist/index.mjs'] },
      { name: 'container', bytes: 64_768, modules: ['src/e.ts', '../node_modules/inversify/lib/esm/index.js'] },
      { name: 'container', bytes: 64_769, modules: ['../node_modules/@inversifyjs/core/lib/esm/index.js'] },
      { name: 'alone', bytes: 50_000, modules: ['../node_modules/libphonenumber-js/min/index.js'] },
    ];
    const lazy = judgeSizes({ widget: { ...one, lazy: parts } }, budgets);
    expect(lazy.failed).toBe(1);
    expect(lazy.lines.filter((line) => line.startsWith('!   '))).toEqual([
      '!   on demand: large weighs 12.0 KiB of 12 KiB',
      '!   on demand: mixed holds a heavy package and code of ours',
      '!   on demand: container weighs 63.3 KiB of 63.25 KiB',
    ]);
    expect(judgeSizes({}, budgets)).toMatchObject({ passed: 0, failed: 3 });
  });
});
