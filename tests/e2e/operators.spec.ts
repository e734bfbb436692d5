import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, test, type Page } from '@playwright/test';
import { openDatabase } from '../../provider/src/db/open.ts';
import { NO_METRICS } from '../../provider/src/metrics/metrics.ts';
import { operatorsApp } from '../../provider/src/operators/app.ts';
import { importUser } from '../../provider/src/operators/import-users.ts';
import { inviteOperator } from '../../provider/src/operators/operator-store.ts';
import { InboxHub } from '../../provider/src/outbox/inbox-hub.ts';
import { systemClock, systemRandom } from '../../provider/src/platform.ts';
import { DEFAULT_LIMITS } from '../../provider/src/project/limits.ts';
import { DEMO_PROJECT } from '../../provider/src/project/project.ts';
import { temporaryKeys } from '../../provider/src/security/server-keys.ts';
import type { Services } from '../../provider/src/services.ts';

const BY = { name: 'root', address: null, request_id: null };
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
  let listener: ReturnType<typeof getRequestListener> | null = null;
  const server = createServer((request, response) => void listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const app = operatorsApp(services, { origin });
  listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const token = await inviteOperator(services, { name: 'Grace', role: 'admin' }, BY);
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

test('an operator enrols a passkey, locks a user, logs out and in again', async ({ page }) => {
  // The database of its own takes seconds on a busy machine.
  test.slow();
  const served = await serve();
  const violations: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && violations.push(message.text())));
  try {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
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
    await expect(page.getByRole('region', { name: 'Audit log' })).toContainText('user_locked');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    expect(await page.title()).toBe('Users · Operators');
    expect(violations).toEqual([]);
  } finally {
    await served.close();
  }
});
