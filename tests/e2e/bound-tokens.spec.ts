import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForCode,
  codeField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  logOut,
  newAddress,
} from './visitor.ts';

interface DemoClient {
  readonly session: {
    getTokens(): { readonly session_token: string; readonly session_jwt: string } | null;
    getSync(): { readonly device_bound?: boolean } | null;
    authenticate(options?: object): Promise<{ readonly session: { readonly session_id: string } }>;
  };
}
type DemoWindow = Window & { readonly __demo: { readonly client: DemoClient } };

/** The demo as a host whose client has the bound transport. */
async function bindSessions(context: BrowserContext): Promise<void> {
  await context.route('**/config.json', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), bound: true } });
  });
}

const tokensOf = async (page: Page) =>
  page.evaluate(() => (window as unknown as DemoWindow).__demo.client.session.getTokens());
const refresh = async (page: Page) =>
  page.evaluate(
    async () =>
      (await (window as unknown as DemoWindow).__demo.client.session.authenticate({ session_duration_minutes: 60 }))
        .session.session_id,
  );
/** What the key of the session is in this browser, and whether a script can read its private half. */
const storedKeys = async (page: Page) =>
  page.evaluate(async () => {
    const opened = indexedDB.open('portico_bound');
    const database = await new Promise<IDBDatabase>((resolve) => {
      opened.addEventListener('success', () => resolve(opened.result));
    });
    if (!database.objectStoreNames.contains('keys')) return [];
    const read: IDBRequest<CryptoKeyPair[]> = database.transaction('keys').objectStore('keys').getAll();
    const pairs = await new Promise<CryptoKeyPair[]>((resolve) => {
      read.addEventListener('success', () => resolve(read.result));
    });
    database.close();
    return Promise.all(
      pairs.map(async ({ privateKey }) => {
        const exported = await crypto.subtle.exportKey('jwk', privateKey).catch((error: Error) => error.name);
        return [privateKey.extractable, exported];
      }),
    );
  });

test('a session of a bound client lives through reload, tab and refresh, and its token is worth nothing elsewhere', async ({
  page,
  context,
  demoPath,
  inbox,
  trap,
  providerUrl,
}) => {
  trap.allow(/status of 401/u);
  await bindSessions(context);
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);
  expect(
    await page.evaluate(() => (window as unknown as DemoWindow).__demo.client.session.getSync()?.device_bound),
  ).toBe(true);
  expect(await storedKeys(page)).toEqual([[false, 'InvalidAccessError']]);

  await page.reload();
  await expectSignedIn(page, address);
  await expectConfirmed(page);
  const tab = await context.newPage();
  await tab.goto(demoPath);
  await expectSignedIn(tab, address);
  await expectConfirmed(tab);
  expect(await refresh(tab)).toBe(await refresh(page));

  // What a program reads from the disk, or a script of the page sends away.
  const tokens = await tokensOf(page);
  const token = await page.evaluate(
    async () => ((await (await fetch('/config.json')).json()) as { publicToken: string }).publicToken,
  );
  for (const secret of [tokens?.session_token, tokens?.session_jwt]) {
    // oxlint-disable-next-line no-await-in-loop -- one copy after the other
    const reply = await fetch(`${providerUrl}/sdk/v1/sessions/authenticate`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${token}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    // oxlint-disable-next-line no-await-in-loop
    expect([reply.status, ((await reply.json()) as { error_type: string }).error_type]).toEqual([
      401,
      'session_proof_required',
    ]);
  }
  const browser = context.browser();
  const thief = await browser!.newContext();
  trap.watch(thief);
  await bindSessions(thief);
  await thief.addCookies(await context.cookies());
  const copied = await thief.newPage();
  await copied.goto(new URL(demoPath, page.url()).href);
  await expectSignedOut(copied);
  await thief.close();

  expect(await refresh(page)).toBeTruthy();
  await logOut(page).click();
  await expectSignedOut(page);
  await expectSignedOut(tab);
  await expect.poll(async () => storedKeys(page)).toEqual([]);
  await tab.close();
});
