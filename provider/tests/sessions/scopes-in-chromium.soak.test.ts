import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { build } from 'vite';
import { namedFolders } from '#scripts/vite/named-folders.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROWSER_ARGS, findTestBrowser } from '#scripts/lib/browsers.ts';
import type { CookieOptions } from '#application/session/cookie-options.ts';
import type { PorticoClient } from '#composition/client.ts';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { tlsFront } from '../kit/tls-front.ts';

const browserPath = findTestBrowser();
const PROFILE = 'trusted-auth-token-profile-test';
const DOMAIN = 'portico.example';
const NAMES = ['stytch_session', 'stytch_session_jwt'];

/** Pages of two projects on a domain and on its subdomain, each with a provider, at https. */
async function serveSite() {
  const listeners = new Map<string, ReturnType<typeof getRequestListener>>();
  const script = await bundled();
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? '';
    const listener = listeners.get(host);
    if (listener !== undefined) return void listener(request, response);
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>App</title><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const front = await tlsFront((server.address() as AddressInfo).port, DOMAIN);
  const { port } = new URL(front.issuer);
  const at = (host: string): string => `https://${host}:${port}`;
  const clock = { now: () => Date.now() };

  async function addProject(name: string, pageHost: string, apiHost: string) {
    const page = at(pageHost);
    const made = (session_cookies: Fields) =>
      projectFrom(
        {
          project_id: `project-test-${name}`,
          public_token: `public-token-test-${name}`,
          issuer: at(apiHost),
          origins: [page],
          redirect_urls: [`${page}/`],
          default_login_redirect_url: `${page}/`,
          default_signup_redirect_url: `${page}/`,
          trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
          session_cookies,
        },
        false,
      );
    const provider: Provider = await makeProvider(undefined, { project: made({}), loopback: false, dev: false, clock });
    const keep = (session_cookies: Fields): void => {
      const app = createApp({
        ...provider.services,
        clock,
        project: made(session_cookies),
        loopback: false,
        dev: false,
      });
      listeners.set(
        apiHost,
        getRequestListener(async (request, env) => app.fetch(request, env)),
      );
    };
    keep({});
    let users = 0;
    return {
      provider,
      keep,
      /** Opens the page with these options, and waits for the first check of its session. */
      async open(context: BrowserContext, cookieOptions: CookieOptions = {}): Promise<Page> {
        const settings = { publicToken: `public-token-test-${name}`, apiUrl: at(apiHost), cookieOptions };
        const tab = await context.newPage();
        await tab.goto(`${page}/app/page#${encodeURIComponent(JSON.stringify(settings))}`);
        await expect.poll(async () => tab.evaluate(() => 'client' in window)).toBe(true);
        await tab.evaluate(async () => (window as unknown as Host).client.session.authenticate().catch(() => null));
        return tab;
      },
      async logIn(tab: Page): Promise<string | null> {
        users += 1;
        const { token } = await administer({ ...provider.services, clock }, 'trusted-token', {
          profile: PROFILE,
          email: `${name}-${users}@example.com`,
        });
        await tab.evaluate(
          async ([profile_id = '', sent = '']) =>
            void (await (window as unknown as Host).client.session.attest({
              profile_id,
              token: sent,
              session_duration_minutes: 60,
            })),
          [PROFILE, token],
        );
        return sessionOf(tab);
      },
    };
  }

  const { publicKey } = new X509Certificate(await readFile(front.certificate));
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const outer = await addProject('outer', DOMAIN, `api.${DOMAIN}`);
  const inner = await addProject('inner', `docs.${DOMAIN}`, `api.docs.${DOMAIN}`);
  return {
    outer,
    inner,
    args: [
      `--ignore-certificate-errors-spki-list=${spki}`,
      `--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1, MAP ${DOMAIN} 127.0.0.1`,
    ],
    close: async () => {
      await front.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([outer.provider.close(), inner.provider.close()]);
    },
  };
}

interface Host {
  readonly client: PorticoClient;
}

