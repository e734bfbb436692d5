/** Where a Chromium is on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const PLACES = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((folder) =>
    ['Chromium', 'Google\\Chrome', 'Microsoft\\Edge'].map((name) =>
      join(process.env[folder] ?? 'C:\\', name, `Application\\${name.endsWith('Edge') ? 'msedge' : 'chrome'}.exe`),
    ),
  ),
};

/** A path, or null. CHROMIUM, when set, is the only place looked at. */
export function findBrowser(env = process.env, exists = existsSync, platform = process.platform) {
  if (env.CHROMIUM) return exists(env.CHROMIUM) ? env.CHROMIUM : null;
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((dir) => NAMES.map((name) => join(dir, name)));
  return [...(PLACES[platform] ?? PLACES.linux), ...onPath].find((path) => exists(path)) ?? null;
}

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
