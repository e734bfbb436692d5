import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { button, testWith } from './mfa-host.ts';
import { askForLink, expectSignedIn, heading, newAddress, widget } from './visitor.ts';

const PROFILE = {
  fields: [{ field: 'company', label: 'Company' }],
  terms: [{ terms_id: 'tos', version: '1', title: 'Terms of Service', url: 'https://acme.example/terms' }],
  url: 'http://localhost:3000/login',
};
const test = testWith({ profile: PROFILE, pkce_required_for_email_magic_links: false });
// One site serves all of them.
test.describe.configure({ mode: 'default' });

async function answer(page: Page): Promise<void> {
  await expect(heading(page, 'A few more details')).toBeVisible();
  await expect(page).toHaveURL(/\/$/u);
  await widget(page).getByRole('textbox', { name: 'Company' }).fill('Analytical Engines');
  await widget(page).getByRole('checkbox', { name: 'I accept: Terms of Service' }).check();
  await button(page, 'Continue').click();
}

test(
  'a sign-up by link leads from the redirect page to the form, and then to the session',
  { tag: '@every' },
  async ({ page, demoPath, inbox, context }) => {
    const address = newAddress();
    await page.goto(`${demoPath}?by=link`);
    await askForLink(page, address);
    const opened = await context.newPage();
    await opened.goto(await inbox.linkFor(address));
    await answer(opened);
    await expectSignedIn(opened, address);
    await expectSignedIn(page, address);
    expect(await opened.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  },
);

test('a link that is opened in another browser asks there', async ({ page, demoPath, inbox, browser, trap }) => {
  const address = newAddress();
  await page.goto(`${demoPath}?by=link`);
  await askForLink(page, address);
  const elsewhere = await browser.newContext();
  trap.watch(elsewhere);
  const other = await elsewhere.newPage();
  await other.goto(await inbox.linkFor(address));
  await answer(other);
  await expectSignedIn(other, address);
  await expect(heading(page, 'Check your email')).toBeVisible();
  await elsewhere.close();
});
