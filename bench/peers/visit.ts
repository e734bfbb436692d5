/** A visit to a page without a cache that counts its requests. Times are measured apart, in timed-visit.ts. */
import type { Browser, CDPSession, Page } from 'playwright';
import { PATIENCE_MS, WATCHED_MS, watch, type Conditions } from './conditions.ts';

export interface Counts {
  readonly requests: number;
  readonly received: number;
  /** The bytes that had arrived when the field was visible. */
  readonly receivedAtStart: number;
  /** All requests in order, for `--requests`. */
  readonly log: readonly string[];
}

interface RequestTiming {
  readonly line: string;
  readonly at: number;
  bytes: number;
  arrived: number;
}

/** The requests of a page, preflights among them, by the browser's own clock in seconds. */
function requestsOf(devtools: CDPSession): Map<string, RequestTiming> {
  const asked = new Map<string, RequestTiming>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (!/^https?:/.test(request.url)) return;
    const line = `${request.method} ${request.url.replace(/\?.*/, '')}`;
    asked.set(requestId, { line, at: timestamp, bytes: 0, arrived: Infinity });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const one = asked.get(requestId);
    if (one) Object.assign(one, { bytes: encodedDataLength, arrived: timestamp });
  });
  return asked;
}

/** Rejects after the time that Playwright waits for a page. */
async function within<Value>(value: Promise<Value>, words: () => string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(words())), PATIENCE_MS);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

async function counted(page: Page, urls: { readonly blank: string; readonly page: string }, conditions: Conditions) {
  const devtools = await page.context().newCDPSession(page);
  // Starting a renderer is not part of a visit: an empty document of the same origin does that.
  await page.goto(urls.blank);
  await page.addInitScript(watch);
  await devtools.send('Network.enable');
  const asked = requestsOf(devtools);
  // Playwright's own way to wait runs its script in the page, in front of the field.
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'fieldVisible' });
  const shown = new Promise<number>((resolve) => {
    devtools.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload)));
  });
  if (conditions.cpu > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: conditions.cpu });
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  await page.goto(urls.page, { waitUntil: 'commit' });
  const visible = await within(
    shown,
    () => `No field is visible at ${urls.page}. The page says: ${wrong.join('; ') || 'nothing'}`,
  );
  const until = WATCHED_MS + (conditions.countedAfter === 'field' ? visible : 0);
  await page.waitForTimeout(Math.max(0, until - (await page.evaluate(() => performance.now()))));
  const all = [...asked.values()];
  const start = Math.min(...all.map(({ at }) => at));
  const seen = all.filter(({ at }) => at - start <= until / 1_000);
  const kib = (some: readonly RequestTiming[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024;
  return {
    requests: seen.length,
    received: kib(seen),
    receivedAtStart: kib(seen.filter(({ arrived }) => (arrived - start) * 1_000 <= visible)),
    log: seen.map(({ line, at, bytes }) => `${((at - start) * 1_000).toFixed(0)} ms ${line} ${bytes} B`),
  };
}

export async function visit(
  browser: Browser,
  urls: { readonly blank: string; readonly page: string },
  conditions: Conditions,
): Promise<Counts> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  try {
    return await counted(await context.newPage(), urls, conditions);
  } finally {
    await context.close();
  }
}