async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [namedFolders],
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('../kit/scoped-page.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  });
  const [first] = [built].flat() as readonly { readonly output: readonly { readonly code?: string }[] }[];
  return first?.output[0]?.code ?? '';
}

const sessionOf = async (tab: Page): Promise<string | null> =>
  tab.evaluate(() => (window as unknown as Host).client.session.getSync()?.session_id ?? null);

const signOut = async (tab: Page): Promise<void> =>
  tab.evaluate(async () => void (await (window as unknown as Host).client.session.revoke()));

/** The session's cookies that the browser keeps, as `name domain path`. */
const keptIn = async (context: BrowserContext): Promise<readonly string[]> =>
  (await context.cookies())
    .filter(({ name }) => NAMES.includes(name))
    .map(({ name, domain, path }) => `${name} ${domain} ${path}`)
    .sort();

const pairAt = (place: string): readonly string[] => NAMES.map((name) => `${name} ${place}`);

// The same walks run on a jar in cookie-scopes.test.ts and cookie-places.test.ts.
describe.runIf(browserPath !== null)('cookies of an earlier scope in Chromium', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let browser: Browser;
  beforeAll(async () => {
    site = await serveSite();
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: [...BROWSER_ARGS, ...site.args] });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('are expired by their client, and another project on the parent domain keeps its own', async () => {
    const context = await browser.newContext();
    const there = await site.outer.open(context, { availableToSubdomains: true });
    const outer = await site.outer.logIn(there);
    const others = pairAt(`.${DOMAIN} /`);
    let tab = await site.inner.open(context);
    const inner = await site.inner.logIn(tab);
    for (const [options, place] of [
      [{}, `docs.${DOMAIN} /`],
      [{ availableToSubdomains: true }, `.docs.${DOMAIN} /`],
      [{ path: '/app' }, `docs.${DOMAIN} /app`],
      [{}, `docs.${DOMAIN} /`],
    ] as const) {
      await tab.close();
      tab = await site.inner.open(context, options);
      expect(await sessionOf(tab)).toBe(inner);
      await expect.poll(async () => keptIn(context)).toEqual([...pairAt(place), ...others].sort());
    }
    await signOut(tab);
    await expect.poll(async () => keptIn(context)).toEqual(others);
    await there.reload();
    expect(await sessionOf(await site.outer.open(context, { availableToSubdomains: true }))).toBe(outer);
    const again = await site.inner.logIn(tab);
    await tab.close();
    expect(await sessionOf(await site.inner.open(context))).toBe(again);
    await context.close();
  });

  it('are expired by the provider, where it keeps them in HttpOnly cookies', async () => {
    const context = await browser.newContext();
    site.outer.keep({ http_only: true, domain: DOMAIN });
    site.inner.keep({ http_only: true, domain: `docs.${DOMAIN}` });
    const there = await site.outer.open(context);
    const outer = await site.outer.logIn(there);
    let tab = await site.inner.open(context);
    const inner = await site.inner.logIn(tab);
    const all = [...pairAt(`.${DOMAIN} /`), ...pairAt(`.docs.${DOMAIN} /`)].sort();
    expect(await keptIn(context)).toEqual(all);
    // Each project asks again, beside the cookies of the other one.
    tab = await site.inner.open(context);
    expect(await sessionOf(tab)).toBe(inner);
    expect(await sessionOf(await site.outer.open(context))).toBe(outer);
    expect(await keptIn(context)).toEqual(all);
    site.inner.keep({ http_only: true, domain: `docs.${DOMAIN}`, names: { token: 'a', jwt: 'b' } });
    const renamed = await site.inner.open(context, { opaqueTokenCookieName: 'a', jwtCookieName: 'b' });
    const next = await site.inner.logIn(renamed);
    expect(await keptIn(context)).toEqual(pairAt(`.${DOMAIN} /`));
    expect(await sessionOf(renamed)).toBe(next);
    expect(await sessionOf(await site.outer.open(context))).toBe(outer);
    await context.close();
  });
});
