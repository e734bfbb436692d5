/** The election of the tab that refreshes, with real processes of WebKit. */
import { DAY_MS, THROTTLE } from '../e2e/stepped-time.ts';
import { HAS_PROC } from '../e2e/tab-process.ts';
import { expect, test } from './fixtures.ts';
import { TabGroup, type Tab } from './tab-group.ts';

/** Ten seconds, and as much again for a busy machine. */
const TAKEOVER_MS = 20_000;

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

interface Fault {
  strike(tab: Tab, group: TabGroup): unknown;
  undo?(tab: Tab): unknown;
  /** WebKitWebDriver ends its session with the process of any tab. The others go on, which only the server sees. */
  readonly isBlinding?: boolean;
}

/** What happens to the tab whose refresh is at the server. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'is killed': { isBlinding: true, strike: ({ pid }) => process.kill(pid, 'SIGKILL') },
  'is frozen': {
    strike: ({ pid }) => process.kill(pid, 'SIGSTOP'),
    undo: ({ pid }) => process.kill(pid, 'SIGCONT'),
  },
  'is throttled to a minute and loses its connection': {
    async strike(tab, group) {
      await group.runIn(tab, THROTTLE);
      group.counter.cut();
    },
  },
};

for (const [name, { strike, undo, isBlinding = false }] of Object.entries(FAULTS)) {
  test(`another tab takes over when the one that refreshes ${name}`, { tag: '@soak' }, async ({ webkit, inbox }) => {
    const group = await TabGroup.open(webkit, inbox);
    const { counter } = group;
    const elected = await group.elect();
    try {
      await strike(elected, group);
      counter.release();
      const struck = Date.now();
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBe(2);
      const ms = Date.now() - struck;
      expect(ms).toBeLessThan(TAKEOVER_MS);
      test.info().annotations.push({ type: 'take-over', description: `${ms} ms` });
      await expect.poll(() => counter.counts.open).toBe(0);
      if (!isBlinding) await group.expectRest(elected);
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    } finally {
      undo?.(elected);
    }
    if (undo !== undefined) {
      await group.expectRest();
      expect(counter.counts).toEqual({ asked: 2, open: 0, most: 1 });
    }
    await group.close();
  });
}

test(
  'after a day of sleep, and a clock that is put back by a day, one tab asks, and the session is there',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const group = await TabGroup.open(webkit, inbox);
    const { counter } = group;
    for (const ms of [DAY_MS, -DAY_MS]) {
      counter.hold();
      counter.release();
      /* oxlint-disable no-await-in-loop -- one jump after the other */
      await group.skip(ms);
      // What each tab is told when a device wakes up; only a visible one is told that it is looked at.
      await group.runInEach("dispatchEvent(new Event('online'))");
      await expect.poll(() => counter.counts.asked, { intervals: [20] }).toBeGreaterThan(0);
      await expect.poll(() => counter.counts.open).toBe(0);
      expect(counter.counts.most).toBe(1);
      await group.expectRest();
      /* oxlint-enable no-await-in-loop */
    }
    await group.close();
  },
);
