/**
 * Finds the browsers of the tests, or installs Debian's where it may.
 *
 * Chromium is indispensable: where there is none and none can be installed, `ensureBrowser` throws one sentence that
 * says what to do. Firefox is a second opinion: `tryFirefox` says why there is none.
 */
import { execFileSync } from 'node:child_process';
import { aptInstall, mayInstall } from './lib/apt.mjs';
import { ENGINES, findEngine } from './lib/find-browser.mjs';
import { isMain } from './lib/root.mjs';

/** @returns {string} the path of a browser @throws {Error} */
export function ensureBrowser(
  env = process.env,
  { engine = 'chromium', find = (vars) => findEngine(engine, vars), may = mayInstall, install = aptInstall } = {},
) {
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
export const versionOf = (command) =>
  execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The first that speaks what Playwright asks of it (WebDriver BiDi's network.addDataCollector). */
const OLDEST_FIREFOX = 143;

const isTooOld = (version) => Number(/(\d+)\./.exec(version)?.[1] ?? 0) < OLDEST_FIREFOX;

/** @returns {{ path: string } | { reason: string }} Firefox, or why it is not here */
export function tryFirefox(env = process.env, { may = mayInstall, install = aptInstall, version = versionOf } = {}) {
  if (env.FIREFOX === 'off') return { reason: 'FIREFOX=off' };
  try {
    const path = ensureBrowser(env, { engine: 'firefox', may, install });
    if (!isTooOld(version(path))) return { path };
    if (!env.FIREFOX && may()) install(ENGINES.firefox.debian);
    return isTooOld(version(path)) ? { reason: `${version(path)} is older than ${OLDEST_FIREFOX}` } : { path };
  } catch (error) {
    return { reason: error.message };
  }
}

if (isMain(import.meta.url)) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
