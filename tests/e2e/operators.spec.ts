import type { Page } from '@playwright/test';
import { addAuthenticator } from './authenticator.ts';
import { expect, test } from './fixtures.ts';
import { HOSTILE, serveOperators } from './operators-page.ts';
import { SOAK } from '../soak.ts';

async function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}

/** In soaks, because provider/tests/operators/ has it without a browser: the counts of passkeys, at the width of a phone and of a computer. */
async function showsPasskeys(page: Page, axe: (of: Page) => Promise<unknown>): Promise<void> {
  await page.getByRole('link', { name: 'Passkeys' }).click();
  await expect(page.getByText('No passkey was offered, made or used in the last 7 days.')).toBeVisible();
  await page.getByLabel('Time span').selectOption('The last 30 days');
  await page.getByRole('button', { name: 'Show' }).click();
  const counts = page.getByRole('region', { name: 'Passkeys, the last 30 days' });
  await expect(counts.getByRole('row', { name: /^Chrome computer 1,500 600 40% 2,400 3$/u })).toBeVisible();
  await expect(page.getByLabel('Time span')).toHaveValue('30d');
  for (const [width, colorScheme] of [
    [360, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await fits(page)).toBe(true);
    expect(await axe(page)).toEqual([]);
  }
}

/** In soaks, because provider/tests/operators/ has it without a browser: makes and deletes a client, rotates a key and imports a user, at the width of a phone. */
async function managesTheRest(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Redirect URLs').fill('nowhere');
  await page.getByRole('button', { name: 'Make the app' }).click();
  await expect(page.getByLabel('Redirect URLs')).toBeFocused();
  await expect(page.getByLabel('Redirect URLs')).toHaveAccessibleDescription(/must be an https URL/u);
  await page.getByLabel('Redirect URLs').fill('https://app.example.com/cb');
  await page.getByRole('button', { name: 'Make the app' }).click();
  await expect(page.getByRole('status')).toContainText('Copy it now');
  expect(await fits(page)).toBe(true);
  await page.getByRole('link', { name: 'Back to the client' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByRole('link', { name: 'Back to the client' }).click();
  const client = (await page.getByRole('definition').first().textContent()) ?? '';
  await page.getByText('End the rotation of the secret').click();
  await page.getByLabel('to end a secret for good').fill(client);
  await page.getByRole('button', { name: 'End the previous secret' }).click();
  await expect(page.getByRole('status')).toContainText('The next one is the only secret now.');
  expect(await fits(page)).toBe(true);
  await page.getByText('Delete this client').click();
  await page.getByLabel('to delete the client for good').fill(client);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('status')).toHaveText('Deleted.');
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Make a new key for sessions' }).click();
  await expect(page.getByRole('status')).toHaveText('The new key signs from now on.');
  expect(await fits(page)).toBe(true);
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('link', { name: 'Import users' }).click();
  const line = '{"emails":[{"email":"bob@example.com"}]}';
  const upload = { name: 'users.jsonl', mimeType: 'text/plain', buffer: Buffer.from(`${line}\n{"nam":1}`) };
  await page.getByLabel('Or a file of such lines').setInputFiles(upload);
  await page.getByRole('button', { name: 'Check the lines' }).click();
  await expect(page.getByLabel('Lines', { exact: true })).toHaveAccessibleDescription(/line 2: nam must be left out/u);
  expect(await fits(page)).toBe(true);
  await page.getByLabel('Lines', { exact: true }).fill(line);
  await page.getByRole('button', { name: 'Check the lines' }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText('1 imported, 0 were there already, 0 refused.');
  await page.getByRole('link', { name: 'Operators' }).click();
  await page.getByText('Remove an operator').click();
  await page.getByLabel('Type the name of the operator').fill('Grace');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByLabel('Type the name of the operator')).toHaveAccessibleDescription(/would remain/u);
  expect(await fits(page)).toBe(true);
}

test(
  'an operator enrols a passkey, locks a user, logs out and in again',
  { tag: '@soak' },
  async ({ page, trap, axe }) => {
    // Browsers also write down the forms that are refused here.
    trap.allow(/Failed to load resource: .* 40[03] /u);
    // The database of its own takes seconds on a busy machine.
    const served = await serveOperators();
    try {
      await addAuthenticator(page);
      await page.goto(served.link);
      expect(page.url()).not.toContain('#');
      await page.getByRole('button', { name: 'Create a passkey' }).click();
      await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const heights = await page.locator('main a').evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
        expect(heights.length).toBeGreaterThan(1);
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
      }
      await page.getByRole('searchbox').fill('ADA@');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'ada@example.com' }).click();
      await expect(page.getByText(HOSTILE)).toBeVisible();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await fits(page)).toBe(true);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      const audit = page.getByRole('link', { name: 'Audit log' });
      await audit.click();
      await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
      await expect(audit).toBeInViewport({ ratio: 1 });
      await page.goBack();
      await page.getByRole('button', { name: 'Lock and sign out' }).click();
      await expect(page.getByRole('status')).toHaveText('The user is locked, and signed out everywhere.');
      await expect(page.getByRole('region', { name: 'Audit log' })).toContainText('user locked');
      if (SOAK) await managesTheRest(page);
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
      expect(await page.title()).toBe('Users · Operators');
      // axe ends the virtual authenticator.
      expect(await axe(page)).toEqual([]);
      if (SOAK) await showsPasskeys(page, axe);
    } finally {
      await served.close();
    }
  },
);
