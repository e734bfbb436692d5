import getPort from 'get-port';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { DOCUMENTED_PROVIDER } from '../unit/docs/examples.ts';
import { startGuide } from './kit/example.ts';
import { signInByCode } from './kit/sign-in.ts';

const VITE = 'vite/bin/vite.js';
/** The port of the server in the ninth step. */
const API = 'localhost:3001';

test('the ten steps lead to a protected page, and out again', async ({ page, context, inbox, trap, providerUrl }) => {
  // The answer to a signed-out visitor, which the browser logs.
  trap.allow(/Failed to load resource: the server responded with a status of 401 .*\/api\/account/u);
  // The starter has its icon in a file that is no text.
  trap.allow(/status of 404 .*\/favicon\.ico/u);
  const apiPort = await getPort();
  const app = await startGuide(
    'docs/getting-started.md',
    {
      builds: [[VITE, 'build', '--logLevel', 'warn']],
      serve: (port) => ({
        command: [VITE, 'preview', '--port', String(port), '--strictPort'],
        api: { port: apiPort, command: ['--env-file=.env', 'server.js'] },
      }),
      env: {},
    },
    { [DOCUMENTED_PROVIDER]: providerUrl, [API]: `localhost:${apiPort}`, 'listen(3001,': `listen(${apiPort},` },
  );
  try {
    const address = newAddress();
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Your account' }).click();
    await expect(page).toHaveURL(`${app.url}/account`);
    await page.setViewportSize({ width: 360, height: 640 });
    const card = page.locator('[data-part=container]');
    const margins = await card.evaluate((element) => {
      const { left, top, right } = element.getBoundingClientRect();
      return [left, top, innerWidth - right];
    });
    expect(Math.min(...margins)).toBeGreaterThanOrEqual(8);
    await signInByCode(page, inbox, address);
    await expect(page.getByText(`You are signed in as ${address}.`)).toBeVisible();
    await expect(page.getByText(/The server knows you as user-test-/u)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/The server knows you as user-test-/u)).toBeVisible();

    const cookies = await context.cookies(app.url);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const read = async (headers: Record<string, string>) => fetch(`${app.url}/api/account`, { headers });
    expect((await read({ cookie })).status).toBe(200);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
    await expect(page.getByText(address)).toBeHidden();
    // Those of before the sign-out, with a JWT that has not expired.
    expect((await read({ cookie })).status).toBe(401);
    const stranger = await page.goto(`${app.url}/api/account`);
    expect([stranger?.status(), await stranger?.json()]).toMatchObject([401, { reason: 'no-credentials' }]);
  } finally {
    await page.goto('about:blank');
    await app.stop();
  }
});
