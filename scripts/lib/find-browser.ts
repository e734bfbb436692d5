/** Where the browsers of the tests are on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const WINDOWS = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'];
const onWindows = (paths: readonly (readonly string[])[]): readonly string[] =>
  WINDOWS.flatMap((folder) => paths.map((path) => join(process.env[folder] ?? 'C:\\', ...path)));

export type Engine = 'chromium' | 'firefox';
export type Env = Readonly<Record<string, string | undefined>>;

interface Whereabouts {
  readonly variable: string;
  readonly title: string;
  readonly debian: string;
  readonly names: readonly string[];
  readonly places: Readonly<Record<string, readonly string[]>>;
}

/** Each engine: the variable that names it, the commands it goes by, and where systems put it. */
export const ENGINES: Readonly<Record<Engine, Whereabouts>> = {
  chromium: {
    variable: 'CHROMIUM',
    title: 'Chromium',
    debian: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'],
    places: {
      linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
      darwin: [
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      ],
      win32: onWindows([
        ['Chromium', 'Application', 'chrome.exe'],
        ['Google', 'Chrome', 'Application', 'chrome.exe'],
        ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
      ]),
    },
  },
  firefox: {
    variable: 'FIREFOX',
    title: 'Firefox',
    debian: 'firefox-esr',
    names: ['firefox-esr', 'firefox'],
    places: {
      linux: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
      darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
      win32: onWindows([['Mozilla Firefox', 'firefox.exe']]),
    },
  },
};

/** A path, or null. The engine's variable, when set, is the only place looked at. */
export function findEngine(
  engine: Engine,
  env: Env = process.env,
  exists: (path: string) => boolean = existsSync,
  platform: string = process.platform,
): string | null {
  const { variable, names, places } = ENGINES[engine];
  const named = env[variable];
  if (named) return exists(named) ? named : null;
  const onPath = (env['PATH'] ?? '').split(delimiter).flatMap((dir) => names.map((name) => join(dir, name)));
  return [...(places[platform] ?? places['linux'] ?? []), ...onPath].find((path) => exists(path)) ?? null;
}

/** Chromium's path, or null. */
export const findBrowser = (env?: Env, exists?: (path: string) => boolean, platform?: string): string | null =>
  findEngine('chromium', env, exists, platform);

/** What keeps a headless Chromium still: no sandbox for root in a container, no traffic of its own. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
