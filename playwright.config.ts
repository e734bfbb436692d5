import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, findEngine, findTestBrowser, findWholeBrowser } from './scripts/lib/browsers.ts';
import { findWebKit } from './scripts/lib/webkit.ts';
import { PATIENCE_MS } from './tests/patience-ms.ts';
import { SOAK } from './tests/soak.ts';
import type { PorticoOptions } from './tests/e2e/fixtures.ts';

const chromium = {
  browserName: 'chromium',
  launchOptions: { executablePath: findTestBrowser() ?? '/usr/bin/chromium', args: BROWSER_ARGS },
} as const;

const whole = findWholeBrowser() ?? chromium.launchOptions.executablePath;

/** FIREFOX is set by the command that runs all tests; by hand, what is there is used. */
const firefox = process.env['FIREFOX'] === 'off' ? null : findEngine('firefox');

const STANDALONE_WALKS = [
  'keyboard',
  'prerendered',
  'passcode',
  'social',
  'translated',
  'borders',
  ...(SOAK ? ['host-orders'] : []),
];
const STANDALONE_SPECS = SOAK && firefox === null ? '**/*.spec.ts' : `**/{${STANDALONE_WALKS.join(',')}}.spec.ts`;

/**
 * The demo and the example apps in real browsers, in Chromium over React. Those tagged `@soak`, and files named `*.soak.spec.ts`, need `SOAK=1`: another test, often one of
 * the units, asserts nearly the same, or they differ from another by data alone. In Firefox, over the build for hosts without React, run
 * the walks tagged `@smoke`, and with `SOAK=1` all tagged `@every`. In Chromium that build has a few walks where there is no Firefox, and
 * with `SOAK=1`. In WebKit, where Debian's driver is installed, run walks of its own: Playwright cannot drive that browser.
 */
export default defineConfig<PorticoOptions>({
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/global-setup.ts',
  outputDir: './test-results',
  workers: availableParallelism(),
  fullyParallel: true,
  forbidOnly: true,
  ...(SOAK ? {} : { grepInvert: /@soak/, testIgnore: '**/*.soak.spec.ts' }),
  // Ceilings that only a fault reaches, also where other work keeps the machine busy.
  timeout: 300_000,
  expect: { timeout: PATIENCE_MS },
  use: {
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: PATIENCE_MS,
    // A new context takes as much time as half a test. Playwright empties the one of the worker; tests/e2e/fixtures.ts does what is left.
    reuseContext: true,
  },
  projects: [
    // First, because they build for long: the last test to end should not be one of these. Windows that open windows need a whole Chromium.
    {
      name: 'examples',
      testDir: './tests/examples',
      // They install packages and build apps.
      timeout: 900_000,
      use: { ...chromium, launchOptions: { ...chromium.launchOptions, executablePath: whole } },
    },
    { name: 'react', testDir: './tests/e2e', use: { ...chromium, demoPath: '/' } },
    ...(SOAK || firefox === null
      ? [
          {
            name: 'standalone',
            testDir: './tests/e2e',
            testMatch: STANDALONE_SPECS,
            grep: /@every/,
            use: { ...chromium, demoPath: '/standalone' },
          },
        ]
      : []),
    ...(firefox === null
      ? []
      : [
          {
            name: 'firefox',
            testDir: './tests/e2e',
            grep: SOAK ? /@every/ : /@smoke/,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              // The folder of `tests/e2e/saved-file.ts`.
              launchOptions: { executablePath: firefox, downloadsPath: resolve('.cache/downloads') },
              demoPath: '/standalone',
            },
          },
        ]),
    // Two of these browsers at once on one machine fall over each other: pages stay away, and the driver closes its connection.
    ...('reason' in findWebKit() ? [] : [{ name: 'webkit', testDir: './tests/webkit', workers: 1 }]),
  ],
});
