/** Rounds in which something happens to the tab whose refresh is at the server, and another takes over. */
import { fileURLToPath } from 'node:url';
import type { Browser, LaunchOptions } from '@playwright/test';
import { SOAK } from '../soak.ts';
import { expect, test, type Inbox } from './fixtures.ts';
import type { RefreshCounts } from './refresh-counter.ts';
import { TabGroup, type Place, type Tab } from './tab-group.ts';

/** Ten seconds, and as much again for a busy machine. */
const TAKEOVER_MS = 20_000;
export const ROUNDS_TIMEOUT_MS = 1_200_000;

const MORTAL_FIREFOX = fileURLToPath(new URL('firefox-with-mortal-tabs.sh', import.meta.url));

/**
 * As Playwright starts it, Firefox ends when the process of a tab is killed, it gives four processes to a site, and it keeps processes
 * without a tab, which look like one of a tab while they start.
 */
export function withMortalTabs(browserName: string, launchOptions: LaunchOptions): LaunchOptions {
  if (browserName !== 'firefox') return launchOptions;
  const env = { ...process.env, FIREFOX_PROGRAM: launchOptions.executablePath ?? '' } as Record<string, string>;
  const firefoxUserPrefs = { 'dom.ipc.processCount.webIsolated': 64, 'dom.ipc.processPrelaunch.enabled': false };
  return { ...launchOptions, executablePath: MORTAL_FIREFOX, env, firefoxUserPrefs };
}

export interface Rounds {
  /** The rounds of a soak; one is played without. */
  readonly count: number;
  /** Groups of tabs that play at the same time in a soak, because a round waits for most of its time. */
  readonly groups: number;
  /** Returns how long the take-over took, in milliseconds, where there is one. */
  readonly round: (group: TabGroup) => Promise<number | null>;
}

/** Plays the rounds. The report shows the median and the worst of the take-overs. */
export async function playRounds(
  { browser, inbox, place }: { readonly browser: Browser; readonly inbox: Inbox; readonly place: Place },
  { count, groups, round }: Rounds,
): Promise<void> {
  const times: number[] = [];
  const playAll = async (): Promise<void> => {
    const group = await TabGroup.open(browser, place, inbox);
    for (let left = SOAK ? count / groups : 1; left > 0; left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      const ms = await round(group);
      if (ms !== null) times.push(ms);
    }
    await group.close();
  };
  await Promise.all(Array.from({ length: SOAK ? groups : 1 }, playAll));
  const sorted = times.sort((one, other) => one - other);
  if (sorted.length === 0) return;
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const description = `${sorted.length} rounds, median ${median} ms, worst ${worst} ms`;
  test.info().annotations.push({ type: 'take-over', description });
}

/** Waits for the second refresh, and returns how long it took, in milliseconds. */
export async function expectTakeover(counts: RefreshCounts): Promise<number> {
  const struck = Date.now();
  await expect.poll(() => counts.asked, { intervals: [20] }).toBe(2);
  const ms = Date.now() - struck;
  expect(ms).toBeLessThan(TAKEOVER_MS);
  await expect.poll(() => counts.open).toBe(0);
  return ms;
}

/**
 * Two refreshes, never at once. On a busy machine, tabs of Firefox hear of each other's writes later than they wait for them, and one may
 * ask once more, perhaps during the other refresh: nobody loses anything by it, as all have the same session in the end.
 */
export function expectOneEach({ counter, context }: Pick<TabGroup, 'counter' | 'context'>): void {
  const { asked, most, open } = counter.counts;
  const isFirefox = context.browser()?.browserType().name() === 'firefox';
  expect(open).toBe(0);
  expect(isFirefox ? [2, 3] : [2]).toContain(asked);
  expect(asked === 3 ? [1, 2] : [1]).toContain(most);
}

export const kill = ({ pid }: Tab): unknown => process.kill(pid, 'SIGKILL');
/** Nothing runs in the tab, and it keeps its lock. */
export const freeze = ({ pid }: Tab): unknown => process.kill(pid, 'SIGSTOP');
export const thaw = ({ pid }: Tab): unknown => process.kill(pid, 'SIGCONT');
