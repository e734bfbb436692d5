import { expect, test } from './fixtures.ts';
import { askForCode, codeField, emailField, expectSignedIn, heading, newAddress } from './visitor.ts';

test('a message appears in the dev inbox by itself, and its code can be copied', async ({
  page,
  demoPath,
  inbox,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = newAddress();
  await page.goto(demoPath);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await askForCode(page, address);
  const message = page.getByRole('listitem').filter({ hasText: address });
  const code = await inbox.codeFor(address);
  await message.getByRole('button', { name: `Copy ${code}` }).click();
  await expect(message.getByText('Copied')).toBeVisible();
  await codeField(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expectSignedIn(page, address);
});

test('what the widget tells its host is listed, without a secret', async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);
  await page.locator('summary').filter({ hasText: 'Events' }).click();
  const log = page.locator('#events');
  for (const type of ['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']) {
    await expect(log).toContainText(type);
  }
  const tokens = await page.evaluate(() => {
    const { client } = (
      window as unknown as { __demo: { client: { session: { getTokens(): Record<string, string> } } } }
    ).__demo;
    return Object.values(client.session.getTokens());
  });
  expect(tokens).toHaveLength(2);
  const text = await page.evaluate(() => document.body.textContent);
  for (const token of tokens) expect(text).not.toContain(token.slice(4));
});

test('the way to sign in is remembered in the address', async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
  await page.getByRole('radio', { name: 'Link' }).check();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Link' })).toBeChecked();
  await page.getByRole('radio', { name: 'Passcode' }).check();
  await expect(page).not.toHaveURL(/by=/);
  await expect(heading(page, 'Sign up or log in')).toHaveCount(1);
});

test('the other build has the same page', async ({ page, demoPath }) => {
  await page.goto(`${demoPath}?by=link`);
  await expect(page.locator('a[data-build][aria-current=page]')).toHaveText(
    demoPath === '/' ? 'With React' : 'Standalone',
  );
  await page.locator('a[data-build]:not([aria-current])').click();
  await expect(page).toHaveURL(/\?by=link$/);
  await expect(page.getByRole('radio', { name: 'Link' })).toBeChecked();
});

test('while the provider is away the inbox says so', async ({ page, demoPath, trap }) => {
  trap.allow(/Failed to load resource|net::ERR_FAILED/);
  await page.route('**/dev/inbox/stream', (route) => route.abort());
  await page.goto(demoPath);
  await expect(page.getByText(/The provider at \S+ does not answer\. Trying again…/)).toBeVisible();
  await page.unroute('**/dev/inbox/stream');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});
