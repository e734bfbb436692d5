import type { Page } from '@playwright/test';
import { SOAK } from '../soak.ts';
import { expect, test } from './fixtures.ts';
import { askForCode, codeField, expectSignedIn, expectSignedOut, logOut, newAddress } from './visitor.ts';

const TABS = SOAK ? 10 : 3;
const CYCLE_MS = 180_000;

interface SteppedWindow {
  readonly jumps: number[];
  /** Whether the timer of the next refresh is set, and no long timer is late. */
  isAtRest(): boolean;
}

/**
 * A clock that runs as ever, but skips a whole cycle at the moments in `jumps`. Those are told to every tab beforehand,
 * so that all tabs agree on the time at every moment, as they do in a browser; a clock that is faked tab by tab would
 * not.
 */
function stepTime(cycleMs: number): void {
  const now = Date.now.bind(Date);
  const after = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  const jumps: number[] = [];
  Object.assign(window, { jumps });
  const faked = (): number => {
    const at = now();
    return at + cycleMs * jumps.filter((jump) => jump <= at).length;
  };
  Date.now = faked;
  const waiting = new Map<number, { readonly due: number; readonly ms: number; readonly task: () => void }>();
  let last = 2 ** 40;
  const later = (task: () => void, ms = 0): number => {
    if (ms < cycleMs / 6) return after(task, ms);
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

/** Waits until every tab has refreshed, or has seen that another did. */
async function rest(tabs: readonly Page[]): Promise<void> {
  const isAtRest = (tab: Page) => tab.evaluate(() => (window as unknown as SteppedWindow).isAtRest());
  const areAtRest = async () => (await Promise.all(tabs.map(isAtRest))).every(Boolean);
  await expect.poll(areAtRest, { intervals: [50] }).toBe(true);
}

async function skipCycle(tabs: readonly Page[]): Promise<void> {
  const start = Date.now();
  await rest(tabs);
  // Many times what it took to look at every tab.
  const at = Date.now() + 2_000 + 20 * (Date.now() - start);
  const plan = (when: number): void => void (window as unknown as SteppedWindow).jumps.push(when);
  await Promise.all(tabs.map((tab) => tab.evaluate(plan, at)));
  expect(Date.now(), 'every tab knows of the jump before it comes').toBeLessThan(at);
  await expect.poll(() => Date.now(), { intervals: [50] }).toBeGreaterThan(at);
}

test('tabs on one session ask once a cycle', { tag: '@soak' }, async ({ page, demoPath, inbox, context }) => {
  let asked = 0;
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) asked += 1;
  });
  await context.addInitScript(stepTime, CYCLE_MS);
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);
  const more = Array.from({ length: TABS - 1 }, async () => {
    const tab = await context.newPage();
    await tab.goto(demoPath);
    await expectSignedIn(tab, address);
    return tab;
  });
  const tabs = [page, ...(await Promise.all(more))];
  await rest(tabs);
  // Each tab checks the session that it finds when it opens, unless another has just done so.
  expect(asked).toBeLessThan(TABS);

  for (const cycle of [1, 2]) {
    asked = 0;
    await skipCycle(tabs);
    await expect.poll(() => asked, { message: `cycle ${cycle}` }).toBeGreaterThan(0);
    await rest(tabs);
    expect(asked, `cycle ${cycle}`).toBe(1);
  }

  const last = tabs.at(-1) ?? page;
  await logOut(last).click();
  await Promise.all(tabs.map(expectSignedOut));
});
