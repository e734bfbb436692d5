import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, Inbox, providerServer, test as published } from 'portico/testing/playwright';
import { decodeJwt } from 'jose';
import { askForCode, codeField, expectConfirmed, expectSignedIn, newAddress } from './visitor.ts';

/** What a host writes in its playwright.config.ts; these ports are chosen at the start. */
const test = published.extend({
  portico: async ({}, use) => use({ apiUrl: process.env['PORTICO_PROVIDER_URL'] ?? '' }),
  baseURL: async ({}, use) => use(process.env['PORTICO_DEMO_URL']),
});

test('signInAs signs a person in without the screens', async ({ page, signInAs }) => {
  const address = newAddress();
  const { user_id, session_jwt } = await signInAs(address, { name: { first_name: 'Ada' } });
  expect(decodeJwt(session_jwt).sub).toBe(user_id);
  await page.goto('/');
  await expectSignedIn(page, address);
  await expectConfirmed(page);
});

test('signInAs gives the same person other roles, and the session has them', async ({ signInAs }) => {
  const address = newAddress();
  const rolesOf = async (...roles: string[]): Promise<unknown> => {
    const { session_jwt } = await signInAs(address, { roles });
    return (decodeJwt(session_jwt)['https://stytch.com/session'] as { roles: unknown }).roles;
  };
  expect(await rolesOf('editor')).toContain('editor');
  expect(await rolesOf()).not.toContain('editor');
});

test('signInAs names a role that the project does not have', async ({ signInAs }) => {
  const attempt = signInAs(newAddress(), { roles: ['no such role'] });
  await expect(attempt).rejects.toThrow(/^POST \/v1\/users answered 400 invalid_role\. /);
});

test('the inbox gives each code once, and waits for the next', async ({ page, inbox }) => {
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

test('the authenticator makes a passkey', async ({ page, signInAs, authenticator }) => {
  await signInAs(newAddress());
  await page.goto('/passkeys');
  expect(await authenticator.passkeys()).toEqual([]);
  await page.getByRole('button', { name: 'Create a Passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Passkey successfully created!' })).toBeVisible();
  expect(await authenticator.passkeys()).toMatchObject([{ rpId: 'localhost' }]);
});

test('an inbox that is none says so', async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const inbox = new Inbox(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(inbox.messagesTo('ada@example.com')).rejects.toThrow('The inbox needs a provider that runs with --dev.');
  server.close();
});

test('providerServer describes a web server, and refuses what a shell would read', () => {
  expect(providerServer({ port: 4101, project: 'tests/a project.json' })).toMatchObject({
    command: 'npx portico-provider --dev --port 4101 --data memory --project "tests/a project.json"',
    url: 'http://localhost:4101/.well-known/jwks.json',
  });
  expect(() => providerServer({ project: 'a"; rm -rf .' })).toThrow(/shell/);
  for (const port of [0, 65_536, 1.5, Number.NaN]) expect(() => providerServer({ port })).toThrow(RangeError);
});
