/** Tabs of WebKit with one session, each in a process of its own, and a way to the provider that counts their refreshes. */
import { serveDemo } from '#scripts/serve-demo.ts';
import { serveChanged } from '../e2e/changed-demo.ts';
import type { Inbox } from '../e2e/fixtures.ts';
import { countRefreshes, type RefreshCounter } from '../e2e/refresh-counter.ts';
import { jumpIn, STEPPED_TIME } from '../e2e/stepped-time.ts';
import { compute, processOf } from '../e2e/tab-process.ts';
import { newAddress } from '../e2e/visitor.ts';
import { expect, PROVIDER } from './fixtures.ts';
import { askForCode, seeSignedIn } from './visitor.ts';
import type { Browser } from './webdriver.ts';

const TABS = 3;
/** By then every tab knows of the jump: the driver looks at one tab after the other. */
const TELLING_MS = 10_000;

/** Counts the refreshes that the page asks for, before any script of its own. */
const COUNT = `
  window.asked = 0;
  const ask = window.fetch.bind(window);
  window.fetch = (input, init) => {
    if (String(input?.url ?? input).endsWith('/sdk/v1/sessions/authenticate')) window.asked += 1;
    return ask(input, init);
  };`;

export interface Tab {
  readonly handle: string;
  readonly pid: number;
}

export class TabGroup {
  private constructor(
    private readonly webkit: Browser,
    private readonly address: string,
    readonly counter: RefreshCounter,
    private readonly tabs: readonly Tab[],
    readonly close: () => Promise<void>,
  ) {}

  static async open(webkit: Browser, inbox: Inbox): Promise<TabGroup> {
    const counter = await countRefreshes(PROVIDER);
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    const pages = await serveChanged(demo.url, { script: STEPPED_TIME + COUNT });
    const close = async (): Promise<void> => {
      counter.release();
      await Promise.all([counter.close(), pages.close(), demo.close()]);
    };
    const url = `${pages.url}/standalone`;
    const address = newAddress();
    await webkit.goto(url);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    // The first tab shows no page of the demo any more, so that each that counts is opened alike.
    await webkit.goto(`${pages.url}/config.json`);
    const tabs: Tab[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one tab after the other
    while (tabs.length < TABS) tabs.push(await openTab(webkit, url));
    expect(new Set(tabs.map(({ pid }) => pid)).size, 'each tab has a process').toBe(TABS);
    return new TabGroup(webkit, address, counter, tabs, close);
  }

  /** Moves the clocks of all tabs at one moment, by a cycle of refreshes unless told otherwise. */
  async skip(ms?: number): Promise<void> {
    const jump = jumpIn(TELLING_MS, ms);
    await this.runInEach('window.asked = 0; window.jumps.push(arguments[0])', jump);
    expect(Date.now(), 'every tab knows of the jump before it comes').toBeLessThan(jump.at);
    await expect.poll(() => Date.now(), { intervals: [50] }).toBeGreaterThan(jump.at);
  }

  /** Waits until the refresh of one tab is at the server, which holds it; returns that tab, and shows another. */
  async elect(): Promise<Tab> {
    const { counter, tabs, webkit } = this;
    counter.hold();
    await this.skip();
    await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(1);
    let elected: Tab | undefined;
    for (const tab of tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await webkit.toTab(tab.handle);
      // oxlint-disable-next-line no-await-in-loop
      if (await webkit.run<boolean>('return window.asked > 0')) elected = tab;
    }
    if (elected === undefined) throw new Error('no tab asked');
    await webkit.toTab(tabs.find((one) => one !== elected)?.handle ?? '');
    return elected;
  }

  /** Runs the body of a function in this tab, and goes to another. */
  async runIn(tab: Tab, script: string): Promise<void> {
    await this.webkit.toTab(tab.handle);
    await this.webkit.run(script);
    await this.webkit.toTab(this.tabs.find((one) => one !== tab)?.handle ?? '');
  }

  /** Waits until every tab rests, and is signed in. */
  async expectRest(...except: readonly Tab[]): Promise<void> {
    for (const tab of this.tabs.filter((one) => !except.includes(one))) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await this.webkit.toTab(tab.handle);
      // oxlint-disable-next-line no-await-in-loop
      await rest(this.webkit);
      // oxlint-disable-next-line no-await-in-loop
      await seeSignedIn(this.webkit, this.address);
    }
  }

  async runInEach(script: string, ...args: readonly unknown[]): Promise<void> {
    for (const { handle } of this.tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await this.webkit.toTab(handle);
      // oxlint-disable-next-line no-await-in-loop
      await this.webkit.run(script, ...args);
    }
  }
}

async function openTab(webkit: Browser, url: string): Promise<Tab> {
  const [, handle] = await webkit.newTab();
  await webkit.goto(url);
  await rest(webkit);
  return { handle, pid: await processOf(() => webkit.run(`return (${compute.toString()})()`)) };
}

const rest = async (webkit: Browser): Promise<unknown> => webkit.until('rest', 'return window.isAtRest?.() === true');
