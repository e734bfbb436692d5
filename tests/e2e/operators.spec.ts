import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Page } from '@playwright/test';
import { FunnelCounts } from '../../provider/src/accounts/passkeys/funnel-counts.ts';
import { openDatabase } from '../../provider/src/base/db/open.ts';
import { NO_METRICS } from '../../provider/src/base/metrics/metrics.ts';
import { operatorsApp } from '../../provider/src/operation/operators/app.ts';
import { importUser } from '../../provider/src/operation/operators/import-users.ts';
import { inviteOperator } from '../../provider/src/operation/operators/operator-store.ts';
import { InboxHub } from '../../provider/src/messages/inbox-hub.ts';
import { systemClock, systemRandom } from '../../provider/src/base/platform.ts';
import { DEFAULT_LIMITS } from '../../provider/src/project/limits.ts';
import { DEMO_PROJECT } from '../../provider/src/project/project.ts';
import { temporaryKeys } from '../../provider/src/base/security/server-keys.ts';
import type { Services } from '../../provider/src/api/services.ts';
import { addAuthenticator } from './authenticator.ts';
import { expect, test } from './fixtures.ts';
import { SOAK } from '../soak.ts';

const BY = { name: 'root', address: null, request_id: null };
const DAY_MS = 24 * 60 * 60_000;
const HOSTILE = '<img src=x onerror=document.title="broken">';

/** The operators' page on a port of its own, with a user whose name is hostile. */
async function serve() {
  const db = await openDatabase({ kind: 'memory' });
  const services: Services = {
    db,
    clock: systemClock,
    random: systemRandom,
    keys: await temporaryKeys(),
    project: DEMO_PROJECT,
    limits: DEFAULT_LIMITS,
    inbox: new InboxHub(),
    metrics: NO_METRICS,
    dev: true,
    report: (error) => {
      throw error;
    },
  };
  await importUser(
    services,
    { emails: [{ email: 'ada@example.com', verified: true }], name: { first_name: HOSTILE } },
    BY,
  );
  const counts = new FunnelCounts(db, (error) => services.report(error, { where: 'counts of passkeys' }));
  const chrome = { browser: 'Chrome', mobile: false } as const;
  const steps = { offered: 1_500, made: 600, used: 2_400, failed: 3 } as const;
  for (const [step, times] of Object.entries(steps) as [keyof typeof steps, number][])
    for (let time = 0; time < times; time += 1) counts.count(step, chrome, systemClock.now() - 8 * DAY_MS);
  counts.count('offered', { browser: 'Safari', mobile: true }, systemClock.now() - 8 * DAY_MS);
  await counts.stop();
  let listener: ReturnType<typeof getRequestListener> | null = null;
  const server = createServer((request, response) => void listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const app = operatorsApp(services, { origin });
  listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const token = await inviteOperator(services, { name: 'Grace', role: 'admin' }, BY);
  await inviteOperator(services, { name: 'Edsger', role: 'reader' }, BY);
  return {
    link: `${origin}/operators/enrol#${token}`,
    origin,
    async close() {
      server.closeAllConnections();
      server.close();
      await db.destroy();
    },
  };
}

async function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}

/** The counts of passkeys, at the width of a phone and of a computer. axe ends the virtual authenticator. */
async function showsPasskeys(page: Page, axe: (of: Page) => Promise<unknown>): Promise<void> {
  await page.getByRole('link', { name: 'Passkeys' }).click();
  await expect(
    page.getByText('No passkey was offered, made or used in this time span (the last 7 days).'),
  ).toBeVisible();
  await page.getByLabel('Time span').selectOption('the last 30 days');
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
  await page.getByRole('link', { name: 'Keys' }).click();
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

test('an operator enrols a passkey, locks a user, logs out and in again', async ({ page, trap, axe }) => {
  // Browsers also write down the forms that are refused here.
  trap.allow(/Failed to load resource: .* 40[03] /u);
  // The database of its own takes seconds on a busy machine.
  const served = await serve();
  try {
    await addAuthenticator(page);
    await page.goto(served.link);
    expect(page.url()).not.toContain('#');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    await page.getByRole('searchbox').fill('ADA@');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await expect(page.getByText(HOSTILE)).toBeVisible();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await fits(page)).toBe(true);
    }
    await page.getByRole('button', { name: 'Lock and sign out' }).click();
    await expect(page.getByRole('status')).toHaveText('The user is locked, and signed out everywhere.');
    await expect(page.getByRole('region', { name: 'Audit log' })).toContainText('user locked');
    if (SOAK) await managesTheRest(page);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    expect(await page.title()).toBe('Users · Operators');
    await showsPasskeys(page, axe);
  } finally {
    await served.close();
  }
});
