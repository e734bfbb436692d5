/**
 * WebKit as Debian's `webkit2gtk-driver` installs it, with a screen for it (`xvfb`). Optional like Firefox. The packages take some 300 MB,
 * so only the soak tests install them.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface WebKitPrograms {
  readonly driver: string;
  /** An X server without a screen. */
  readonly screen: string;
}

/** The programs, or the reason why there are none. `WEBKIT=off` leaves them out, `WEBKIT=/path` names the driver. */
export function findWebKit(
  env: Env = process.env,
  exists: (path: string) => boolean = existsSync,
): WebKitPrograms | { readonly reason: string } {
  const named = env['WEBKIT'];
  if (named === 'off') return { reason: 'WEBKIT=off' };
  const find = (name: string): string | undefined =>
    ['/usr/bin', ...(env['PATH'] ?? '').split(delimiter)].map((folder) => join(folder, name)).find(exists);
  const driver = named ? [named].find(exists) : find('WebKitWebDriver');
  if (driver === undefined) return { reason: `${named ?? 'WebKitWebDriver'} is not installed (webkit2gtk-driver)` };
  const screen = find('Xvfb');
  return screen === undefined ? { reason: 'Xvfb is not installed (xvfb)' } : { driver, screen };
}

/** The programs, installed if they are missing and installation is allowed, or the reason why there are none. */
export function ensureWebKit(
  env: Env = process.env,
  { find = findWebKit, may = mayInstall, install = aptInstall } = {},
): ReturnType<typeof findWebKit> {
  const found = find(env);
  if ('driver' in found || env['WEBKIT'] || !may()) return found;
  const failure = install('webkit2gtk-driver', 'xvfb');
  const installed = find(env);
  return 'driver' in installed || failure === null ? installed : { reason: failure };
}
