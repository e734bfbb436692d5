/** Presses that begin on a button which then moves. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ALONE, forget, pageFor } from './password-visitor.ts';
import { expectSignedIn, widget } from './visitor.ts';

/** A press by mouse or by finger: where it begins, and how it ends at the same place. */
async function begin(page: Page, by: 'mouse' | 'finger', { x, y }: { readonly x: number; readonly y: number }) {
  if (by === 'mouse') {
    await page.mouse.move(x, y);
    await page.mouse.down();
    return () => page.mouse.up();
  }
  const channel = await page.context().newCDPSession(page);
  await channel.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  return async () => {
    await channel.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await channel.detach();
  };
}

for (const by of ['mouse', 'finger'] as const) {
  test(
    `a press by ${by} belongs to the button on which it began, although an answer moves the button away`,
    // Playwright has fingers in Chromium only.
    { tag: by === 'mouse' ? '@every' : '@soak' },
    async ({ page, demoPath, inbox }) => {
      const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
      let answer = (): void => undefined;
      const held = new Promise<void>((done) => {
        answer = done;
      });
      await page.route('**/passwords/email/reset/check', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(reset);
      const button = widget(page).getByRole('button', { name: 'Login without a password' });
      // The styles of the first use do not move the button.
      await button.hover();
      const box = async () => (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const { x, y, width, height } = await box();
      const end = await begin(page, by, { x: x + width / 2, y: y + height / 2 });
      answer();
      await expect.poll(async () => (await box()).y).toBeGreaterThan(y + height);
      await end();
      await expectSignedIn(page, address);
    },
  );
}
