/** Three tabs with one session, each in a process of its own, and a way to the provider that counts their refreshes. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { serveDemo } from '../../scripts/serve-demo.ts';
import { expect, type Inbox } from './fixtures.ts';
import { countRefreshes, type RefreshCounter } from './refresh-counter.ts';
import { openTabLike, rest, skipCycle, stepTimeOf } from './stepped-time.ts';
import { processOf } from './tab-process.ts';
import { askForCode, codeField, expectSignedIn, newAddress } from './visitor.ts';

const TABS = 3;

export interface Tab {
  readonly page: Page;
  readonly pid: number;
  /** The refreshes that this tab has begun since the last election. */
  asked: number;
}

export class TabGroup {
  private constructor(
    private readonly url: string,
    private readonly address: string,
    readonly context: BrowserContext,
    readonly counter: RefreshCounter,
    private tabs: readonly Tab[],
    private readonly closeDemo: () => Promise<void>,
  ) {}

  static async open(
    browser: Browser,
    site: { providerUrl: string; demoPath: string },
    inbox: Inbox,
  ): Promise<TabGroup> {
    const counter = await countRefreshes(site.providerUrl);
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    const url = `${demo.url}${site.demoPath}`;
    const context = await browser.newContext();
    await stepTimeOf(context);
    const address = newAddress();
    const group = new TabGroup(url, address, context, counter, [], demo.close);
    const first = await context.newPage();
    await first.goto(url);
    await askForCode(first, address);
    await codeField(first).fill(await inbox.codeFor(address));
    await group.add(first);
    while (group.tabs.length < TABS) {
      const page = await context.newPage();
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await page.goto(url);
      // oxlint-disable-next-line no-await-in-loop
      await group.add(page);
    }
    return group;
  }

  get pages(): readonly Page[] {
    return this.tabs.map(({ page }) => page);
  }

  /** Waits until every tab rests, and is signed in. */
  async expectRest(except?: Tab): Promise<void> {
    const pages = this.tabs.filter((tab) => tab !== except).map(({ page }) => page);
    await rest(pages);
    for (const page of pages) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await expectSignedIn(page, this.address);
    }
  }

  /** Waits until the refresh of one tab is at the server, which holds it. */
  async elect(): Promise<Tab> {
    for (const tab of this.tabs) tab.asked = 0;
    this.counter.hold();
    await skipCycle(this.pages);
    await expect.poll(() => this.counter.counts.asked, { intervals: [20] }).toBe(1);
    await expect.poll(() => this.tabs.filter(({ asked }) => asked > 0).length, { intervals: [20] }).toBe(1);
    const elected = this.tabs.find(({ asked }) => asked > 0);
    if (elected === undefined) throw new Error('no tab asked');
    return elected;
  }

  /** Closes a tab, and opens another in its place. */
  async replace(tab: Tab): Promise<void> {
    this.tabs = this.tabs.filter((one) => one !== tab);
    const [other] = this.pages;
    if (other === undefined) throw new Error('no tab is left');
    await tab.page.close();
    const page = await openTabLike(other);
    await page.goto(this.url);
    await this.add(page);
  }

  async close(): Promise<void> {
    this.counter.release();
    await this.context.close();
    await Promise.all([this.counter.close(), this.closeDemo()]);
  }

  private async add(page: Page): Promise<void> {
    await expectSignedIn(page, this.address);
    await rest([page]);
    const tab: Tab = { page, pid: await alone(() => processOf(page)), asked: 0 };
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) tab.asked += 1;
    });
    this.tabs = [...this.tabs, tab];
    expect(new Set(this.tabs.map(({ pid }) => pid)).size, 'each tab has a process').toBe(this.tabs.length);
  }
}

/** Only one tab is measured at a time. */
let last: Promise<unknown> = Promise.resolve();
function alone<T>(task: () => Promise<T>): Promise<T> {
  const done = last.then(task);
  last = done.catch(() => undefined);
  return done;
}
