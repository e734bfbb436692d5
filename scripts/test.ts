/**
 * Everything (`npm test`): gates, build, budgets, unit, contract, package and browser tests. With `--soak` (`npm run test:soak`) the test
 * files that `SOAK=1` changes, without gates and budgets; `--write` then keeps which files take more than a minute. `--shard=1/2` runs one
 * half of the tests.
 *
 * - gates, builds, then the units beside the browsers, two at a time; a failed stage does not hide the results of the others;
 * - browser tests are never skipped: without a browser the stage fails, with a message that names the packages to install;
 * - prints the engines and databases that were used, and ends with `N passed, N failed`.
 */
import { ensureTestBrowser, tryFirefox, versionOf } from './lib/browsers.ts';
import { gateStages } from './lib/gates.ts';
import { ensureProxies } from './lib/front-proxies.ts';
import { writeLongFiles } from './lib/long-files.ts';
import { ensureMailServer } from './lib/mail-server.ts';
import { ensureLanguages } from './lib/languages.ts';
import { missingPrograms } from './lib/programs.ts';
import { Report, sideBySide, type Verdict } from './lib/report.ts';
import { stopAll, stopOnSignal } from './lib/run.ts';
import { playwright, vitest } from './lib/runners.ts';
import { soakFiles } from './lib/soak-files.ts';
import { ensureBuilt, type StepName } from './lib/steps.ts';
import { ensureWebKit, findWebKit } from './lib/webkit.ts';
import { pgBouncerVersion, tryPgBouncer } from './pgbouncer.ts';
import { startPostgres, type MaybePostgres } from './postgres.ts';
import { checkSizes } from './sizes.ts';

const onlySoak = process.argv.includes('--soak');
const shard = process.argv.find((argument) => argument.startsWith('--shard='))?.slice('--shard='.length);
// For the processes of the tests.
if (onlySoak) process.env['SOAK'] = '1';
const soak = onlySoak ? soakFiles() : null;

const report = new Report();
let postgres: MaybePostgres = { reason: 'the run ended before it started' };
const starting = startPostgres();
const stopPostgres = async (): Promise<void> => {
  const server = await starting;
  if ('url' in server) await server.stop();
};
stopOnSignal(130, stopPostgres);

const built: Partial<Record<StepName, boolean>> = {};
const begun = new Map<StepName, Promise<void>>();
/** Work that cannot be done without these builds. It waits for those that have begun. */
const after = (names: readonly StepName[], title: string, work: () => Promise<unknown>) => async (): Promise<void> => {
  await Promise.all(names.map(async (name) => begun.get(name)));
  const missing = names.find((name) => !built[name]);
  if (missing === undefined) await work();
  else report.heldUp(title, `build of ${missing}`);
};
const needing = (names: readonly StepName[], title: string, work: () => Promise<Verdict>): (() => Promise<void>) =>
  after(names, title, async () => report.stage(title, work));
const build = (name: StepName, ...needed: readonly StepName[]): (() => Promise<void>) => {
  const title = `build of ${name}`;
  const make = after(needed, title, async () => {
    built[name] = await report.stage(title, async () => {
      await ensureBuilt([name], () => {});
      return { ok: true };
    });
  });
  return async () => {
    const made = make();
    begun.set(name, made);
    await made;
  };
};

let bouncer: ReturnType<typeof tryPgBouncer> = { path: null, reason: 'PostgreSQL did not run' };
const mailServer = ensureMailServer();
const proxies = ensureProxies();
if (onlySoak) ensureLanguages();
const firefox = tryFirefox();
const webkit = onlySoak ? ensureWebKit() : findWebKit();
let browser: string | null = null;
try {
  browser = ensureTestBrowser();
  // For the stages that follow.
  process.env['CHROMIUM'] = browser;
} catch {
  // The stage of the browser tests says why there is none.
}
// In one run, because the package's tests wait for processes while the others compute.
const packed = ['description', 'entries', 'types'] as const;
const units = async (): Promise<void> => {
  postgres = await starting;
  if ('url' in postgres) bouncer = tryPgBouncer();
  const database = 'url' in postgres ? { TEST_DATABASE_URL: postgres.url } : {};
  await Promise.all(packed.map(async (name) => begun.get(name)));
  const missing = packed.find((name) => !built[name]);
  if (missing !== undefined) report.heldUp('packed tarball', `build of ${missing}`);
  await report.stage('unit, contract and package tests', async () =>
    vitest(missing === undefined ? [] : ['!package'], database, {
      times: soak ? 'soak' : 'node',
      files: soak?.units ?? [],
      shard,
    }),
  );
};

// In one queue, because a build keeps one core busy, and a gate has the other one meanwhile; browsers wait while the units compute. A
// build comes after those that it needs.
await sideBySide([
  build('description'),
  build('entries'),
  build('types'),
  ...(onlySoak ? [] : gateStages(report)),
  build('docs', 'entries', 'types'),
  build('server', 'description'),
  build('test-server', 'description'),
  build('demo', 'entries'),
  build('gallery', 'demo'),
  ...(onlySoak ? [] : [needing(['entries'], 'size budgets', checkSizes)]),
  units,
  needing(['entries', 'types', 'server', 'test-server', 'demo', 'gallery', 'docs'], 'browser tests', async () =>
    playwright(
      { CHROMIUM: ensureTestBrowser(), FIREFOX: firefox.path ?? 'off' },
      { times: soak ? 'soak-browser' : 'browser', files: soak?.specs ?? [], shard },
    ),
  ),
]);

report.note(`Node: ${process.versions.node}`);
report.note(`Browser: ${browser ? versionOf(browser) : 'none, the browser tests did not run'}`);
report.note(`Second engine: ${firefox.path ? versionOf(firefox.path) : `not run (${firefox.reason})`}`);
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
for (const line of missingPrograms()) report.note(line);
if (onlySoak && process.argv.includes('--write')) writeLongFiles();
await Promise.allSettled([stopPostgres(), stopAll()]);
process.exit(report.close());
