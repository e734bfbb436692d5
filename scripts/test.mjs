/**
 * Everything (`npm test`): gates, build, budgets, unit, contract, package and browser tests.
 *
 * - cheap stages first, two at a time; a failed stage does not hide what the others would have said;
 * - browser tests are never skipped: without a browser the stage fails, and says what to install;
 * - says which engines and databases took part, and ends with `N passed, N failed`.
 */
import { ensureBrowser, tryFirefox, versionOf } from './ensure-browser.mjs';
import { GATES } from './lib/gates.mjs';
import { Report, sideBySide } from './lib/report.mjs';
import { stopAll, stopOnSignal } from './lib/run.mjs';
import { playwright, vitest } from './lib/runners.mjs';
import { ensureBuilt, STEPS } from './lib/steps.mjs';
import { startPostgres } from './postgres.mjs';
import { checkSizes } from './sizes.mjs';

const report = new Report();
let postgres = { reason: 'the run ended before it started' };
stopOnSignal(130, async () => postgres.stop?.());

const gate =
  ({ name, check }) =>
  () =>
    report.stage(name, () => check());
await sideBySide(Object.values(GATES).map(gate));

const built = {};
for (const name of Object.keys(STEPS)) {
  // The pages are made from the entries: without those there is nothing to say about them.
  if (name === 'demo' && !built.entries) report.heldUp('build of demo', 'build of entries');
  else
    built[name] = await report.stage(`build of ${name}`, () =>
      ensureBuilt([name], () => {}).then(() => ({ ok: true })),
    );
}

const needing = (names, title, work) => async () => {
  const missing = names.find((name) => !built[name]);
  if (missing) report.heldUp(title, `build of ${missing}`);
  else await report.stage(title, work);
};

let database = {};
await sideBySide([
  needing(['entries'], 'size budgets', checkSizes),
  async () => {
    postgres = await startPostgres();
    if (postgres.url) database = { TEST_DATABASE_URL: postgres.url };
  },
]);
await sideBySide([
  () =>
    report.stage('unit and contract tests', () => vitest(['node', 'dom', 'dom-alone', 'react-18'], { env: database })),
  needing(['entries', 'types'], 'packed tarball', () => vitest(['package'])),
]);

let browser = null;
let firefox = { reason: 'the browser tests did not run' };
await needing(['entries', 'server', 'demo'], 'browser tests', () => {
  browser = ensureBrowser();
  firefox = tryFirefox();
  return playwright({ env: { CHROMIUM: browser, FIREFOX: firefox.path ?? 'off' } });
})();

report.note(`Node: ${process.versions.node}`);
report.note(`Browser: ${browser ? versionOf(browser) : 'none, the browser tests did not run'}`);
report.note(`Second engine: ${firefox.path ? versionOf(firefox.path) : `not run (${firefox.reason})`}`);
report.note(
  postgres.url
    ? `PostgreSQL: ${postgres.version}, beside the embedded one`
    : `PostgreSQL: not run, only the embedded one (${postgres.reason})`,
);
await Promise.allSettled([postgres.stop?.(), stopAll()]);
process.exit(report.close());
