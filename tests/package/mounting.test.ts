import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { SOAK } from '../soak.ts';
import { bundled, strictSite, type Site } from './strict-site.ts';

const CYCLES = SOAK ? 1_000 : 20;
const MOST_BYTES = SOAK ? 1_000_000 : 300_000;

/** Counts what a page can leave behind, before anything else runs. */
const COUNTING = `
const left = { listeners: 0, timers: new Set(), intervals: new Set(), observers: 0, channels: 0, requests: 0 };
for (const target of [window, document]) {
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  target.addEventListener = (...args) => { left.listeners += 1; add(...args); };
  target.removeEventListener = (...args) => { left.listeners -= 1; remove(...args); };
}
const { setTimeout: timeout, clearTimeout: untimeout, fetch: ask } = window;
window.setTimeout = (task, ms, ...args) => {
  const id = timeout(() => { left.timers.delete(id); task(...args); }, ms);
  left.timers.add(id);
  return id;
};
window.clearTimeout = (id) => { left.timers.delete(id); untimeout(id); };
window.fetch = (...args) => { left.requests += 1; return ask(...args).finally(() => { left.requests -= 1; }); };
for (const name of ['ResizeObserver', 'MutationObserver', 'IntersectionObserver']) {
  const Observer = window[name];
  window[name] = class extends Observer {
    observe(...args) { if (!this.counted) { this.counted = true; left.observers += 1; } super.observe(...args); }
    disconnect() { if (this.counted) { this.counted = false; left.observers -= 1; } super.disconnect(); }
  };
}
window.left = () => ({ ...left, timers: left.timers.size, intervals: left.intervals.size });
`;

const HOST = `
import { createElement, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { PorticoUIClient } from 'portico';
import { Login, PorticoProvider } from 'portico/react';
const client = new PorticoUIClient('public-token-test-1', {
  apiUrl: location.origin, telemetry: false,
});
const config = {
  products: ['oauth', 'otp', 'passwords', 'passkeys', 'crypto'],
  oauthOptions: { providers: [{ type: 'google' }, { type: 'github' }] },
  otpOptions: { methods: ['sms', 'email'] },
};
const root = createRoot(document.querySelector('#login'));
const show = (shown) => flushSync(() => root.render(createElement(StrictMode, null,
  createElement(PorticoProvider, { client }, shown ? createElement(Login, { config }) : null))));
const turn = () => new Promise((resolve) => { const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); resolve(); }; port2.postMessage(0); });
window.cycle = async (times) => {
  for (let time = 0; time < times; time += 1) { show(true); await turn(); show(false); await turn(); }
};
window.ready = true;
`;

let site: Site;
let browser: Browser;

beforeAll(async () => {
  const page = '<!doctype html><title>Host</title><div id="login"></div>';
  const scripts = '<script src="/counting.js"></script><script type="module" src="/host.js"></script>';
  const files = new Map([...(await bundled(HOST)), ['/counting.js', COUNTING]]);
  site = await strictSite({ '/': page + scripts }, files);
  browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

interface MountCycles {
  readonly ready?: true;
  cycle(times: number): Promise<void>;
  left(): Readonly<Record<string, number>>;
}

it(`${CYCLES} cycles of mounting under StrictMode leave nothing behind, and less than ${MOST_BYTES / 1_000} kB`, async () => {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(site.url);
  await page.waitForFunction(() => (window as unknown as MountCycles).ready);
  const devtools = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize;
  };
  const cycle = (times: number) => page.evaluate((count) => (window as unknown as MountCycles).cycle(count), times);
  const left = () => page.evaluate(() => (window as unknown as MountCycles).left());

  // What is loaded once, and compiled, is no leak.
  await cycle(SOAK ? 50 : 25);
  await page.waitForTimeout(500);
  const before = { left: await left(), heap: await heap() };
  await cycle(CYCLES);
  await page.waitForTimeout(500);
  const after = { left: await left(), heap: await heap() };

  expect(after.left).toEqual(before.left);
  expect(await page.locator('[data-portico]').count()).toBe(0);
  expect(after.heap - before.heap).toBeLessThan(MOST_BYTES);
  expect(wrong).toEqual([]);
});
