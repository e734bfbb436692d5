/**
 * A visit to a page without a cache that measures its times, in a browser of its own that is driven by a bare connection.
 *
 * Playwright and Puppeteer enable DevTools' Runtime and Network domains. Then V8 stores a stack trace with each `Error` that is made and
 * each request, and for the positions in them it compiles the functions on the stack again. React 19 makes five errors while its module
 * is evaluated, so that the whole bundle of a page counted twice, which no visitor's browser does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS, WATCHED_MS, watch, type Conditions } from './conditions.ts';

export interface Times {
  /** From the navigation to a visible field for an email address. All times are in milliseconds. */
  readonly visible: number;
  readonly script: number;
  readonly layout: number;
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>;

/** What `watch` reports, and why a page shows nothing. */
const REPORT = `{ const errors = []; addEventListener('error', ({ message }) => errors.push(message));
globalThis.fieldVisible = (at) => { globalThis.fieldReport.at = Number(at); }; globalThis.fieldReport = { at: null, errors }; }
(${watch.toString()})();`;

/** Sends commands over the pipe of `--remote-debugging-pipe`: JSON between NULs. */
function connect(browser: ChildProcess): Send {
  const [, , , to, from] = browser.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (why: Error) => void }
  >();
  let last = 0;
  let text = '';
  from.setEncoding('utf8').on('data', (part: string) => {
    const messages = (text + part).split('\0');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const {
        id,
        result = {},
        error,
      } = JSON.parse(message) as {
        readonly id?: number;
        readonly result?: Record<string, unknown>;
        readonly error?: { readonly message: string };
      };
      const call = id === undefined ? undefined : waiting.get(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    }
  });
  browser.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended.'));
  });
  return async (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      waiting.set((last += 1), { resolve, reject });
      to.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
}

interface FieldReport {
  readonly at: number | null;
  readonly errors: readonly string[];
}

async function reportOf(send: Send, session: string): Promise<FieldReport> {
  const { result } = await send('Runtime.evaluate', { expression: 'fieldReport', returnByValue: true }, session);
  return (result as { readonly value: FieldReport }).value;
}

/** Waits for the end of the watched time, and on a slow page for its field. */
async function shownAt(send: Send, session: string, url: string, { countedAfter }: Conditions): Promise<number> {
  await sleep(WATCHED_MS);
  for (let waited = WATCHED_MS; ; waited += 250) {
    const { at, errors } = await reportOf(send, session);
    if (at !== null) {
      if (countedAfter === 'field') await sleep(at);
      return at;
    }
    if (waited > PATIENCE_MS)
      throw new Error(`No field is visible at ${url}. The page says: ${errors.join('; ') || 'nothing'}`);
    await sleep(250);
  }
}

export interface TimingBrowser {
  readonly visit: (urls: { readonly blank: string; readonly page: string }, conditions: Conditions) => Promise<Times>;
  readonly close: () => Promise<void>;
}

/** Starts the browser at `path`. */
export function launchForTiming(path: string, args: readonly string[]): TimingBrowser {
  const profile = mkdtempSync(join(tmpdir(), 'portico-timing-'));
  const own = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--no-first-run'];
  const browser = spawn(path, [...own, ...args], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  const send = connect(browser);

  const times = async (session: string, page: string, conditions: Conditions): Promise<Times> => {
    await send('Page.enable', {}, session);
    await send('Page.addScriptToEvaluateOnNewDocument', { source: REPORT }, session);
    // The processor time of the page's main thread, without other load of the machine.
    await send('Performance.enable', { timeDomain: 'threadTicks' }, session);
    if (conditions.cpu > 1) await send('Emulation.setCPUThrottlingRate', { rate: conditions.cpu }, session);
    await send('Page.navigate', { url: page }, session);
    const visible = await shownAt(send, session, page, conditions);
    const { metrics } = await send('Performance.getMetrics', {}, session);
    const ms = (wanted: string): number =>
      1_000 *
      ((metrics as readonly { readonly name: string; readonly value: number }[]).find(({ name }) => name === wanted)
        ?.value ?? NaN);
    return { visible, script: ms('ScriptDuration'), layout: ms('LayoutDuration') + ms('RecalcStyleDuration') };
  };

  return {
    async visit({ blank, page }, conditions) {
      const { browserContextId } = await send('Target.createBrowserContext');
      try {
        // Starting a renderer is not part of a visit: an empty document of the same origin does that.
        const size = { width: 1_280, height: 800 };
        const { targetId } = await send('Target.createTarget', { url: blank, browserContextId, ...size });
        const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
        await sleep(200);
        return await times(String(sessionId), page, conditions);
      } finally {
        await send('Target.disposeBrowserContext', { browserContextId });
      }
    },
    async close() {
      browser.kill();
      await ended;
      // A process of the browser that ends later may still write.
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
