/**
 * Finds a Chromium for the browser tests, or installs Debian's where it may.
 *
 * Answers the path; where there is none and none can be installed, it throws one sentence that says what to do.
 */
import { aptInstall, mayInstall } from './lib/apt.mjs';
import { findBrowser } from './lib/find-browser.mjs';
import { isMain } from './lib/root.mjs';

/** @returns {string} the path of a browser @throws {Error} */
export function ensureBrowser(env = process.env, { find = findBrowser, may = mayInstall, install = aptInstall } = {}) {
  const found = find(env);
  if (found) return found;
  if (env.CHROMIUM) throw new Error(`CHROMIUM names ${env.CHROMIUM}, and there is no such file.`);
  const hint = 'install Chromium (Debian and Ubuntu: apt-get install chromium), or set CHROMIUM to a browser’s path.';
  if (!may()) throw new Error(`The browser tests found no Chromium: ${hint}`);
  const failure = install('chromium');
  const installed = find(env);
  if (!installed) throw new Error(`The browser tests found no Chromium (${failure}): ${hint}`);
  return installed;
}

if (isMain(import.meta.url)) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
