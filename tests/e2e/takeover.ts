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

/** The difference of colour that rounded edges have from frame to frame: a step or two of 256. */
const NOISE = 2;

/** Whether two screenshots show the same. The page decodes them. */
export async function looksTheSame(page: Page, one: Buffer, other: Buffer): Promise<boolean> {
  if (one.equals(other)) return true;
  const most = await page.evaluate(
    async (pictures) => {
      const decode = async (base64: string): Promise<ImageData> => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        pen?.drawImage(bitmap, 0, 0);
        return pen?.getImageData(0, 0, bitmap.width, bitmap.height) ?? new ImageData(1, 1);
      };
      const [before, after] = await Promise.all(pictures.map(decode));
      if (before?.width !== after?.width || before?.height !== after?.height) return 256;
      return (
        before?.data.reduce((found, value, at) => Math.max(found, Math.abs(value - (after?.data[at] ?? 0))), 0) ?? 0
      );
    },
    [one.toString('base64'), other.toString('base64')],
  );
  return most <= NOISE;
}
