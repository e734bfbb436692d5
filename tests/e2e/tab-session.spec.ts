/** The recipe of `docs/writing-an-adapter.md` for a session that ends with its tab. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bundleHost } from '../../bench/host-bundle.ts';
import { serve } from '#scripts/lib/net.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import type { PorticoClient } from '#composition/client.ts';
import { DOCUMENTED_PROVIDER, exampleNamed } from '../unit/docs/examples.ts';
import { expect, test } from './fixtures.ts';
import { newAddress } from './visitor.ts';

type Host = typeof globalThis & { readonly client: PorticoClient };

/** The scripts of a page with the recipe, by their path. */
async function scriptsFor(provider: string): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-tab-session-'));
  try {
    const recipe = join(folder, 'tab-session.ts');
    writeFileSync(recipe, exampleNamed('tab-session.ts').source.replace(DOCUMENTED_PROVIDER, provider));
    const chunks = await bundleHost(
      `import { client } from ${JSON.stringify(recipe)}; Object.assign(globalThis, { client });`,
      {
        input: 'host',
        alias: ['headless', 'adapters'].map((name) => ({
          find: new RegExp(`^portico/${name}$`, 'u'),
          replacement: join(ROOT, 'dist', `${name}.js`),
        })),
        output: { entryFileNames: 'host.js', chunkFileNames: '[name]-[hash].js' },
      },
    );
    return new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The address of the signed-in user, as the server confirms it; null for nobody. */
const userIn = (page: Page): Promise<string | null> =>
  page.evaluate(async () => {
    const { client } = globalThis as Host;
    await client.session.authenticate().catch(() => undefined);
    return client.user.getSync()?.emails[0]?.email ?? null;
  });

test('a session of the tab alone ends with the tab', async ({ context, inbox, providerUrl, trap }) => {
  trap.allow(/status of 401 .*\/sdk\/v1\/sessions\/authenticate/u);
  const scripts = await scriptsFor(providerUrl);
  const server = await serve((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script === undefined)
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="/host.js"></script>');
    else response.setHeader('content-type', 'text/javascript').end(script);
  }, 0);
  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(server.url);
    return page;
  };
  try {
    const page = await open();
    const email = newAddress();
    const method = await page.evaluate(
      async (to) => (await (globalThis as Host).client.otps.email.loginOrCreate(to)).method_id,
      email,
    );
    const code = await inbox.codeFor(email);
    await page.evaluate(
      async ([passcode, id]) => {
        await (globalThis as Host).client.otps.authenticate(passcode, id, { session_duration_minutes: 60 });
      },
      [code, method] as const,
    );
    expect(await userIn(page)).toBe(email);
    await page.reload();
    expect(await userIn(page), 'after a reload').toBe(email);
    expect(await context.cookies(server.url), 'no cookie outlives the tab').toEqual([]);
    expect(await page.evaluate(() => Object.entries(localStorage).join(' '))).not.toContain(email);

    const beside = await open();
    expect(await userIn(beside), 'in a tab beside it').toBe(null);
    await beside.close();

    // As a browser that reopens the tab later, with its sessionStorage.
    const reopened = await open();
    const stored = await page.evaluate(() => Object.entries(sessionStorage) as [string, string][]);
    await reopened.addInitScript((values) => {
      for (const [key, value] of values) sessionStorage.setItem(key, value);
      sessionStorage.setItem('left_at', String(Date.now() - 60_000));
    }, stored);
    await reopened.reload();
    expect(await userIn(reopened), 'in the tab that the browser reopened').toBe(null);
    await reopened.close();

    await page.close();
    const later = await open();
    expect(await userIn(later), 'after the tab was closed').toBe(null);
    await later.close();
  } finally {
    await server.close();
  }
});
