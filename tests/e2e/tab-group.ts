/** Tabs with one session, each in a process of its own, on one host or several, and a way to the provider that counts their refreshes. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { serveDemo } from '#scripts/serve-demo.ts';
import { expect, type Inbox } from './fixtures.ts';
import { countRefreshes, type RefreshCounter } from './refresh-counter.ts';
import { openTabLike, rest, skipCycle, stepTimeOf } from './stepped-time.ts';
import { compute, processOf } from './tab-process.ts';
import { askForCode, codeField, expectSignedIn, newAddress } from './visitor.ts';

/** Where the pages and the API are. */
export interface Place {
  readonly providerUrl: string;
  readonly demoPath: string;
  /** The host of each tab. The first tab signs in. */
  readonly hosts: readonly string[];
  /** The host of the API. */
  readonly apiHost: string;
}

/** Three tabs of one host. */
export const ONE_HOST = { hosts: ['localhost', 'localhost', 'localhost'], apiHost: 'localhost' };

export interface Tab {
  /** The origin of its page. */
  readonly origin: string;
  readonly page: Page;
  readonly pid: number;
  /** The refreshes that this tab has begun since the last election. */
  asked: number;
}

export class TabGroup {
  private constructor(
    private readonly demoPath: string,
    private readonly address: string,
    readonly context: BrowserContext,
    readonly counter: RefreshCounter,
    private tabs: readonly Tab[],
    private readonly closeDemo: () => Promise<void>,
  ) {}

  static async open(
    browser: Browser,
    { providerUrl, demoPath, hosts, apiHost }: Place,
    inbox: Inbox,
  ): Promise<TabGroup> {
    const counter = await countRefreshes(providerUrl, apiHost);
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    const context = await browser.newContext();
    await stepTimeOf(context);
    const address = newAddress();
    const group = new TabGroup(demoPath, address, context, counter, [], demo.close);
    /* oxlint-disable no-await-in-loop -- one tab after the other */
    for (const host of hosts) {
      const page = await context.newPage();
      const origin = demo.url.replace('localhost', host);
      await page.goto(`${origin}${demoPath}`);
      if (group.tabs.length === 0) {
        await askForCode(page, address);
        await codeField(page).fill(await inbox.codeFor(address));
      }
      await group.add(page, origin);
    }
    /* oxlint-enable no-await-in-loop */
    return group;
  }

  get pages(): readonly Page[] {
    return this.tabs.map(({ page }) => page);
  }

  /** Those of the tabs, each once. */
  get origins(): readonly string[] {
    return [...new Set(this.tabs.map(({ origin }) => origin))];
  }

  pagesBut(...except: readonly Tab[]): readonly Page[] {
    return this.tabs.filter((tab) => !except.includes(tab)).map(({ page }) => page);
  }

  /** Waits until every tab rests, and is signed in. */
  async expectRest(...except: readonly Tab[]): Promise<void> {
    const pages = this.pagesBut(...except);
    await rest(pages);
    for (const page of pages) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await expectSignedIn(page, this.address);
    }
  }

  /** Waits until the refresh of one tab of each host is at the server, which holds them; returns that tab of the first host. */
  async elect(): Promise<Tab> {
    const { origins } = this;
    for (const tab of this.tabs) tab.asked = 0;
    this.counter.hold();
    await skipCycle(this.pages);
    const asking = (): readonly Tab[] => this.tabs.filter(({ asked }) => asked > 0);
    await expect.poll(() => this.counter.counts.asked, { intervals: [20] }).toBe(origins.length);
    await expect.poll(() => asking().map(({ origin }) => origin), { intervals: [20] }).toEqual(origins);
    const [elected] = asking();
    if (elected === undefined) throw new Error('no tab asked');
    return elected;
  }

  /** Closes a tab, and opens another in its place. */
  async replace(tab: Tab): Promise<void> {
    const place = this.tabs.indexOf(tab);
    this.tabs = this.tabs.filter((one) => one !== tab);
    const [other] = this.pages;
    if (other === undefined) throw new Error('no tab is left');
    await tab.page.close();
    const page = await openTabLike(other);
    await page.goto(`${tab.origin}${this.demoPath}`);
    await this.add(page, tab.origin, place);
  }

  async close(): Promise<void> {
    this.counter.release();
    await this.context.close();
    await Promise.all([this.counter.close(), this.closeDemo()]);
  }

  private async add(page: Page, origin: string, place = this.tabs.length): Promise<void> {
    await expectSignedIn(page, this.address);
    await rest([page]);
    const tab: Tab = { origin, page, pid: await alone(() => processOf(() => page.evaluate(compute))), asked: 0 };
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) tab.asked += 1;
    });
    this.tabs = [...this.tabs.slice(0, place), tab, ...this.tabs.slice(place)];
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
