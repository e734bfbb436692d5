/**
 * Finds the browsers of the tests, or installs Debian's where it may.
 *
 * Chromium is indispensable: where there is none and none can be installed, `ensureBrowser` throws one sentence that
 * says what to do. Firefox is a second opinion: `tryFirefox` says why there is none.
 */
import { execFileSync } from 'node:child_process';
import { aptInstall, mayInstall } from './lib/apt.ts';
import { ENGINES, findEngine, type Engine, type Env } from './lib/find-browser.ts';
import { isMain } from './lib/root.mjs';

interface Means {
  readonly engine?: Engine;
  readonly find?: (env: Env) => string | null;
  readonly may?: () => boolean;
  readonly install?: (name: string) => string | null;
}

/** The path of a browser. @throws {Error} */
export function ensureBrowser(
  env: Env = process.env,
  {
    engine = 'chromium',
    find = (vars) => findEngine(engine, vars),
    may = mayInstall,
    install = aptInstall,
  }: Means = {},
): string {
  const { variable, title, debian } = ENGINES[engine];
  const found = find(env);
  if (found) return found;
  if (env[variable]) throw new Error(`${variable} names ${env[variable]}, and there is no such file.`);
  const hint = `install ${title} (Debian and Ubuntu: apt-get install ${debian}), or set ${variable} to a browser’s path.`;
  if (!may()) throw new Error(`The browser tests found no ${title}: ${hint}`);
  const failure = install(debian);
  const installed = find(env);
  if (!installed) throw new Error(`The browser tests found no ${title} (${failure}): ${hint}`);
  return installed;
}

/** What a browser says that it is. */
export const versionOf = (command: string): string =>
  execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The first that speaks what Playwright asks of it (WebDriver BiDi's network.addDataCollector). */
const OLDEST_FIREFOX = 143;

const isTooOld = (version: string): boolean => Number(/(\d+)\./.exec(version)?.[1] ?? 0) < OLDEST_FIREFOX;

interface FirefoxMeans extends Pick<Means, 'may' | 'install'> {
  readonly version?: (path: string) => string;
}

/** Firefox, or why it is not here. */
export function tryFirefox(
  env: Env = process.env,
  { may = mayInstall, install = aptInstall, version = versionOf }: FirefoxMeans = {},
): { readonly path?: string; readonly reason?: string } {
  if (env['FIREFOX'] === 'off') return { reason: 'FIREFOX=off' };
  try {
    const path = ensureBrowser(env, { engine: 'firefox', may, install });
    if (!isTooOld(version(path))) return { path };
    if (!env['FIREFOX'] && may()) install(ENGINES.firefox.debian);
    return isTooOld(version(path)) ? { reason: `${version(path)} is older than ${OLDEST_FIREFOX}` } : { path };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

if (isMain(import.meta.url)) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
