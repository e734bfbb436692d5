import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { startExample } from './kit/example.ts';
import { signInByCode } from './kit/sign-in.ts';
import { skipOnOlderNode } from './kit/node-version.ts';

skipOnOlderNode('next-moved');

const NEXT = 'next/dist/bin/next';

test('the example next-moved keeps the names of the reference in its pages, and guards a page on its server', async ({
  page,
  context,
  inbox,
  providerUrl,
}) => {
  const app = await startExample('next-moved', {
    builds: [[NEXT, 'build']],
    serve: (port) => ({ command: [NEXT, 'start', '--port', String(port)] }),
    env: { NEXT_TELEMETRY_DISABLED: '1', NEXT_PUBLIC_PORTICO_API_URL: providerUrl },
  });
  try {
    const address = newAddress();
    await page.goto(`${app.url}/account`);
    await expect(page).toHaveURL(`${app.url}/?return_to=%2Faccount`);
    await signInByCode(page, inbox, address);
    await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    const cookie = (await context.cookies(app.url)).map(({ name, value }) => `${name}=${value}`).join('; ');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();

    // The cookies of before the sign-out, with a JWT that has not expired.
    const ended = await fetch(`${app.url}/account`, { redirect: 'manual', headers: { cookie } });
    expect(await ended.text()).not.toContain('Your account');
  } finally {
    await page.goto('about:blank');
    await app.stop();
  }
});
