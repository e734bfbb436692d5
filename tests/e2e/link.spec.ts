import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForLink,
  emailField,
  expectSignedIn,
  expectSignedOut,
  heading,
  logOut,
  newAddress,
  sendButton,
  widget,
} from './visitor.ts';

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

const byLink = (demoPath: string): string => `${demoPath}?by=link`;

const arrived = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test(
  'the link signs in its own tab, and the tab that asked follows',
  { tag: '@every' },
  async ({ page, demoPath, inbox, context }) => {
    const address = newAddress();
    await page.goto(demoPath);
    await page.getByRole('radio', { name: 'Link' }).check();
    await expect(page).toHaveURL(/\?by=link$/);
    await askForLink(page, address);
    await expect(widget(page)).toContainText(`An email was sent to ${address}.`);

    const opened = await context.newPage();
    await opened.goto(await inbox.linkFor(address));
    await expectSignedIn(opened, address);
    expect(opened.url()).toMatch(/\/authenticate$/);
    expect(await opened.evaluate(() => history.length)).toBeLessThanOrEqual(2);

    await expectSignedIn(page, address);
    await logOut(page).click();
    await expectSignedOut(page);
    await expect(arrived(opened, 'You are logged out')).toBeVisible();
  },
);

test(
  'the link can be opened from the dev inbox beside the widget',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, context }) => {
    const address = newAddress();
    await page.goto(byLink(demoPath));
    await askForLink(page, address);
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: `Open the link for ${address}, in a new tab` }).click();
    await expectSignedIn(await opening, address);
    await expectSignedIn(page, address);
  },
);

test(
  'a link works once, and the second time shows a message',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(byLink(demoPath));
    await askForLink(page, address);
    const link = await inbox.linkFor(address);
    await page.goto(link);
    await expectSignedIn(page, address);

    await page.goto(link);
    await expect(arrived(page, 'This link did not work')).toBeVisible();
    await expect(page.locator('#arrival-text')).toContainText('It was already used or has expired.');
    await expect(page.locator('#arrival-text')).toContainText('You are still signed in as before.');
    expect(page.url()).toMatch(/\/authenticate$/);
    await page.getByRole('link', { name: 'Continue to the demo page' }).click();
    await expectSignedIn(page, address);
  },
);

test(
  'a link that was spent elsewhere leads back to a new one',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap, browser }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(byLink(demoPath));
    await askForLink(page, address);
    const link = await inbox.linkFor(address);
    await page.goto(link);
    await expectSignedIn(page, address);

    const elsewhere = await browser.newContext();
    trap.watch(elsewhere);
    const other = await elsewhere.newPage();
    await other.goto(link);
    await expect(arrived(other, 'This link did not work')).toBeVisible();
    await other.getByRole('link', { name: 'Get a new link' }).click();
    await expect(emailField(other)).toBeVisible();
    await elsewhere.close();
  },
);

test('Try again starts over, with the address to correct', { tag: ['@every', '@soak'] }, async ({ page, demoPath }) => {
  await page.goto(byLink(demoPath));
  const address = newAddress();
  await askForLink(page, address);
  await widget(page).getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'Sign up or log in')).toBeVisible();
  await expect(emailField(page)).toHaveValue(address);
  // The driver of Firefox appends where a field is filled again; keys replace what is selected.
  await emailField(page).press('ControlOrMeta+a');
  await emailField(page).pressSequentially(newAddress());
  await sendButton(page).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
});

test(
  'an address without a link, or with one of another kind, says what the page is for',
  { tag: ['@every', '@soak'] },
  async ({ page }) => {
    await page.goto('/authenticate');
    await expect(arrived(page, 'Nothing to do here')).toBeVisible();
    await page.goto('/authenticate?stytch_token_type=sso&token=x');
    await expect(arrived(page, 'Unknown kind of link')).toBeVisible();
    expect(page.url()).toMatch(/\/authenticate$/);
  },
);

test(
  'a link opened while the provider is away can be used a moment later',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    // Chromium’s words, and Firefox’s.
    trap.allow(/Failed to load resource: net::ERR_FAILED|CORS request did not succeed/);
    const address = newAddress();
    await page.goto(byLink(demoPath));
    await askForLink(page, address);
    const link = await inbox.linkFor(address);
    await page.route('**/sdk/v1/magic_links/authenticate', (route) => route.abort());
    await page.goto(link);
    await expect(page.locator('#arrival-text')).toContainText('Unable to contact our servers.');
    await page.unroute('**/sdk/v1/magic_links/authenticate');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectSignedIn(page, address);
  },
);
