/** The takeover of a prerendered login, as a person sees it. */
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** True once the widget has taken the markup over. */
export const isTaken = async (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('[data-portico-rendered], [data-portico-helper]') === null &&
      document.querySelector('#login > *') !== null,
  );

/** Waits until the widget has taken the markup over. */
export const taken = async (page: Page): Promise<void> => expect.poll(() => isTaken(page)).toBe(true);

/** Notes from the start of the page on what a person would notice: the sum of the layout shifts, and frames without the form. */
export async function watch(page: Page): Promise<() => Promise<{ readonly shift: number; readonly gaps: number }>> {
  await page.addInitScript(() => {
    const seen = { shift: 0, gaps: 0, shown: false };
    Object.assign(window, { seen });
    if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    }
    const look = (): void => {
      const host = document.querySelector('#login [data-portico-rendered], #login > div');
      const field = (host?.shadowRoot ?? document).querySelector('input, [data-part=title]');
      const isShown = field?.checkVisibility({ visibilityProperty: true }) === true;
      seen.shown ||= isShown;
      if (seen.shown && !isShown) seen.gaps += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return async () => page.evaluate(() => (window as unknown as { seen: { shift: number; gaps: number } }).seen);
}
