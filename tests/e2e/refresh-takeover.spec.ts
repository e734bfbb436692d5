import { fileURLToPath } from 'node:url';
import { SOAK } from '../soak.ts';
import { expect, test } from './fixtures.ts';
import type { RefreshCounter } from './refresh-counter.ts';
import { skipCycle, throttle } from './stepped-time.ts';
import { TabGroup, type Tab } from './tab-group.ts';
import { HAS_PROC } from './tab-process.ts';

const DAY_MS = 86_400_000;
/** Ten seconds, and as much again for a busy machine. */
const TAKEOVER_MS = 20_000;
/** Groups of tabs that play at the same time, because a round waits for most of its time. */
const GROUPS = SOAK ? 5 : 1;
const TIMEOUT_MS = 1_200_000;

const MORTAL_FIREFOX = fileURLToPath(new URL('firefox-with-mortal-tabs.sh', import.meta.url));
// As Playwright starts it, Firefox ends when the process of a tab is killed, and it gives four processes to a site.
test.use({
  launchOptions: async ({ browserName, launchOptions }, use) => {
    const env = { ...process.env, FIREFOX_PROGRAM: launchOptions.executablePath ?? '' } as Record<string, string>;
    const firefoxUserPrefs = { 'dom.ipc.processCount.webIsolated': 64 };
    const mortal = { ...launchOptions, executablePath: MORTAL_FIREFOX, env, firefoxUserPrefs };
    await use(browserName === 'firefox' ? mortal : launchOptions);
  },
});

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

/** Plays so many rounds, or one without SOAK: a round returns how long the take-over took, in milliseconds. The report shows their median and worst. */
type Play = (title: string, tag: string[], count: number, round: (group: TabGroup) => Promise<number | null>) => void;
const play: Play = (title, tag, count, round) => {
  test(`${title} (${SOAK ? count : 1})`, { tag }, async ({ browser, providerUrl, demoPath, inbox }) => {
    test.setTimeout(TIMEOUT_MS);
    const times: number[] = [];
    const playAll = async (): Promise<void> => {
      const group = await TabGroup.open(browser, { providerUrl, demoPath }, inbox);
      for (let left = SOAK ? count / GROUPS : 1; left > 0; left -= 1) {
        // oxlint-disable-next-line no-await-in-loop -- one round after the other
        const ms = await round(group);
        if (ms !== null) times.push(ms);
      }
      await group.close();
    };
    await Promise.all(Array.from({ length: GROUPS }, playAll));
    const sorted = times.sort((one, other) => one - other);
    if (sorted.length === 0) return;
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    const description = `${sorted.length} rounds, median ${median} ms, worst ${worst} ms`;
    test.info().annotations.push({ type: 'take-over', description });
  });
};

/** Waits for the second refresh, and returns how long it took, in milliseconds. */
async function expectTakeover({ counts }: RefreshCounter): Promise<number> {
  const struck = Date.now();
  await expect.poll(() => counts.asked, { intervals: [20] }).toBe(2);
  const ms = Date.now() - struck;
  expect(ms).toBeLessThan(TAKEOVER_MS);
  await expect.poll(() => counts.open).toBe(0);
  return ms;
}

interface Fault {
  /** The rounds of a soak. */
  readonly count: number;
  strike(tab: Tab, counter: RefreshCounter): unknown;
  undo?(tab: Tab): void;
}

/** What happens to the tab whose refresh is at the server. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'is killed': { count: 30, strike: ({ pid }) => process.kill(pid, 'SIGKILL') },
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

for (const [name, { count, strike, undo }] of Object.entries(FAULTS)) {
  play(`another tab takes over when the one that refreshes ${name}`, ['@soak', '@every'], count, async (group) => {
    const { counter } = group;
    const elected = await group.elect();
    let ms = 0;
    try {
      await strike(elected, counter);
      counter.release();
      ms = await expectTakeover(counter);
      await group.expectRest(elected);
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    } finally {
      undo?.(elected);
    }
    if (undo === undefined) await group.replace(elected);
    else {
      await group.expectRest();
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    }
    return ms;
  });
}

play(
  'one tab asks again when the network is lost during a refresh and returns',
  ['@soak', '@every'],
  20,
  async (group) => {
    const { counter, context } = group;
    await group.elect();
    await context.setOffline(true);
    counter.cut();
    counter.release();
    await expect.poll(() => counter.counts.open).toBe(0);
    await context.setOffline(false);
    const ms = await expectTakeover(counter);
    await group.expectRest();
    expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    return ms;
  },
);

play(
  'after a day of sleep, and a clock that is put back by a day, one tab asks, and the session is there',
  ['@soak', '@every'],
  5,
  async (group) => {
    const { counter, pages } = group;
    for (const ms of [DAY_MS, -DAY_MS]) {
      counter.hold();
      counter.release();
      await skipCycle(pages, ms);
      // A browser that wakes up reports it in each tab, more than once.
      for (const page of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBeGreaterThan(0);
      await expect.poll(() => counter.counts.open).toBe(0);
      expect(counter.counts.most).toBe(1);
      await group.expectRest();
    }
    return null;
  },
);
