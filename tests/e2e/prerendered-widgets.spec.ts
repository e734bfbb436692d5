import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { test } from './prerendered-site.ts';
import { taken, watch } from './takeover.ts';

/**
 * Reads the new passwords in the page, because Playwright shows no bodies of requests in Firefox. None is answered: an answer could be
 * quicker than a look at the field.
 */
async function readResets(page: Page): Promise<() => Promise<readonly unknown[]>> {
  await page.addInitScript(() => {
    const { fetch } = window;
    const resets: unknown[] = [];
    Object.assign(window, { resets });
    window.fetch = async (...request) => {
      const [input] = request;
      if (!(input instanceof Request ? input.url : String(input)).endsWith('/passwords/email/reset'))
        return fetch(...request);
      resets.push(await new Request(...request).json());
      return new Promise<Response>(() => undefined);
    };
  });
  return async () => page.evaluate(() => (window as unknown as { resets: unknown[] }).resets);
}

test(
  'a password that is typed and sent before the script of the reset page is kept, then sent once',
  { tag: '@every' },
  async ({ page, site, trap }) => {
    // The provider knows no such token.
    trap.allow(/Failed to load resource|status of 40/u);
    const noticed = await watch(page);
    // The answer shows the address above the field, or that the link is spent.
    await page.route('**/passwords/email/reset/check', () => undefined);
    const resets = await readResets(page);
    await page.goto(await site.add({ widget: 'reset', login: {} }), { waitUntil: 'commit' });
    const at = page.url();
    const field = page.getByLabel('New password');
    await field.pressSequentially('seven tall giraffes sing');
    await field.evaluate((element) => Object.assign(window, { typed: element }));
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: 'Continue', exact: true });
    await expect(send).toHaveAttribute('aria-busy', 'true');
    expect(page.url()).toBe(at);
    site.release();
    await taken(page);
    expect(await field.evaluate((element) => (window as unknown as { typed: unknown }).typed === element)).toBe(true);
    const reset = expect.objectContaining({ token: 'unknown', password: 'seven tall giraffes sing' });
    await expect.poll(resets).toEqual([reset]);
    expect(page.url()).toBe(at);
    expect((await noticed()).gaps).toBe(0);
  },
);

const WIDGETS = {
  reset: 'Reset your password',
  passkeys: 'Set up a new Passkey',
  consent: 'One moment…',
  account: 'Your account',
} as const;

for (const [widget, text] of Object.entries(WIDGETS) as [keyof typeof WIDGETS, string][]) {
  test(
    `the first screen is the widget’s own, which takes it over without a shift: ${widget}`,
    { tag: ['@every', '@soak'] },
    async ({ page, site }) => {
      const noticed = await watch(page);
      // What the server says changes the screen.
      await page.route('**/sdk/v1/**', () => undefined);
      await page.goto(await site.add({ widget, login: {} }), { waitUntil: 'commit' });
      await expect(page.getByText(text)).toBeVisible();
      await page
        .locator('[data-part=container]')
        .evaluate((element) => Object.assign(window, { rendered: element.parentElement }));
      site.release();
      await taken(page);
      const isKept = (): boolean =>
        (window as unknown as { rendered: unknown }).rendered === document.querySelector('[data-portico]');
      expect(await page.evaluate(isKept)).toBe(true);
      // Without a session, the page for passkeys then says that there is none.
      expect((await noticed()).shift).toBe(0);
    },
  );
}
