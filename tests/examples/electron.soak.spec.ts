import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { installExample, runCommand } from './kit/example.ts';
import { signInByCode } from './kit/sign-in.ts';
import { skipOnOlderNode } from './kit/node-version.ts';

skipOnOlderNode('electron');

// Both tests use the folder in which the example is installed.
test.describe.configure({ mode: 'default' });

/** What the example's main process exports to its window. */
interface Account {
  email(): Promise<string | null>;
  accessToken(): Promise<string | null>;
  signIn(): Promise<void>;
  signOut(): Promise<void>;
}

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  openBrowser(url: string): Promise<unknown>;
  readonly store: { read(): Promise<string | null>; write(token: string | null): Promise<void> };
}

class MemoryStore {
  token: string | null = null;
  read = async () => this.token;
  write = async (token: string | null) => void (this.token = token);
}

/** Installs the example and makes its app at the provider. Returns the class that its main process has. */
async function installApp(providerUrl: string) {
  const folder = (await installExample('electron')) ?? '';
  const clientId = (await runCommand(folder, ['./register.mjs'], { PORTICO_API_URL: providerUrl })).trim();
  const file = pathToFileURL(join(folder, 'src/account.mjs')).href;
  const { Account } = (await import(file)) as { Account: new (options: Options) => Account };
  return { folder, clientId, Account };
}

/** The window's page as Chromium shows it, with calls that the preload script would pass on. */
async function openWindow(context: BrowserContext, folder: string, account: () => Account): Promise<Page> {
  const page = await context.newPage();
  await page.exposeFunction('call', (name: 'email' | 'signIn' | 'signOut') => account()[name]());
  await page.addInitScript(() => {
    const { call } = window as unknown as { call(name: string): Promise<unknown> };
    const names = ['email', 'signIn', 'signOut'];
    Object.assign(window, { account: Object.fromEntries(names.map((name) => [name, () => call(name)])) });
  });
  await page.goto(pathToFileURL(join(folder, 'src/window.html')).href);
  return page;
}

test('the example electron signs in through the browser, stays signed in, and signs out', async ({
  page: browser,
  context,
  inbox,
  providerUrl,
}) => {
  const { folder, clientId, Account } = await installApp(providerUrl);
  // The main process and the preload script against Electron's own declarations.
  await runCommand(folder, ['typescript/bin/tsc'], {});
  const opened: string[] = [];
  const openBrowser = async (url: string) => {
    opened.push(url);
    await browser.goto(url);
  };
  const store = new MemoryStore();
  const start = () => new Account({ issuer: providerUrl, clientId, openBrowser, store });
  let account = start();
  const window = await openWindow(context, folder, () => account);
  await expect(window.getByRole('heading', { name: 'Signed out' })).toBeVisible();

  await window.getByRole('button', { name: 'Sign in with the browser' }).click();
  const address = newAddress();
  await signInByCode(browser, inbox, address);
  await expect(browser.getByText('You will go on to an app on this device.')).toBeVisible();

  // Other programs of this machine cannot end the sign-in, and no page can frame or read the answer.
  const redirectUri = new URL(new URL(opened[0] ?? '').searchParams.get('redirect_uri') ?? '');
  expect(redirectUri.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/u);
  for (const path of ['/', '/callback?code=stolen', '/callback?error=access_denied&state=guessed']) {
    expect((await fetch(new URL(path, redirectUri))).status, path).toBe(404);
  }

  await browser.getByRole('button', { name: 'Allow' }).click();
  await expect(browser.getByText('Return to the app.')).toBeVisible();
  await expect(window.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
  // The server on loopback has ended with the sign-in.
  await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');

  // The app is started anew, and its first calls come at once: the stored token is used once, and replaced.
  const first = store.token;
  account = start();
  const [email, token] = await Promise.all([account.email(), account.accessToken()]);
  expect(email).toBe(address);
  expect(token).not.toBeNull();
  expect(store.token).not.toBe(first);
  await window.reload();
  await expect(window.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();

  const last = store.token;
  await window.getByRole('button', { name: 'Sign out' }).click();
  await expect(window.getByRole('heading', { name: 'Signed out' })).toBeVisible();
  expect(store.token).toBeNull();
  // Another copy of the token is worth nothing now, and is removed.
  store.token = last;
  expect(await start().email()).toBeNull();
  expect(store.token).toBeNull();
});

test('the example electron ends a sign-in that is refused, or that another one replaces', async ({
  page: browser,
  inbox,
  providerUrl,
}) => {
  const { clientId, Account } = await installApp(providerUrl);
  const store = new MemoryStore();
  const openBrowser = async (url: string) => browser.goto(url);
  const account = new Account({ issuer: providerUrl, clientId, openBrowser, store });
  const replaced = expect(account.signIn()).rejects.toThrow('Another sign-in has begun.');
  await expect(browser.getByRole('textbox', { name: /email/i })).toBeVisible();
  const refused = expect(account.signIn()).rejects.toMatchObject({ error: 'access_denied' });
  await replaced;
  await signInByCode(browser, inbox, newAddress());
  await browser.getByRole('button', { name: 'Deny' }).click();
  await refused;
  expect(store.token).toBeNull();
});
