/** The time of all tabs of a browser, which a test moves on at one moment. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const CYCLE_MS = 180_000;
export const DAY_MS = 86_400_000;

interface Jump {
  readonly at: number;
  readonly ms: number;
}

interface SteppedWindow {
  readonly jumps: Jump[];
  /** Whether the timer of the next refresh is set, and no long timer is late. */
  isAtRest(): boolean;
  /** How long each new timer takes at least, in milliseconds: 60,000 in a tab that its browser throttles. */
  leastMs: number;
}

/**
 * A clock that runs as ever, but jumps at the moments in `jumps`. Those are told to every tab beforehand,
 * so that all tabs agree on the time at every moment, as they do in a browser; a clock that is faked tab by tab would
 * not.
 */
function stepTime(cycleMs: number): void {
  const now = Date.now.bind(Date);
  const after = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  // A tab that is opened later is told those of the others, before or after this function runs.
  const { jumps = [] } = window as Partial<SteppedWindow>;
  const timed = Object.assign(window, { jumps, leastMs: 0 });
  const faked = (): number => {
    const at = now();
    return jumps.reduce((sum, jump) => (jump.at <= at ? sum + jump.ms : sum), at);
  };
  Date.now = faked;
  const waiting = new Map<number, { readonly due: number; readonly ms: number; readonly task: () => void }>();
  let last = 2 ** 40;
  const later = (task: () => void, ms = 0): number => {
    if (ms < cycleMs / 6) return after(task, Math.max(ms, timed.leastMs));
    last += 1;
    waiting.set(last, { due: faked() + ms, ms, task });
    return last;
  };
  const isAtRest = (): boolean => {
    const timers = [...waiting.values()];
    // Others are the time-outs of a request or a lock, and the end of the session.
    const isNext = timers.some(({ ms }) => ms > cycleMs / 2 && ms < 2 * cycleMs);
    return isNext && timers.every(({ due }) => due > faked());
  };
  Object.assign(window, { isAtRest });
  window.setTimeout = later as typeof window.setTimeout;
  window.clearTimeout = (id) => {
    if (!waiting.delete(Number(id))) cancel(id);
  };
  setInterval(() => {
    for (const [id, { due, task }] of waiting) {
      if (due > faked()) continue;
      waiting.delete(id);
      task();
    }
  }, 10);
}

/** For a browser whose pages have this clock by a script of their own. */
export const STEPPED_TIME = `(${stepTime.toString()})(${CYCLE_MS});`;

/** A jump so many milliseconds from now, by a cycle of refreshes unless told otherwise. */
export const jumpIn = (soonMs: number, ms = CYCLE_MS): Jump => ({ at: Date.now() + soonMs, ms });

/** Every page that the context opens from now on has this clock. */
export async function stepTimeOf(context: BrowserContext): Promise<void> {
  await context.addInitScript(stepTime, CYCLE_MS);
}

/** Opens a tab whose clock is that of another one. */
export async function openTabLike(tab: Page): Promise<Page> {
  const known = await tab.evaluate(() => (window as unknown as SteppedWindow).jumps);
  const opened = await tab.context().newPage();
  const tell = (jumps: Jump[]): void => {
    const timed = window as unknown as { jumps?: Jump[] };
    (timed.jumps ??= []).push(...jumps);
  };
  await opened.addInitScript(tell, known);
  return opened;
}

/** Throttles the timers of a tab to one a minute, as browsers do with one that is hidden for long. */
export const THROTTLE = 'window.leastMs = 60_000;';
export async function throttle(tab: Page): Promise<void> {
  await tab.evaluate(THROTTLE);
}

/** Waits until every tab has refreshed, or has seen that another did. */
export async function rest(tabs: readonly Page[]): Promise<void> {
  const isAtRest = (tab: Page) => tab.evaluate(() => (window as unknown as SteppedWindow).isAtRest());
  const areAtRest = async () => (await Promise.all(tabs.map(isAtRest))).every(Boolean);
  await expect.poll(areAtRest, { intervals: [50] }).toBe(true);
}

/** Moves the clocks of all tabs at one moment, by a cycle of refreshes unless told otherwise. */
export async function skipCycle(tabs: readonly Page[], ms = CYCLE_MS): Promise<void> {
  const start = Date.now();
  await rest(tabs);
  // Many times what it took to look at every tab.
  const jump = jumpIn(2_000 + 20 * (Date.now() - start), ms);
  const plan = (one: Jump): void => void (window as unknown as SteppedWindow).jumps.push(one);
  await Promise.all(tabs.map((tab) => tab.evaluate(plan, jump)));
  expect(Date.now(), 'every tab knows of the jump before it comes').toBeLessThan(jump.at);
  await expect.poll(() => Date.now(), { intervals: [50] }).toBeGreaterThan(jump.at);
}
