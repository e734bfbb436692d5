/** The demo as a host whose client binds its sessions to a key of the browser. */
import type { Page } from '@playwright/test';
import { serveDemo } from '#scripts/serve-demo.ts';
import { test as base } from './fixtures.ts';

interface DemoClient {
  readonly session: {
    getTokens(): { readonly session_token: string; readonly session_jwt: string } | null;
    getSync(): { readonly device_bound?: boolean } | null;
    authenticate(options?: object): Promise<{ readonly session: { readonly session_id: string } }>;
  };
}
type DemoWindow = Window & { readonly __demo: { readonly client: DemoClient } };

/** `baseURL` is that of demo pages whose client has the bound transport. */
export const test = base.extend({
  baseURL: async ({ providerUrl }, use) => {
    const demo = await serveDemo({ port: 0, providerUrl, bound: true });
    await use(demo.url);
    await demo.close();
  },
});

export const tokensOf = async (page: Page) =>
  page.evaluate(() => (window as unknown as DemoWindow).__demo.client.session.getTokens());
export const refresh = async (page: Page) =>
  page.evaluate(
    async () =>
      (await (window as unknown as DemoWindow).__demo.client.session.authenticate({ session_duration_minutes: 60 }))
        .session.session_id,
  );
/** What the key of the session is in this browser, and whether a script can read its private half. */
export const storedKeys = async (page: Page) =>
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

/** Whether the page's client says that its session is bound. */
export const isBound = async (page: Page) =>
  page.evaluate(() => (window as unknown as DemoWindow).__demo.client.session.getSync()?.device_bound);
