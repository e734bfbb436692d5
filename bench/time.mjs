/**
 * How long a visitor waits: from the first statement of the script to a visible email field, and how long scripts ran
 * until then, in Chromium, as fast as the machine is and four times slower.
 *
 * The page imports the bundle of bytes.ts and mounts the login widget against a provider in memory. A fresh browser
 * context each time, so that nothing is cached; the median of the runs is what counts. Printed, never asserted.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/lib/browsers.ts';
import getPort from 'get-port';
import { startProvider } from '../scripts/lib/provider-process.ts';
import { PUBLIC_TOKEN, serveDemo } from '../scripts/serve-demo.ts';
import { bundle, CONSUMERS } from './bytes.ts';

export const RUNS = 7;
/** Chromium's own slow-down of the processor: a phone of the middle class is about four times slower. */
const SLOWDOWNS = [1, 4];

const mount = (providerUrl) => `
const client = new globalThis.client(${JSON.stringify(PUBLIC_TOKEN)}, {
  endpointOptions: { apiDomain: ${JSON.stringify(providerUrl)}, testApiDomain: ${JSON.stringify(providerUrl)} },
});
client.mountLogin({ elementId: '#login', config: { products: ['otp'], otpOptions: { methods: ['email'] } } });`;

/** Runs in the page: resolves with the time once the field has a size. */
function untilVisible() {
  return new Promise((resolve) => {
    const look = () => {
      const roots = [document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)];
      const field = roots.map((root) => root.querySelector('input[type=email]')).find(Boolean);
      if (field && field.getBoundingClientRect().width > 0) resolve(performance.now() - globalThis.started);
      else requestAnimationFrame(look);
    };
    look();
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** One visit with nothing cached. */
async function visit(browser, url, slowdown) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await devtools.send('Performance.enable');
    await page.goto(url);
    await page.waitForFunction(() => globalThis.started !== undefined);
    const visible = await page.evaluate(untilVisible);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const script = metrics.find(({ name }) => name === 'ScriptDuration').value * 1_000;
    return { visible, script };
  } finally {
    await context.close();
  }
}

/** @returns {Promise<{ build: string, slowdown: number, visible: number, script: number }[]>} milliseconds */
export async function measureTime() {
  const dir = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const port = await getPort();
  const provider = await startProvider(['--dev', '--port', String(port), '--data', 'memory']);
  const providerUrl = `http://localhost:${port}`;
  const builds = ['widget', 'standalone'];
  for (const name of builds) {
    for (const chunk of await bundle(CONSUMERS[name])) {
      const file = chunk.isEntry ? `${name}.js` : chunk.fileName.split('/').at(-1);
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
    const times = [];
    for (const build of builds) {
      for (const slowdown of SLOWDOWNS) {
        const visits = [];
        for (let run = 0; run < RUNS; run += 1) visits.push(await visit(browser, `${site.url}/${build}`, slowdown));
        const of = (what) => median(visits.map((one) => one[what]));
        times.push({ build, slowdown, visible: of('visible'), script: of('script') });
      }
    }
    return times;
  } finally {
    await Promise.allSettled([browser.close(), site.close(), provider.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }
}
