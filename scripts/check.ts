/**
 * The fast loop (`npm run check`): types, lint, format, lock, and the unit and contract tests. With `--changed` only the tests that import
 * a file that differs from the last commit, and then the soak tests of the change that take less than a minute each.
 */
import { ensureTestBrowser } from './lib/browsers.ts';
import { gateStages } from './lib/gates.ts';
import { longFiles } from './lib/long-files.ts';
import { Report, sideBySide } from './lib/report.ts';
import { stopAll, stopOnSignal } from './lib/run.ts';
import { playwright, vitest } from './lib/runners.ts';
import { changeSinceCommit, soakFilesOf } from './lib/soak-files.ts';
import { startPostgres } from './postgres.ts';

stopOnSignal(130);
const report = new Report();
/** Of each runner, the nearest to the change: most provider tests start a whole server, and so import nearly all of it. */
const MOST_FILES = 20;
/** Those of the package wait for a build. */
const PROJECTS = ['!package'];

async function soakTestsOfChange(): Promise<void> {
  const { units, specs } = soakFilesOf(changeSinceCommit());
  const long = longFiles();
  const isShort = (file: string): boolean => !(file in long);
  const files = units.filter(isShort).slice(0, MOST_FILES);
  // The examples install packages, and WebKit needs a driver.
  const walks = specs.filter((file) => isShort(file) && file.startsWith('tests/e2e/')).slice(0, MOST_FILES);
  for (const file of [...units, ...specs]) {
    const seconds = long[file] === undefined ? '' : ` (${long[file]} s)`;
    const ran = files.includes(file) || walks.includes(file) ? 'ran' : `not run${seconds}`;
    report.note(`Soak test of this change, ${ran}: ${file}`);
  }
  if (files.length > 0) {
    const postgres = await startPostgres();
    const database = 'url' in postgres ? { TEST_DATABASE_URL: postgres.url } : {};
    await report.stage('soak tests of the change', async () =>
      vitest(PROJECTS, { SOAK: '1', ...database }, { times: 'changed-soak', files }),
    );
    if ('url' in postgres) await postgres.stop();
  }
  if (walks.length > 0) {
    await report.stage('browser soak tests of the change', async () =>
      playwright({ SOAK: '1', CHROMIUM: ensureTestBrowser() }, { times: 'changed-browser', files: walks }, ['react']),
    );
  }
}

const onlyChanged = process.argv.includes('--changed');
await sideBySide(gateStages(report));
await report.stage('unit and contract tests', async () =>
  vitest(PROJECTS, {}, { times: onlyChanged ? 'changed' : 'node', onlyChanged }),
);
if (onlyChanged) await soakTestsOfChange();
await stopAll();
process.exit(report.close());
