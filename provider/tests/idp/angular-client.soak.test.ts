import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { CLIENTS } from '../kit/watched-program.ts';
import { listen, stop } from './oidcc/subject.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** angular-auth-oidc-client, bundled as it is, in a browser. */
describe.runIf(existsSync(CHROMIUM)).each(EITHER_DATABASE)('a page of Angular, on %s', (_, url) => {
  let op: ServedProvider;
  let server: Server;
  let browser: Browser;
  let folder: string;
  let origin: string;
  beforeAll(async () => {
    await ensureDeps(CLIENTS);
    // Only soaks load them.
    const [{ chromium }, { build }] = await Promise.all([import('playwright'), import('vite')]);
    folder = mkdtempSync(join(tmpdir(), 'portico-angular-'));
    await build({
      root: CLIENTS,
      configFile: false,
      logLevel: 'error',
      build: {
        target: 'es2022',
        outDir: folder,
        lib: { entry: join(CLIENTS, 'angular-app.mjs'), formats: ['es'], fileName: () => 'app.js' },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
    const app = readFileSync(join(folder, 'app.js'), 'utf8');
    const site = await listen();
    ({ server } = site);
    ({ origin } = site.issuer);
    site.answer(({ url: path = '' }, response) => {
      const isScript = path === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript ? app : '<!doctype html><app-root></app-root><script type="module" src="/app.js"></script>',
      );
    });
    op = await servedProvider(url, () => ({
      clients: [
        {
          client_id: 'angular',
          client_type: 'public',
          name: 'Angular',
          redirect_uris: [`${origin}/`],
          post_logout_redirect_uris: [`${origin}/`],
          scopes: ['openid', 'profile', 'email', 'offline_access'],
        },
      ],
    }));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([stop(server), op.close()]);
  });

  /** Calls what the page offers, once it is there. */
  const call = async (page: Page, name: string): Promise<Fields> => {
    await page.waitForFunction(() => 'app' in globalThis);
    return page.evaluate(`window.app.${name}()`);
  };

  it('signs in, refreshes, and logs out at the provider', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/?authority=${encodeURIComponent(op.issuer)}`);
    expect(await call(page, 'checked')).toMatchObject({ isAuthenticated: false });
    const back = page.waitForURL((at) => at.origin === origin && at.searchParams.has('code'));
    await call(page, 'authorize').catch(() => undefined);
    await back;
    const first = await call(page, 'checked');
    expect(first).toMatchObject({
      isAuthenticated: true,
      userData: { sub: op.user['user_id'], email: 'edith@example.com' },
    });
    const next = await call(page, 'refresh');
    expect(next).toMatchObject({ isAuthenticated: true });
    expect(next['accessToken']).not.toBe(first['accessToken']);
    const left = page.waitForRequest((request) => request.url().startsWith(`${op.issuer}/oauth2/logout`));
    await call(page, 'leave').catch(() => undefined);
    expect(new URL((await left).url()).searchParams.has('id_token_hint')).toBe(true);
    await page.waitForURL((at) => at.origin === origin);
    expect(await call(page, 'checked')).toMatchObject({ isAuthenticated: false });
    const { db } = op.provider.services;
    expect(await db.selectFrom('oauth_refresh_tokens').selectAll().execute()).toEqual([]);
    await page.close();
  });
});
