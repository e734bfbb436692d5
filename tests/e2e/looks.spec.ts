import type { Page } from '@playwright/test';
import { expect, test, type Inbox, type Trap } from './fixtures.ts';
import { askForCode, codeField, emailField, expectSignedIn, newAddress, otherThan, widget } from './visitor.ts';

/** No page may scroll sideways at 320 px (WCAG 2.2, 1.4.10), and axe may find nothing in either theme. */
async function expectGoodLooks(page: Page, axe: (page: Page) => Promise<readonly unknown[]>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await axe(page), `axe, ${colorScheme}`).toEqual([]);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const scrolled = await page.evaluate(() => {
    window.scrollTo(100, 0);
    return window.scrollX;
  });
  expect(scrolled, 'sideways scroll at 320 px').toBe(0);
  if (size) await page.setViewportSize(size);
}

interface Visit {
  readonly page: Page;
  readonly demoPath: string;
  readonly inbox: Inbox;
  readonly trap: Trap;
}

/** Of the other pages the gallery looks at the widget, too. */
const ALWAYS: ReadonlySet<string> = new Set(['Main by passcode']);

/** The pages around the widget; the gallery holds every screen to the same. */
const STATES: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
  async 'Main by passcode'({ page, demoPath }) {
    await page.goto(demoPath);
    await expect(emailField(page)).toBeVisible();
  },
  async 'OTPAuthenticate with a wrong code'({ page, demoPath, inbox, trap }) {
    trap.allow(/Failed to load resource/);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(otherThan(await inbox.codeFor(address)));
    await expect(widget(page).getByText('Invalid passcode, please try again.')).toBeVisible();
  },
  async 'the loading cover'({ page, demoPath, inbox, trap }) {
    trap.allow(/Failed to load resource/);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    // A cookie alone says that there may be a session; the widget waits for the answer.
    await page.route('**/sessions/authenticate', () => {});
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(widget(page).getByText('Loading…')).toBeVisible();
  },
  async 'the account'({ page, demoPath, inbox }) {
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
  async 'where a spent link leads'({ page, trap }) {
    trap.allow(/Failed to load resource/);
    await page.goto('/authenticate?stytch_token_type=magic_links&token=spent');
    await expect(page.getByRole('heading', { name: 'This link did not work' })).toBeVisible();
  },
};

for (const [name, reach] of Object.entries(STATES)) {
  const tag = ALWAYS.has(name) ? '@react' : '@soak';
  test(`axe finds nothing and nothing overflows: ${name}`, { tag }, async ({ page, demoPath, inbox, trap, axe }) => {
    await reach({ page, demoPath, inbox, trap });
    await expectGoodLooks(page, axe);
  });
}

test('nothing jumps while the page comes to rest', async ({ page, demoPath }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    (window as unknown as { shifts: number[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01);
});
