/**
 * The browsers of the tests: found on this machine, or Debian's, installed if that is allowed.
 *
 * Chromium is required: if there is none and none can be installed, `ensureBrowser` throws an error with instructions. Firefox is
 * optional: `tryFirefox` returns the reason when there is none. The tests prefer Debian's Chromium without windows, which needs less
 * computing for the same pages: `ensureTestBrowser`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.ts';

type Engine = 'chromium' | 'headlessShell' | 'firefox';
type Env = Readonly<Record<string, string | undefined>>;

interface BrowserLocation {
  readonly variable: string;
  readonly title: string;
  readonly debian: string;
  /** Commands on the PATH. */
  readonly names: readonly string[];
  /** Paths below the program folders of macOS and Windows. */
  readonly programs: readonly string[];
}

const ENGINES: Readonly<Record<Engine, BrowserLocation>> = {
  chromium: {
    variable: 'CHROMIUM',
    title: 'Chromium',
    debian: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'],
    programs: [
      ...['Chromium', 'Google Chrome', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`),
      'Chromium/Application/chrome.exe',
      'Google/Chrome/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ],
  },
  headlessShell: {
    variable: 'CHROMIUM',
    title: 'Chromium',
    debian: 'chromium-headless-shell',
    names: ['chromium-headless-shell', 'chrome-headless-shell'],
    programs: [],
  },
  firefox: {
    variable: 'FIREFOX',
    title: 'Firefox',
    debian: 'firefox-esr',
    names: ['firefox-esr', 'firefox'],
    programs: ['Firefox.app/Contents/MacOS/firefox', 'Mozilla Firefox/firefox.exe'],
  },
};

/** A path, or null. If the engine's variable is set, only its path is checked. */
export function findEngine(engine: Engine, env: Env = process.env, exists = existsSync as (path: string) => boolean) {
  const { variable, names, programs } = ENGINES[engine];
  const named = env[variable];
  if (named) return exists(named) ? named : null;
  const within = (folders: readonly string[], files: readonly string[]): readonly string[] =>
    folders.flatMap((folder) => files.map((file) => join(folder, file)));
  const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => env[name] ?? []);
  const path = ['/usr/bin', '/snap/bin', ...(env['PATH'] ?? '').split(delimiter)];
  return [...within(path, names), ...within(['/Applications', ...folders], programs)].find(exists) ?? null;
}

/** Flags for a headless Chromium: no sandbox for root in a container, no background traffic. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface BrowserLookup {
  readonly engine?: Engine;
  readonly find?: (env: Env) => string | null;
  readonly may?: () => boolean;
  readonly install?: (name: string) => string | null;
}

/** The path of a browser. @throws {Error} */
export function ensureBrowser(env: Env = process.env, means: BrowserLookup = {}): string {
  const { engine = 'chromium', may = mayInstall, install = aptInstall } = means;
  const { find = (vars) => findEngine(engine, vars) } = means;
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

/** The path of the Chromium without windows, or else of one that has them. @throws {Error} */
export function ensureTestBrowser(env: Env = process.env, means: Omit<BrowserLookup, 'engine'> = {}): string {
  try {
    return ensureBrowser(env, { ...means, engine: 'headlessShell' });
  } catch {
    return ensureBrowser(env, means);
  }
}

/** A Chromium that is installed already, for extensions and windows, which a headless shell lacks. CHROMIUM may name a shell. */
export function findWholeBrowser(env: Env = process.env, exists?: (path: string) => boolean): string | null {
  const found = findEngine('chromium', env, exists);
  return found === null || /headless[-_]shell/u.test(found)
    ? findEngine('chromium', { ...env, CHROMIUM: '' }, exists)
    : found;
}

/** The path of such a Chromium. @throws {Error} */
export const ensureWholeBrowser = (
  env: Env = process.env,
  means: Omit<BrowserLookup, 'engine' | 'find'> = {},
): string => ensureBrowser({ ...env, CHROMIUM: '' }, { ...means, find: () => findWholeBrowser(env) });

/** The path of a Chromium for tests that is installed already. */
export const findTestBrowser = (env?: Env): string | null =>
  findEngine('headlessShell', env) ?? findEngine('chromium', env);

/** The version text of a browser. */
export const versionOf = (command: string): string =>
  execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The first version with the protocol that Playwright needs (WebDriver BiDi's network.addDataCollector). */
const OLDEST_FIREFOX = 143;

interface FirefoxMeans extends Pick<BrowserLookup, 'may' | 'install'> {
  readonly version?: (path: string) => string;
}

/** Firefox, or the reason why it is not available. */
export function tryFirefox(
  env: Env = process.env,
  { may = mayInstall, install = aptInstall, version = versionOf }: FirefoxMeans = {},
): { readonly path?: string; readonly reason?: string } {
  if (env['FIREFOX'] === 'off') return { reason: 'FIREFOX=off' };
  const isTooOld = (path: string): boolean => Number(/(\d+)\./.exec(version(path))?.[1] ?? 0) < OLDEST_FIREFOX;
  try {
    const path = ensureBrowser(env, { engine: 'firefox', may, install });
    if (isTooOld(path) && !env['FIREFOX'] && may()) install(ENGINES.firefox.debian);
    return isTooOld(path) ? { reason: `${version(path)} is older than ${OLDEST_FIREFOX}` } : { path };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
