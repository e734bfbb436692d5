import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ensureBrowser, ensureTestBrowser, findEngine, findWholeBrowser, tryFirefox } from '#scripts/lib/browsers.ts';
import { compareToLock } from '#scripts/ensure-deps.mjs';
import { withLock } from '#scripts/lib/lock.mjs';
import { choosePort, serve } from '#scripts/lib/net.ts';
import { tooOld } from '#provider/base/node-version.mjs';
import { ensureWebKit, findWebKit } from '#scripts/lib/webkit.ts';
import { folderWith } from './folder.ts';

describe('dependencies', () => {
  const here = { platform: 'linux', arch: 'x64' };
  const lock = {
    packages: {
      '': {},
      provider: {},
      'node_modules/a': { version: '1', integrity: 'i' },
      'node_modules/b-win': { version: '1', integrity: 'j', optional: true, os: ['win32'] },
    },
  };

  const a = { version: '1', integrity: 'i' };

  it('are fresh when npm installed what the lock says, for this machine', () => {
    expect(compareToLock(lock, { packages: { 'node_modules/a': a } }, here)).toBe('fresh');
    expect(compareToLock(lock, { packages: {} }, here)).toBe('short');
    const other = { version: '2', integrity: 'k' };
    expect(compareToLock(lock, { packages: { 'node_modules/a': other } }, here)).toBe('foreign');
    const mac = { 'node_modules/a': a, 'node_modules/c': { os: ['darwin'] } };
    expect(compareToLock(lock, { packages: mac }, here)).toBe('foreign');
  });

  it('are fresh without those of the tests where these are left out, and too few where they are not', () => {
    const both = { packages: { ...lock.packages, 'node_modules/d': { version: '1', integrity: 'l', dev: true } } };
    const installed = { packages: { 'node_modules/a': a } };
    expect(compareToLock(both, installed, { ...here, omitDev: true })).toBe('fresh');
    expect(compareToLock(both, installed, here)).toBe('short');
    const all = { packages: { ...installed.packages, 'node_modules/d': both.packages['node_modules/d'] } };
    expect(compareToLock(both, all, { ...here, omitDev: true })).toBe('fresh');
  });

  it('are not installed by a Node below 20.19, and with a warning below the one that the documents name', () => {
    expect(['18.20.0', '20.18.9', '20.19.0', '22.1.0'].map((version) => tooOld(version))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['20.20.2', '22.11.9', '22.12.0', '24.0.0'].map((version) => tooOld(version, '22.12'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a lock between commands', () => {
  const file = (): string => join(folderWith({}), 'locks/deps.lock');

  it('lets one work at a time, and is gone afterwards', async () => {
    const path = file();
    const order: string[] = [];
    const work = async (name: string) =>
      withLock(path, async () => {
        order.push(`${name} begins`);
        await setTimeout(20);
        order.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b')]);
    expect(order.map((one) => one.slice(2))).toEqual(['begins', 'ends', 'begins', 'ends']);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('is taken over when its owner no longer lives', async () => {
    const path = file();
    const { pid } = spawnSync(process.execPath, ['--version']);
    mkdirSync(dirname(path));
    writeFileSync(path, String(pid));
    expect(await withLock(path, () => 'done')).toBe('done');
  });
});

describe('the browser', () => {
  const only = (path: string) => (at: string) => at === path;

  it('is the one that CHROMIUM names, or the first of the usual places', () => {
    const find = (env: Record<string, string>, there: string) => findEngine('chromium', env, only(there));
    expect(find({ CHROMIUM: '/opt/c' }, '/opt/c')).toBe('/opt/c');
    expect(find({ CHROMIUM: '/opt/c' }, '/usr/bin/chromium')).toBeNull();
    expect(find({ PATH: '/opt/bin' }, '/opt/bin/google-chrome')).toBe('/opt/bin/google-chrome');
    const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    expect(find({}, chrome)).toBe(chrome);
  });

  it('with extensions and windows is no headless shell, even if CHROMIUM names one', () => {
    const find = (CHROMIUM: string, ...there: readonly string[]) =>
      findWholeBrowser({ CHROMIUM }, (path) => there.includes(path));
    const shell = '/usr/bin/chromium-headless-shell';
    expect(find(shell, shell, '/usr/bin/chromium')).toBe('/usr/bin/chromium');
    expect(find('/opt/c', '/opt/c', '/usr/bin/chromium')).toBe('/opt/c');
    expect(find('', '/usr/bin/chromium')).toBe('/usr/bin/chromium');
    expect(find(shell, shell)).toBeNull();
  });

  it('is installed where that is allowed, else asked for in one sentence', () => {
    let there = false;
    const find = (): string | null => (there ? '/usr/bin/chromium' : null);
    const install = (): null => {
      there = true;
      return null;
    };
    expect(() => ensureBrowser({}, { find, may: () => false, install })).toThrow(/install Chromium .* or set CHROMIUM/);
    expect(ensureBrowser({}, { find, may: () => true, install })).toBe('/usr/bin/chromium');
    expect(() => ensureBrowser({ CHROMIUM: '/nowhere' }, { find: () => null })).toThrow('CHROMIUM names /nowhere');
  });

  it('of the tests is the one without windows, which is installed where that is allowed, else any', () => {
    const wanted: string[] = [];
    const install = (name: string): string => {
      wanted.push(name);
      return 'no network';
    };
    const SHELL = process.execPath;
    expect(ensureTestBrowser({ CHROMIUM: SHELL }, { install })).toBe(SHELL);
    expect(wanted).toEqual([]);
    const find = (): string | null => (wanted.length === 0 ? null : '/usr/bin/chromium');
    expect(ensureTestBrowser({}, { find, may: () => true, install })).toBe('/usr/bin/chromium');
    expect(wanted).toEqual(['chromium-headless-shell']);
  });
});

describe('the second engine', () => {
  // Any file that exists will do for the path.
  const FIREFOX = process.execPath;

  it('is renewed where that is allowed when it is too old, and else says why it does not run', () => {
    let now = 'Mozilla Firefox 140.12.0esr';
    const version = (): string => now;
    const install = (): null => {
      now = 'Mozilla Firefox 153.7.0esr';
      return null;
    };
    expect(tryFirefox({ FIREFOX }, { version, may: () => true, install }).reason).toMatch(/140.* is older than 143/);
    expect(tryFirefox({ FIREFOX: 'off' })).toEqual({ reason: 'FIREFOX=off' });
    now = 'Mozilla Firefox 153.7.0esr';
    expect(tryFirefox({ FIREFOX }, { version })).toEqual({ path: FIREFOX });
  });
});

describe('WebKit', () => {
  const find = (env: Record<string, string>, ...there: readonly string[]) =>
    findWebKit(env, (path) => there.includes(path));

  it('is driven where its driver and a screen are installed, and nowhere else', () => {
    const both = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'];
    expect(find({}, ...both)).toEqual({ driver: both[0], screen: both[1] });
    expect(find({ PATH: '/opt/bin' }, '/opt/bin/WebKitWebDriver', '/usr/bin/Xvfb')).toMatchObject({
      driver: '/opt/bin/WebKitWebDriver',
    });
    expect(find({}, '/usr/bin/Xvfb')).toEqual({ reason: 'WebKitWebDriver is not installed (webkit2gtk-driver)' });
    expect(find({}, '/usr/bin/WebKitWebDriver')).toEqual({ reason: 'Xvfb is not installed (xvfb)' });
  });

  it('is left out by WEBKIT=off, and is the driver that WEBKIT names', () => {
    const both = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'];
    expect(find({ WEBKIT: 'off' }, ...both)).toEqual({ reason: 'WEBKIT=off' });
    expect(find({ WEBKIT: '/a/driver' }, ...both)).toEqual({
      reason: '/a/driver is not installed (webkit2gtk-driver)',
    });
    expect(find({ WEBKIT: '/a/driver' }, ...both, '/a/driver')).toMatchObject({ driver: '/a/driver' });
  });

  const programs = { driver: '/usr/bin/WebKitWebDriver', screen: '/usr/bin/Xvfb' };
  const absent = { reason: 'it is not installed' };
  const installer = (failure: string | null) => {
    const packages: string[] = [];
    const install = (...names: readonly string[]): string | null => {
      packages.push(...names);
      return failure;
    };
    return { packages, install };
  };

  it('is installed for soak tests where that is allowed', () => {
    const { packages, install } = installer(null);
    const find = vi.fn<typeof findWebKit>().mockReturnValueOnce(absent).mockReturnValueOnce(programs);
    expect(ensureWebKit({}, { find, may: () => true, install })).toEqual(programs);
    expect(packages).toEqual(['webkit2gtk-driver', 'xvfb']);
  });

  it('is not installed over one that is there, nor against WEBKIT, nor without the right; a failure is the reason', () => {
    const { packages, install } = installer('apt-get could not install it');
    const without = { find: () => absent, install };
    expect(ensureWebKit({}, { find: () => programs, may: () => true, install })).toEqual(programs);
    expect(ensureWebKit({ WEBKIT: 'off' }, { ...without, may: () => true })).toEqual(absent);
    expect(ensureWebKit({}, { ...without, may: () => false })).toEqual(absent);
    expect(packages).toEqual([]);
    expect(ensureWebKit({}, { ...without, may: () => true })).toEqual({ reason: 'apt-get could not install it' });
  });
});

describe('ports', () => {
  it('move on when a default is taken, and say so; a named one does not move, and none is given away twice', async () => {
    const { url, close } = await serve(() => {}, 0);
    const taken = Number(new URL(url).port);
    try {
      const said: string[] = [];
      const got = await choosePort('PORT', taken, { env: {}, say: (line) => said.push(line) });
      expect(got).toBeGreaterThan(taken);
      const owner = process.platform === 'linux' ? ` by process ${process.pid} \\(.+\\)` : '';
      const sentence = new RegExp(`^Port ${taken} is taken${owner}; using ${got}\\. PORT names another\\.$`, 'u');
      expect(said).toEqual([expect.stringMatching(sentence)]);
      const name = async (port: number) => choosePort('PORT', 1, { env: { PORT: String(port) } });
      await expect(name(taken)).rejects.toThrow(
        new RegExp(`Port ${taken} \\(PORT\\) is taken${owner}\\. Choose another, such as PORT=\\d+\\.$`, 'u'),
      );
      await expect(name(got)).rejects.toThrow(`Port ${got} (PORT) is taken`);
    } finally {
      await close();
    }
  });

  it('are numbers in range', async () => {
    await expect(choosePort('PORT', 1, { env: { PORT: '70000' } })).rejects.toThrow('PORT must be a port number');
  });
});
