/** One visit to a page without a cache, and its cost. */
import type { Browser, CDPSession, Page } from 'playwright';

/** The throttling of the visit, and the start of the three seconds in which requests are counted. */
export interface Conditions {
  readonly cpu: number;
  readonly network: { readonly latency: number; readonly down: number; readonly up: number } | null;
  readonly countedAfter: 'navigation' | 'field';
}

/** A mid-range phone on a slow mobile network. */
export const SLOW_PHONE: Conditions = {
  cpu: 4,
  network: { latency: 150, down: 1_600_000 / 8, up: 750_000 / 8 },
  countedAfter: 'navigation',
};

const WATCHED_MS = 3_000;
const PATIENCE_MS = 30_000;

export interface Visit {
  /** From the navigation to a visible field for an email address. */
  readonly visible: number;
  readonly script: number;
  readonly layout: number;
  readonly requests: number;
  readonly received: number;
  /** The bytes that had arrived when the field was visible. */
  readonly receivedAtStart: number;
  /** All requests in order, for `--requests`. */
  readonly log: readonly string[];
}

/**
 * Runs in the page before its own scripts. Checks every change of the document, also in shadow roots, including closed ones, without
 * waiting for a frame.
 */
function watch(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  const isStyled = (): boolean =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null) &&
    // It paints nothing before the element to which this link refers, either.
    [...document.querySelectorAll('link[rel=expect]')].every((link) =>
      document.querySelector(link.getAttribute('href') ?? ''),
    );
  const isVisible = (field: Element): boolean => {
    // The browser paints nothing after a style sheet that is loading.
    if (!isStyled()) return false;
    const { width, height } = field.getBoundingClientRect();
    return width > 0 && height > 0 && field.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const observer = new MutationObserver(() => look());
  const look = (): void => {
    const field = roots
      .map((root) => root.querySelector('input[type=email], input[name=identifier]'))
      .find((found) => found !== null);
    if (!field) return;
    if (!isVisible(field)) return void requestAnimationFrame(look);
    observer.disconnect();
    (window as { fieldVisible?: (at: string) => void }).fieldVisible?.(String(performance.now()));
  };
  const changes = { childList: true, subtree: true };
  observer.observe(document, changes);
  type Attach = (this: Element, init: ShadowRootInit) => ShadowRoot;
  const attach: Attach = Reflect.get(Element.prototype, 'attachShadow');
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    roots.push(root);
    observer.observe(root, changes);
    return root;
  };
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

async function slowDown(devtools: CDPSession, { cpu, network }: Conditions): Promise<void> {
  if (cpu > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (network === null) return;
  const { latency, down, up } = network;
  const speed = { latency, downloadThroughput: down, uploadThroughput: up };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...speed });
}

async function metricsOf(devtools: CDPSession): Promise<(name: string) => number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
}

/** Rejects after the time that Playwright waits for a page. */
async function within<Value>(value: Promise<Value>, words: () => string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(words())), PATIENCE_MS);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

async function measured(page: Page, urls: { readonly blank: string; readonly page: string }, conditions: Conditions) {
  const devtools = await page.context().newCDPSession(page);
  // Starting a renderer is not part of a visit: an empty document of the same origin does that.
  await page.goto(urls.blank);
  await page.addInitScript(watch);
  await devtools.send('Network.enable');
  // The processor time of the page's main thread, without other load of the machine.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const asked = requestsOf(devtools);
  // Playwright's own way to wait runs its script in the page, in front of the field.
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'fieldVisible' });
  const shown = new Promise<number>((resolve) => {
    devtools.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload)));
  });
  await slowDown(devtools, conditions);
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  await page.goto(urls.page, { waitUntil: 'commit' });
  const visible = await within(
    shown,
    () => `No field is visible at ${urls.page}. The page says: ${wrong.join('; ') || 'nothing'}`,
  );
  const until = WATCHED_MS + (conditions.countedAfter === 'field' ? visible : 0);
  await page.waitForTimeout(Math.max(0, until - (await page.evaluate(() => performance.now()))));
  const metric = await metricsOf(devtools);
  const all = [...asked.values()];
  const start = Math.min(...all.map(({ at }) => at));
  const seen = all.filter(({ at }) => at - start <= until / 1_000);
  const kib = (some: readonly RequestTiming[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024;
  return {
    visible,
    script: metric('ScriptDuration') * 1_000,
    layout: (metric('LayoutDuration') + metric('RecalcStyleDuration')) * 1_000,
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
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  try {
    return await measured(await context.newPage(), urls, conditions);
  } finally {
    await context.close();
  }
}
