/** The election of the tab that refreshes, with real processes of WebKit. */
import { serveDemo } from '../../scripts/serve-demo.ts';
import { serveChanged } from '../e2e/changed-demo.ts';
import { countRefreshes } from '../e2e/refresh-counter.ts';
import { cycleIn, STEPPED_TIME } from '../e2e/stepped-time.ts';
import { compute, HAS_PROC, processOf } from '../e2e/tab-process.ts';
import { newAddress } from '../e2e/visitor.ts';
import { expect, PROVIDER, test } from './fixtures.ts';
import { askForCode, seeSignedIn } from './visitor.ts';
import type { Browser } from './webdriver.ts';

/** Ten seconds, and as much again for a busy machine. */
const TAKEOVER_MS = 20_000;
/** By then every tab knows of the jump. */
const TELLING_MS = 10_000;
const TABS = 3;

/** Counts the refreshes that the page asks for, before any script of its own. */
const COUNT = `
  window.asked = 0;
  const ask = window.fetch.bind(window);
  window.fetch = (input, init) => {
    if (String(input?.url ?? input).endsWith('/sdk/v1/sessions/authenticate')) window.asked += 1;
    return ask(input, init);
  };`;

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

interface Tab {
  readonly handle: string;
  readonly pid: number;
}

async function openTab(webkit: Browser, url: string): Promise<Tab> {
  const [, handle] = await webkit.newTab();
  await webkit.goto(url);
  await rest(webkit);
  return { handle, pid: await processOf(() => webkit.run(`return (${compute.toString()})()`)) };
}

const rest = async (webkit: Browser): Promise<unknown> => webkit.until('rest', 'return window.isAtRest?.() === true');

for (const [name, signal] of [
  ['is killed', 'SIGKILL'],
  ['is frozen', 'SIGSTOP'],
] as const) {
  test(`another tab takes over when the one that refreshes ${name}`, { tag: '@soak' }, async ({ webkit, inbox }) => {
    const counter = await countRefreshes(PROVIDER);
    const demo = await serveDemo({ port: 0, providerUrl: counter.url });
    const pages = await serveChanged(demo.url, { script: STEPPED_TIME + COUNT });
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

    counter.hold();
    const jump = cycleIn(TELLING_MS);
    for (const { handle } of tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await webkit.toTab(handle);
      // oxlint-disable-next-line no-await-in-loop
      await webkit.run('window.asked = 0; window.jumps.push(arguments[0])', jump);
    }
    await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(1);
    let elected: Tab | undefined;
    for (const tab of tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await webkit.toTab(tab.handle);
      // oxlint-disable-next-line no-await-in-loop
      if (await webkit.run<boolean>('return window.asked > 0')) elected = tab;
    }
    if (elected === undefined) throw new Error('no tab asked');
    const others = tabs.filter((tab) => tab !== elected);
    await webkit.toTab(others[0]?.handle ?? '');
    const struck = Date.now();
    try {
      process.kill(elected.pid, signal);
      counter.release();
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(2);
      const ms = Date.now() - struck;
      expect(ms).toBeLessThan(TAKEOVER_MS);
      test.info().annotations.push({ type: 'take-over', description: `${ms} ms` });
      for (const { handle } of others) {
        // oxlint-disable-next-line no-await-in-loop -- one tab after the other
        await webkit.toTab(handle);
        // oxlint-disable-next-line no-await-in-loop
        await rest(webkit);
        // oxlint-disable-next-line no-await-in-loop
        await seeSignedIn(webkit, address);
      }
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    } finally {
      if (signal === 'SIGSTOP') process.kill(elected.pid, 'SIGCONT');
    }
    await Promise.all([counter.close(), pages.close(), demo.close()]);
  });
}
