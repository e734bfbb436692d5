import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, Inbox, providerServer, test as published } from 'portico/testing/playwright';
import { decodeJwt } from 'jose';
import { askForCode, codeField, emailField, expectConfirmed, expectSignedIn, newAddress, widget } from './visitor.ts';

/** What a host writes in its playwright.config.ts; these ports are chosen at the start. */
const test = published.extend({
  portico: async ({}, use) => use({ apiUrl: process.env['PORTICO_PROVIDER_URL'] ?? '' }),
  baseURL: async ({}, use) => use(process.env['PORTICO_DEMO_URL']),
});

/** As hosts have it, whose tests get a context each. */
test.use({ reuseContext: false });

test('signInAs signs a person in without the screens', async ({ page, signInAs }) => {
  const address = newAddress();
  const { user_id, session_jwt } = await signInAs(address, { name: { first_name: 'Ada' } });
  expect(decodeJwt(session_jwt).sub).toBe(user_id);
  await page.goto('/');
  await expectSignedIn(page, address);
  await expectConfirmed(page);
});

test('signInAs gives the same person other roles, and the session has them', { tag: '@soak' }, async ({ signInAs }) => {
  const address = newAddress();
  const rolesOf = async (...roles: string[]): Promise<unknown> => {
    const { session_jwt } = await signInAs(address, { roles });
    return (decodeJwt(session_jwt)['https://stytch.com/session'] as { roles: unknown }).roles;
  };
  expect(await rolesOf('editor')).toContain('editor');
  expect(await rolesOf()).not.toContain('editor');
});

test('signInAs names a role that the project does not have', { tag: '@soak' }, async ({ signInAs }) => {
  const attempt = signInAs(newAddress(), { roles: ['no such role'] });
  await expect(attempt).rejects.toThrow(/^POST \/v1\/users answered 400 invalid_role\. /);
});

test('the inbox gives each code once, and waits for the next', { tag: '@soak' }, async ({ page, inbox }) => {
  const address = newAddress();
  await page.goto('/');
  await askForCode(page, address);
  const code = await inbox.codeFor(address);
  const again = inbox.codeFor(address, { timeout: 100 });
  await expect(again).rejects.toThrow(
    new RegExp(`^No code came to ${address.replace(/\./g, '\\.')} within 100 ms\\. The newest`),
  );
  await codeField(page).pressSequentially(code);
  await expectSignedIn(page, address);
  await expect(inbox.linkFor(address, { timeout: 1 })).rejects.toThrow(`No link came to ${address} within 1 ms.`);
});

test(
  'the control ends codes, connections and sessions for this test alone',
  { tag: '@soak' },
  async ({ page, control, inbox }) => {
    const address = newAddress();
    const CALL = 'POST /sdk/v1/otps/authenticate';
    const press = async (name: string) => widget(page).getByRole('button', { name }).click();
    await page.goto('/');
    await askForCode(page, address);
    await control.drop(CALL, 'request', { times: 1 });
    await codeField(page).fill(await inbox.codeFor(address));
    await expect(widget(page).getByText('Unable to contact our servers.')).toBeVisible();
    await control.expireCodes(address);
    await press('Try again');
    await expect(widget(page).getByText('This passcode has expired. Send a new one.')).toBeVisible();
    await press('Send a new code');
    const code = await inbox.codeFor(address);
    await control.refuse(CALL, 'user_locked', { times: 1 });
    await codeField(page).fill(code);
    await expect(widget(page).getByText(/account is locked/i)).toBeVisible();
    await codeField(page).fill(code);
    await expectSignedIn(page, address);
    expect((await control.state()).faults).toEqual([]);

    await control.clock.move({ days: 31 });
    await page.reload();
    await expect(emailField(page)).toBeVisible();
  },
);

test('a person is signed in from the start', { tag: '@soak' }, async ({ page, person }) => {
  await page.goto('/');
  await expectSignedIn(page, person.email);
});

test.describe('clean data', () => {
  const names = ['other', 'playwright-clean-of-an-earlier-run'];
  const asked: string[] = [];
  const alone = test.extend({
    portico: async ({}, use) => {
      const server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ snapshots: names.map((name) => ({ name })), snapshot: {} }));
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      await use({ apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      server.close();
    },
  });
  test.describe.configure({ mode: 'serial' });

  alone('is kept for the first test of a run that asks for it', ({ cleanData }) => {
    const removed = 'DELETE /dev/control/snapshots/playwright-clean-of-an-earlier-run';
    expect([cleanData, asked.splice(0)]).toEqual([
      undefined,
      ['GET /dev/control', removed, 'POST /dev/control/snapshots'],
    ]);
    names.splice(1, 1, `playwright-clean-${process.ppid}`);
  });
  alone('is put back for the next one', ({ cleanData }) => {
    const restored = `POST /dev/control/snapshots/playwright-clean-${process.ppid}/restore`;
    expect([cleanData, asked]).toEqual([undefined, ['GET /dev/control', restored]]);
  });
});

test('the authenticator makes a passkey', { tag: '@soak' }, async ({ page, signInAs, authenticator }) => {
  await signInAs(newAddress());
  await page.goto('/passkeys');
  expect(await authenticator.passkeys()).toEqual([]);
  await page.getByRole('button', { name: 'Create a Passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Passkey successfully created!' })).toBeVisible();
  expect(await authenticator.passkeys()).toMatchObject([{ rpId: 'localhost' }]);
});

test('an inbox that is none shows a message', { tag: '@soak' }, async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const inbox = new Inbox(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(inbox.messagesTo('ada@example.com')).rejects.toThrow('The inbox needs a provider that runs with --dev.');
  server.close();
});

test('providerServer describes a web server, and refuses what a shell would read', { tag: '@soak' }, () => {
  expect(providerServer({ port: 4101, project: 'tests/a project.json' })).toMatchObject({
    command: 'npx portico-provider --dev --port 4101 --data memory --project "tests/a project.json"',
    url: 'http://localhost:4101/.well-known/jwks.json',
  });
  expect(() => providerServer({ project: 'a"; rm -rf .' })).toThrow(/shell/);
  for (const port of [0, 65_536, 1.5, Number.NaN]) expect(() => providerServer({ port })).toThrow(RangeError);
});
