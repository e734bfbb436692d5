import { SOAK } from '../soak.ts';
import { expect, test } from './fixtures.ts';
import type { RefreshCounter } from './refresh-counter.ts';
import { DAY_MS, skipCycle, throttle } from './stepped-time.ts';
import { ONE_HOST, type Tab } from './tab-group.ts';
import { HAS_PROC } from './tab-process.ts';
import {
  expectOneEach,
  expectTakeover,
  freeze,
  kill,
  playRounds,
  ROUNDS_TIMEOUT_MS,
  thaw,
  withMortalTabs,
  type Rounds,
} from './takeover-rounds.ts';

const GROUPS = 5;

test.use({
  launchOptions: async ({ browserName, launchOptions }, use) => use(withMortalTabs(browserName, launchOptions)),
});

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

function play(title: string, tag: string[], count: number, round: Rounds['round']): void {
  test(`${title} (${SOAK ? count : 1})`, { tag }, async ({ browser, providerUrl, demoPath, inbox }) => {
    test.setTimeout(ROUNDS_TIMEOUT_MS);
    const place = { providerUrl, demoPath, ...ONE_HOST };
    await playRounds({ browser, inbox, place }, { count, groups: GROUPS, round });
  });
}

interface Fault {
  /** The rounds of a soak. */
  readonly count: number;
  strike(tab: Tab, counter: RefreshCounter): unknown;
  undo?(tab: Tab): unknown;
}

/** What happens to the tab whose refresh is at the server. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'is killed': { count: 30, strike: kill },
  'is frozen': { count: 30, strike: freeze, undo: thaw },
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
      ms = await expectTakeover(counter.counts);
      await group.expectRest(elected);
      expectOneEach(group);
    } finally {
      undo?.(elected);
    }
    if (undo === undefined) await group.replace(elected);
    else {
      await group.expectRest();
      expectOneEach(group);
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
    const ms = await expectTakeover(counter.counts);
    await group.expectRest();
    expectOneEach(group);
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
