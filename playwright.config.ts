import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from './scripts/lib/find-browser.mjs';
import type { PorticoOptions } from './tests/e2e/fixtures.ts';

/** The demo in Chromium, twice: over React, and over the build for hosts without React. */
export default defineConfig<PorticoOptions>({
  testDir: './tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/global-setup.mjs',
  outputDir: './test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 7_000 },
  use: {
    browserName: 'chromium',
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    launchOptions: { executablePath: findBrowser() ?? '/usr/bin/chromium', args: BROWSER_ARGS },
  },
  projects: [
    { name: 'react', use: { demoPath: '/' } },
    { name: 'standalone', use: { demoPath: '/standalone' } },
  ],
});
