import type { Browser, CDPSession, Page } from '@playwright/test';
import { serveDemo } from '../../scripts/serve-demo.ts';
import { SOAK } from '../soak.ts';
import { expect, test as base, type Inbox } from './fixtures.ts';
import { countRefreshes, type RefreshCounter } from './refresh-counter.ts';
import { rest, skipCycle, stepTimeOf } from './stepped-time.ts';
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
  pages: async ({ counter }, use) => {
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    await use(demo.url);
    await demo.close();
  },
});

interface Tab {
  readonly page: Page;
  readonly debuggerChannel: CDPSession;
  /** The refreshes that this tab has begun. */
  asked: number;
}

async function openTabs(browser: Browser, url: string, inbox: Inbox) {
  const context = await browser.newContext();
  await stepTimeOf(context);
  const tabs: Tab[] = [];
  const address = newAddress();
  for (let count = 0; count < 3; count += 1) {
    const page = await context.newPage();
    const tab: Tab = { page, debuggerChannel: await context.newCDPSession(page), asked: 0 };
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) tab.asked += 1;
    });
    await page.goto(`${url}/`);
    if (count === 0) {
      await askForCode(page, address);
      await codeField(page).fill(await inbox.codeFor(address));
    }
    await expectSignedIn(page, address);
    tabs.push(tab);
  }
  await rest(tabs.map(({ page }) => page));
  return { context, tabs, address };
}

/** What happens to the tab whose refresh is at the server. */
const FAULTS: Readonly<Record<string, (tab: Tab) => Promise<unknown>>> = {
  'is killed': async ({ page, debuggerChannel }) => {
    const crashed = page.waitForEvent('crash');
    void debuggerChannel.send('Page.crash').catch(() => undefined);
    await crashed;
  },
  // Nothing runs in the tab, and it keeps its lock. The engine freezes no tab that is visible, as those of a test are.
  'is frozen': async ({ debuggerChannel }) => {
    await debuggerChannel.send('Debugger.enable');
    const paused = new Promise((resolve) => debuggerChannel.once('Debugger.paused', resolve));
    await debuggerChannel.send('Debugger.pause');
    await paused;
  },
};

for (const [name, strike] of Object.entries(FAULTS)) {
  for (let round = 1; round <= (SOAK ? 40 : 1); round += 1) {
    test(
      `another tab takes over when the one that refreshes ${name}, round ${round}`,
      { tag: '@soak' },
      async ({ browser, counter, pages, inbox }) => {
        const { context, tabs, address } = await openTabs(browser, pages, inbox);
        for (const tab of tabs) tab.asked = 0;
        counter.hold();
        await skipCycle(tabs.map(({ page }) => page));
        await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(1);
        const elected = tabs.find(({ asked }) => asked > 0);
        if (elected === undefined) throw new Error('no tab asked');
        await strike(elected);
        counter.release();
        const others = tabs.filter((tab) => tab !== elected);
        const struck = Date.now();
        await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(2);
        expect(Date.now() - struck).toBeLessThan(TAKEOVER_MS);
        await rest(others.map(({ page }) => page));
        expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
        for (const { page } of others) await expectSignedIn(page, address);
        if (name === 'is frozen') {
          await elected.debuggerChannel.send('Debugger.resume');
          await rest(tabs.map(({ page }) => page));
          expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
        }
        await context.close();
      },
    );
  }
}

for (let round = 1; round <= (SOAK ? 20 : 1); round += 1) {
  test(
    `one tab asks again when the network is lost during a refresh and returns, round ${round}`,
    { tag: '@soak' },
    async ({ browser, counter, pages, inbox }) => {
      const { context, tabs, address } = await openTabs(browser, pages, inbox);
      counter.hold();
      await skipCycle(tabs.map(({ page }) => page));
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(1);
      await context.setOffline(true);
      counter.cut();
      counter.release();
      await expect.poll(() => counter.counts.open).toBe(0);
      await context.setOffline(false);
      const returned = Date.now();
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(2);
      expect(Date.now() - returned).toBeLessThan(TAKEOVER_MS);
      await rest(tabs.map(({ page }) => page));
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
      for (const { page } of tabs) await expectSignedIn(page, address);
      await context.close();
    },
  );
}

for (const [what, ms] of [
  ['a day of sleep', DAY_MS],
  ['a clock that was put back by a day', -DAY_MS],
] as const) {
  test(
    `after ${what} one tab asks, and the session is there`,
    { tag: '@soak' },
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
