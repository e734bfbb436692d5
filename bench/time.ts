/**
 * The waiting time of a visitor in Chromium: from the first statement of the script to a visible email field, and the script time
 * until then, at the machine's speed and four times slower.
 *
 * The page imports the bundle of bytes.ts and mounts the login widget against a provider in memory. Each run has a fresh browser
 * context without a cache. The median of the runs is printed, never asserted.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import getPort from 'get-port';
import { chromium, type Browser } from 'playwright';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/lib/browsers.ts';
import { startProvider } from '../scripts/lib/provider-process.ts';
import { PUBLIC_TOKEN, serveDemo } from '../scripts/serve-demo.ts';
import { bundle, CONSUMERS } from './bytes.ts';
import type { Time } from './report.ts';

export const RUNS = 7;
/** Chromium's own slow-down of the processor: a mid-range phone is about four times slower. */
const SLOWDOWNS = [1, 4];

/** The page, once its script has begun. */
type TimedPage = typeof globalThis & { readonly started?: number };

const mount = (providerUrl: string): string => `
const client = new globalThis.client(${JSON.stringify(PUBLIC_TOKEN)}, {
  apiUrl: ${JSON.stringify(providerUrl)},
});
client.mountLogin({ elementId: '#login', config: { products: ['otp'], otpOptions: { methods: ['email'] } } });`;

/** Runs in the page: resolves with the time once the field has a size. */
async function untilVisible(): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      const roots = [document, ...[...document.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? [])];
      const field = roots.map((root) => root.querySelector('input[type=email]')).find((one) => one !== null);
      if (field && field.getBoundingClientRect().width > 0)
        resolve(performance.now() - ((globalThis as TimedPage).started ?? NaN));
      else requestAnimationFrame(look);
    };
    look();
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** One visit with nothing cached. */
async function visit(browser: Browser, url: string, slowdown: number) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await devtools.send('Performance.enable');
    await page.goto(url);
    await page.waitForFunction(() => (globalThis as TimedPage).started !== undefined);
    const visible = await page.evaluate(untilVisible);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const script = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN) * 1_000;
    return { visible, script };
  } finally {
    await context.close();
  }
}

export async function measureTime(): Promise<readonly Time[]> {
  const dir = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const port = await getPort();
  const provider = await startProvider(['--dev', '--port', String(port), '--data', 'memory']);
  const providerUrl = `http://localhost:${port}`;
  const builds = ['widget', 'standalone'] as const;
  for (const name of builds) {
    for (const chunk of await bundle(CONSUMERS[name])) {
      const file = chunk.isEntry ? `${name}.js` : basename(chunk.fileName);
      const code = chunk.isEntry
        ? `globalThis.started = performance.now();${chunk.code}${mount(providerUrl)}`
        : chunk.code;
      writeFileSync(join(dir, file), code.replaceAll('./assets/', './'));
    }
    const page = '<!doctype html><meta charset="utf-8"><title>bench</title><div id="login"></div>';
    writeFileSync(join(dir, `${name}.html`), `${page}<script type="module" src="/${name}.js"></script>`);
  }
  const site = await serveDemo({ port: 0, providerUrl, dir });
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
  try {
    const times: Time[] = [];
    for (const build of builds) {
      for (const slowdown of SLOWDOWNS) {
        const visits: Awaited<ReturnType<typeof visit>>[] = [];
        for (let run = 0; run < RUNS; run += 1) visits.push(await visit(browser, `${site.url}/${build}`, slowdown));
        const of = (what: 'visible' | 'script'): number => median(visits.map((one) => one[what]));
        times.push({ build, slowdown, visible: of('visible'), script: of('script') });
      }
    }
    return times;
  } finally {
    await Promise.allSettled([browser.close(), site.close(), provider.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }
}
