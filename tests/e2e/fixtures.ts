/**
 * What every browser test stands on: the page's path by build, the dev inbox, axe, and a trap for errors.
 *
 * A test fails when any page of its context logs an error, throws or breaks the Content Security Policy, unless the
 * test has said beforehand that it expects such a line: `trap.allow(/…/)`.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { ProviderControl } from '#composition/control/provider-control.ts';
import { scopedControl } from '#composition/playwright/scoped-control.ts';
import { removeAuthenticators } from './authenticator.ts';

export interface PorticoOptions {
  /** `/` in project `react`, `/standalone` in project `standalone`. */
  readonly demoPath: string;
}

/** A message that the provider would have sent. */
export interface InboxMessage {
  readonly id: string;
  readonly channel: 'email' | 'sms' | 'whatsapp';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly link?: string;
  readonly at: string;
}

export interface Inbox {
  /** Every message to the address, newest first. */
  messagesTo(address: string): Promise<readonly InboxMessage[]>;
  /** The newest passcode to the address; with `after`, of a message other than that one. */
  codeFor(address: string, options?: { after?: string }): Promise<string>;
  /** The newest link to the address; with `after`, of a message other than that one. */
  linkFor(address: string, options?: { after?: string }): Promise<string>;
}

export interface Trap {
  /** Lines that match are expected in this test. */
  allow(pattern: RegExp): void;
  /** Watches one more context that the test made itself. */
  watch(context: BrowserContext): void;
}

interface Fixtures {
  readonly providerUrl: string;
  readonly inbox: Inbox;
  /** Time and faults of the requests of this test's context; its settings are those of every test. */
  readonly control: ProviderControl;
  readonly axe: (page: Page, options?: RunOptions) => Promise<AxeResults['violations']>;
  /** The texts whose contrast axe cannot compute, each with its reason. */
  readonly uncomputed: (page: Page) => Promise<readonly string[]>;
  readonly trap: Trap;
  /** Undoes what the next test in the same context would find. */
  readonly pristine: undefined;
}

/** The browser has an error of its own for a file that is missing. */
const MISSING_PART = /\[Portico\] A part did not load/u;
/**
 * The hash of `body {}`, a style that Playwright puts into a page of Firefox when it takes a picture, as it does before a test closes a
 * context. The policy of the page refuses the style.
 */
const STYLE_OF_PICTURES = /'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA='/u;

