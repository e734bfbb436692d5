import type { Browser, Page } from '@playwright/test';
import { serveDemo } from '../../scripts/serve-demo.ts';
import { SOAK } from '../soak.ts';
import { expect, test as base, type Inbox } from './fixtures.ts';
import { countRefreshes, type RefreshCounter } from './refresh-counter.ts';
import { rest, skipCycle, stepTimeOf, throttle } from './stepped-time.ts';
import { HAS_PROC, processOf } from './tab-process.ts';
import { askForCode, codeField, expectSignedIn, newAddress } from './visitor.ts';

const DAY_MS = 86_400_000;
/** Ten seconds, and as much again for a busy machine. */
const TAKEOVER_MS = 20_000;

const test = base.extend<{ readonly counter: RefreshCounter; readonly pages: string }>({
  counter: async ({ providerUrl }, use) => {
    const counter = await countRefreshes(providerUrl);
    await use(counter);
    counter.release();
    await counter.close();
  },
  pages: async ({ counter, demoPath }, use) => {
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    await use(`${demo.url}${demoPath}`);
    await demo.close();
  },
});

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

interface Tab {
  readonly page: Page;
  readonly pid: number;
  /** The refreshes that this tab has begun. */
  asked: number;
}

/** Opens three tabs with one session, each in a process of its own. */
async function openTabs(browser: Browser, url: string, inbox: Inbox) {
  const context = await browser.newContext();
  await stepTimeOf(context);
  const pages: Page[] = [];
  const address = newAddress();
  for (let count = 0; count < 3; count += 1) {
    const page = await context.newPage();
    await page.goto(url);
    if (count === 0) {
      await askForCode(page, address);
      await codeField(page).fill(await inbox.codeFor(address));
    }
    await expectSignedIn(page, address);
    pages.push(page);
  }
  await rest(pages);
  const tabs: Tab[] = [];
  for (const page of pages) {
    const tab: Tab = { page, pid: await processOf(page), asked: 0 };
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) tab.asked += 1;
    });
    tabs.push(tab);
  }
  expect(new Set(tabs.map(({ pid }) => pid)).size, 'each tab has a process').toBe(3);
  return { context, tabs, address };
}

interface Fault {
  /** The rounds of a soak. */
  readonly count: number;
  /** Whether Chromium alone plays it. */
  readonly isForChromium?: boolean;
  strike(tab: Tab, counter: RefreshCounter): unknown;
  undo?(tab: Tab): void;
}

/** What happens to the tab whose refresh is at the server. */
const FAULTS: Readonly<Record<string, Fault>> = {
  // Firefox, as Playwright starts it, ends as a whole when the process of a tab is killed.
  'is killed': { count: 30, isForChromium: true, strike: ({ pid }) => process.kill(pid, 'SIGKILL') },
  // Nothing runs in the tab, and it keeps its lock.
  'is frozen': {
    count: 30,
    strike: ({ pid }) => process.kill(pid, 'SIGSTOP'),
    undo: ({ pid }) => void process.kill(pid, 'SIGCONT'),
  },
  'is throttled to a minute and loses its connection': {
    count: 10,
    async strike({ page }, counter) {
      await throttle(page);
      counter.cut();
    },
  },
};

/** The rounds of this fault: one without SOAK, so that a run by hand is short. */
const rounds = (count: number): readonly number[] => Array.from({ length: SOAK ? count : 1 }, (_, at) => at + 1);

/** Waits for the second refresh, and notes how long it took in the report. */
async function expectTakeover({ counts }: RefreshCounter): Promise<void> {
  const struck = Date.now();
  await expect.poll(() => counts.asked, { intervals: [20] }).toBe(2);
  const ms = Date.now() - struck;
  test.info().annotations.push({ type: 'takeover', description: `${ms} ms` });
  expect(ms).toBeLessThan(TAKEOVER_MS);
  await expect.poll(() => counts.open).toBe(0);
}

/** Waits until the refresh of one tab is at the server, which holds it. */
async function electedOf(tabs: readonly Tab[], counter: RefreshCounter): Promise<Tab> {
  for (const tab of tabs) tab.asked = 0;
  counter.hold();
  await skipCycle(tabs.map(({ page }) => page));
  await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(1);
  await expect.poll(() => tabs.filter(({ asked }) => asked > 0).length, { intervals: [20] }).toBe(1);
  const elected = tabs.find(({ asked }) => asked > 0);
  if (elected === undefined) throw new Error('no tab asked');
  return elected;
}

for (const [name, { count, isForChromium = false, strike, undo }] of Object.entries(FAULTS)) {
  for (const round of rounds(count)) {
    test(
      `another tab takes over when the one that refreshes ${name}, round ${round}`,
      { tag: isForChromium ? '@soak' : ['@soak', '@every'] },
      async ({ browser, counter, pages, inbox }) => {
        const { context, tabs, address } = await openTabs(browser, pages, inbox);
        const elected = await electedOf(tabs, counter);
        const others = tabs.filter((tab) => tab !== elected);
        try {
          await strike(elected, counter);
          counter.release();
          await expectTakeover(counter);
          await rest(others.map(({ page }) => page));
          expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
          for (const { page } of others) await expectSignedIn(page, address);
        } finally {
          undo?.(elected);
        }
        if (undo !== undefined) {
          await rest(tabs.map(({ page }) => page));
          expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
        }
        await context.close();
      },
    );
  }
}

for (const round of rounds(20)) {
  test(
    `one tab asks again when the network is lost during a refresh and returns, round ${round}`,
    { tag: ['@soak', '@every'] },
    async ({ browser, counter, pages, inbox }) => {
      const { context, tabs, address } = await openTabs(browser, pages, inbox);
      await electedOf(tabs, counter);
      await context.setOffline(true);
      counter.cut();
      counter.release();
      await expect.poll(() => counter.counts.open).toBe(0);
      await context.setOffline(false);
      await expectTakeover(counter);
      await rest(tabs.map(({ page }) => page));
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
      for (const { page } of tabs) await expectSignedIn(page, address);
      await context.close();
    },
  );
}

for (const [what, ms, round] of rounds(5).flatMap(
  (count) =>
    [
      ['a day of sleep', DAY_MS, count],
      ['a clock that was put back by a day', -DAY_MS, count],
    ] as const,
)) {
  test(
    `after ${what} one tab asks, and the session is there, round ${round}`,
    { tag: ['@soak', '@every'] },
    async ({ browser, counter, pages, inbox }) => {
      const { context, tabs, address } = await openTabs(browser, pages, inbox);
      counter.hold();
      counter.release();
      await skipCycle(
        tabs.map(({ page }) => page),
        ms,
      );
      // A browser that wakes up reports it in each tab, more than once.
      for (const { page } of tabs) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBeGreaterThan(0);
      await expect.poll(() => counter.counts.open).toBe(0);
      expect(counter.counts.most).toBe(1);
      for (const { page } of tabs) await expectSignedIn(page, address);
      await context.close();
    },
  );
}
