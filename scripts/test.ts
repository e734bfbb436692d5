/**
 * Everything (`npm test`): gates, build, budgets, unit, contract, package and browser tests.
 *
 * - cheap stages first, two at a time; a failed stage does not hide the results of the others;
 * - browser tests are never skipped: without a browser the stage fails, with a message that names the packages to install;
 * - prints the engines and databases that were used, and ends with `N passed, N failed`.
 */
import { ensureTestBrowser, tryFirefox, versionOf } from './lib/browsers.ts';
import { checkGates } from './lib/gates.ts';
import { ensureProxies } from './lib/front-proxies.ts';
import { ensureMailServer } from './lib/mail-server.ts';
import { Report, sideBySide, type Verdict } from './lib/report.ts';
import { stopAll, stopOnSignal } from './lib/run.ts';
import { playwright, vitest } from './lib/runners.ts';
import { ensureBuilt, type StepName } from './lib/steps.ts';
import { findWebKit } from './lib/webkit.ts';
import { pgBouncerVersion, tryPgBouncer } from './pgbouncer.ts';
import { startPostgres, type MaybePostgres } from './postgres.ts';
import { checkSizes } from './sizes.ts';

const report = new Report();
let postgres: MaybePostgres = { reason: 'the run ended before it started' };
const stopPostgres = async (): Promise<void> => ('url' in postgres ? postgres.stop() : undefined);
stopOnSignal(130, stopPostgres);

await checkGates(report);

const built: Partial<Record<StepName, boolean>> = {};
const build = async (name: StepName): Promise<void> => {
  built[name] = await report.stage(`build of ${name}`, async () => {
    await ensureBuilt([name], () => {});
    return { ok: true };
  });
};
/** Stages that depend on other steps cannot run without them. */
const buildFrom = async (name: StepName, ...needed: readonly StepName[]): Promise<void> => {
  const missing = needed.find((each) => !built[each]);
  if (missing === undefined) await build(name);
  else report.heldUp(`build of ${name}`, `build of ${missing}`);
};
// Each keeps one core busy.
await sideBySide([
  async () => build('entries'),
  async () => build('types'),
  async () => build('server'),
  async () => build('test-server'),
]);
await sideBySide([
  async () => buildFrom('docs', 'entries', 'types'),
  async () => {
    await buildFrom('demo', 'entries');
    await buildFrom('gallery', 'demo');
  },
]);

const needing = (names: readonly StepName[], title: string, work: () => Promise<Verdict>) => async () => {
  const missing = names.find((name) => !built[name]);
  if (missing) report.heldUp(title, `build of ${missing}`);
  else await report.stage(title, work);
};

let database: NodeJS.ProcessEnv = {};
let bouncer: ReturnType<typeof tryPgBouncer> = { path: null, reason: 'PostgreSQL did not run' };
const mailServer = ensureMailServer();
const proxies = ensureProxies();
let browser: string | null = null;
try {
  browser = ensureTestBrowser();
  // For the stages that follow.
  process.env['CHROMIUM'] = browser;
} catch {
  // The stage of the browser tests says why there is none.
}
await sideBySide([
  needing(['entries'], 'size budgets', checkSizes),
  async () => {
    postgres = await startPostgres();
    if (!('url' in postgres)) return;
    database = { TEST_DATABASE_URL: postgres.url };
    bouncer = tryPgBouncer();
  },
]);
// In one run, because the package's tests wait for processes while the others compute.
const unpacked = ['node', 'node-alone', 'dom', 'dom-alone', 'react-18'];
const whatToPack = (['entries', 'types'] as const).find((name) => !built[name]);
if (whatToPack !== undefined) report.heldUp('packed tarball', `build of ${whatToPack}`);
await report.stage('unit, contract and package tests', async () =>
  vitest(whatToPack === undefined ? [...unpacked, 'package'] : unpacked, database),
);

let firefox: ReturnType<typeof tryFirefox> = { reason: 'the browser tests did not run' };
await needing(['entries', 'types', 'server', 'test-server', 'demo', 'gallery', 'docs'], 'browser tests', async () => {
  firefox = tryFirefox();
  return playwright({ CHROMIUM: ensureTestBrowser(), FIREFOX: firefox.path ?? 'off' });
})();

report.note(`Node: ${process.versions.node}`);
report.note(`Browser: ${browser ? versionOf(browser) : 'none, the browser tests did not run'}`);
report.note(`Second engine: ${firefox.path ? versionOf(firefox.path) : `not run (${firefox.reason})`}`);
const webkit = findWebKit();
report.note(`Third engine: ${'reason' in webkit ? `not run (${webkit.reason})` : `WebKit, by ${webkit.driver}`}`);
const server = postgres as MaybePostgres;
report.note(
  'url' in server
    ? `PostgreSQL: ${server.version}, beside the embedded one`
    : `PostgreSQL: not run, only the embedded one (${server.reason})`,
);
report.note(
  bouncer.path === null
    ? `PgBouncer: not run (${bouncer.reason})`
    : `PgBouncer: ${pgBouncerVersion(bouncer.path)}, in transaction mode`,
);
report.note(
  'version' in mailServer
    ? `Mail server: aiosmtpd ${mailServer.version}`
    : `Mail server: not run (${mailServer.reason})`,
);
report.note(`Proxies: ${proxies}`);
await Promise.allSettled([stopPostgres(), stopAll()]);
process.exit(report.close());