const need = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the browser tests with playwright.config.ts`);
  return value;
};

/** Ends what moves and fades towards an end: half faded in, a text has a contrast that nobody reads it with. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    for (const animation of moving) animation.finish();
  });

/** Lets no colour of the page's own document fade until the returned function is called. Firefox fades some in spite of reduced motion. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const sheet = await page.evaluateHandle(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(still);
    return still;
  });
  return () =>
    page.evaluate((still) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still);
    }, sheet);
}

/**
 * Runs an expression in the page, whatever its policy. Trusted Types forbid a script element with text; the debugger's channel is no part
 * of the page. Playwright has that of Chromium, and uses that of Firefox by itself.
 */
async function evaluateIn(page: Page, expression: string): Promise<string> {
  if (page.context().browser()?.browserType().name() === 'firefox') return page.evaluate<string>(expression);
  const debuggerChannel = await page.context().newCDPSession(page);
  try {
    const reply = await debuggerChannel.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      allowUnsafeEvalBlockedByCSP: true,
    });
    if (reply.exceptionDetails) throw new Error(`axe: ${JSON.stringify(reply.exceptionDetails)}`);
    return String(reply.result.value);
  } finally {
    await debuggerChannel.detach();
  }
}

async function runAxe(page: Page, options: RunOptions = {}): Promise<AxeResults> {
  // A message of another test may come to the page's inbox meanwhile. It must not fade in, because axe would see a weak contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const goOn = await hold(page);
  await settle(page);
  // A page that was looked at before has it.
  const isThere = await page.evaluate(() => 'axe' in window);
  const source = isThere ? '' : await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const expression = `${source}\n;axe.run(document, ${JSON.stringify(options)}).then(({ violations, incomplete }) => JSON.stringify({ violations, incomplete }))`;
  const results = JSON.parse(await evaluateIn(page, expression)) as AxeResults;
  await goOn();
  await page.emulateMedia({ reducedMotion: null });
  return results;
}

async function uncomputedContrasts(page: Page): Promise<readonly string[]> {
  const { incomplete } = await runAxe(page, { runOnly: ['color-contrast'] });
  return incomplete.flatMap(({ nodes }) =>
    nodes.map(({ any, html }) => `${(any[0]?.data as { readonly messageKey?: string } | null)?.messageKey}: ${html}`),
  );
}

/** The dev inbox of the provider. */
export function makeInbox(providerUrl: string): Inbox {
  const messagesTo = async (address: string): Promise<readonly InboxMessage[]> => {
    // Not those of every test before this one.
    const url = `${providerUrl}/dev/inbox.json?${new URLSearchParams({ to: address }).toString()}`;
    // A connection that was idle may be closed by the server at the moment when it is used again.
    const reply = await fetch(url, { headers: { connection: 'close' } });
    if (!reply.ok) throw new Error(`the dev inbox answered ${reply.status}`);
    const all = (await reply.json()) as readonly InboxMessage[];
    return all.filter((message) => message.to === address);
  };
  const newest = async (field: 'code' | 'link', address: string, after?: string): Promise<string> => {
    let found: string | undefined;
    await expect
      .poll(
        async () => {
          const messages = await messagesTo(address);
          const known = messages.findIndex((message) => message.id === after);
          const fresh = known < 0 ? messages : messages.slice(0, known);
          found = fresh.find((message) => message[field])?.[field];
          return found;
        },
        { message: `a ${field} for ${address} in the dev inbox`, intervals: [50, 100, 200] },
      )
      .toBeTruthy();
    return found ?? '';
  };
  return {
    messagesTo,
    codeFor: (address, options) => newest('code', address, options?.after),
    linkFor: (address, options) => newest('link', address, options?.after),
  };
}

export const test = base.extend<Fixtures & PorticoOptions>({
  demoPath: ['/', { option: true }],
  baseURL: async ({}, use) => use(need('PORTICO_DEMO_URL')),
  providerUrl: async ({}, use) => use(need('PORTICO_PROVIDER_URL')),
  inbox: async ({ providerUrl }, use) => use(makeInbox(providerUrl)),
  control: async ({ context, providerUrl }, use) => {
    const control = await scopedControl(context, providerUrl);
    await use(control);
    await control.reset();
  },
  axe: async ({}, use) => use(async (page, options) => (await runAxe(page, options)).violations),
  uncomputed: async ({}, use) => use(uncomputedContrasts),
  pristine: [
    async ({ context }, use) => {
      // Playwright empties a context that it uses again (cookies, storage, cache, routes, scripts, other pages), but for these.
      for (const page of context.pages()) await page.evaluate(() => void (window.name = ''));
      await use(undefined);
      await context.setExtraHTTPHeaders({});
      await context.setOffline(false);
      await context.clearPermissions();
      await removeAuthenticators(context);
    },
    { auto: true },
  ],
  trap: [
    async ({ context }, use) => {
      const seen: string[] = [];
      const allowed = [STYLE_OF_PICTURES, MISSING_PART];
      const watch = (one: BrowserContext): void => {
        one.on('console', (message) => {
          if (message.type() !== 'error') return;
          seen.push(`console error: ${message.text()} (${message.location().url})`);
        });
        one.on('weberror', (error) => seen.push(`page error: ${error.error().stack ?? error.error().message}`));
      };
      watch(context);
      await use({ allow: (pattern) => void allowed.push(pattern), watch });
      expect(seen.filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
