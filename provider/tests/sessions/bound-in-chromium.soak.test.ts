import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { chromium, type BrowserContext } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { findWholeBrowser } from '#scripts/lib/browsers.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, makeProvider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { tlsFront } from '../kit/tls-front.ts';

const browser = findWholeBrowser();
/** How often the copied cookies are tried in another profile. */
const COPIES = 100;
const PROFILE = 'trusted-auth-token-profile-test';
const JWT = 'stytch_session_jwt';
/** Software keys, because a machine of tests has no security chip; and as many proofs as the test needs. */
const FEATURES = [
  '--enable-features=DeviceBoundSessions,EnableBoundSessionCredentialsSoftwareKeysForManualTesting',
  '--disable-features=DeviceBoundSessionsRefreshQuota',
];

// A whole browser for one test: the protocol itself is played without one in device-bound.test.ts.
describe.runIf(browser !== null)('a session that Chromium binds to its key', () => {
  it.each(['origin', 'site'] as const)(
    'is proved when its cookie is gone, and refused in another profile, for %s',
    async (device_bound) => {
      const site = await serveSite(device_bound);
      const folders = await Promise.all(['owner', 'thief'].map((name) => mkdtemp(join(tmpdir(), `portico-${name}-`))));
      const open = (folder = '') =>
        chromium.launchPersistentContext(folder, { executablePath: browser ?? '', args: [...FEATURES, ...site.trust] });
      const [owner, thief] = [await open(folders[0]), await open(folders[1])];
      try {
        const { token } = await administer(site.provider.services, 'trusted-token', {
          profile: PROFILE,
          email: 'a@example.com',
        });
        const page = await owner.newPage();
        await page.goto(site.page);
        const ask = (path: string, body: object) => call(owner, `${site.api}/sdk/v1${path}`, body);
        expect(await ask('/sessions/attest', { profile_id: PROFILE, token, session_duration_minutes: 60 })).toBe(200);
        // The key is registered, and on trial: the JWT's cookie lasts 30 seconds instead of two and a half minutes.
        const lasts = async () => ((await cookieOf(owner, JWT))?.expires ?? Infinity) - Date.now() / 1000;
        await expect.poll(lasts).toBeLessThan(31);
        expect(await boundKeys(site)).toEqual([null]);
        // For a site the browser first reads the file of the domain. Until then it proves nothing.
        const prove = async () => {
          await owner.clearCookies({ name: JWT });
          expect(await ask('/sessions/authenticate', {})).toBe(200);
          return boundKeys(site);
        };
        await expect.poll(prove).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256' })]);
        expect(await lasts()).toBeGreaterThan(120);
        const copied = await owner.cookies();
        await owner.clearCookies({ name: JWT });
        site.refreshes.length = 0;
        expect(await ask('/sessions/authenticate', {})).toBe(200);
        // The browser signs the challenge of the reply before, and needs no other request.
        expect(site.refreshes).toEqual([200]);
        expect(await cookieOf(owner, JWT)).toMatchObject({ httpOnly: true, secure: true });
        if (device_bound === 'site') {
          // A navigation to the app's own server waits as well.
          await owner.clearCookies({ name: JWT });
          const [, sent] = await Promise.all([page.goto(site.page), site.nextPageCookies()]);
          expect(sent).toContain(`${JWT}=`);
        }
        const token_alone = copied.filter(({ name }) => name !== JWT);
        await (await thief.newPage()).goto(site.page);
        const refusals: number[] = [];
        for (let copy = 0; copy < COPIES; copy += 1) {
          // oxlint-disable-next-line no-await-in-loop -- one copy after the other
          await thief.addCookies(token_alone);
          // oxlint-disable-next-line no-await-in-loop
          refusals.push(await call(thief, `${site.api}/sdk/v1/sessions/authenticate`, {}));
        }
        expect(refusals).toEqual(Array.from({ length: COPIES }, () => 401));
        expect(await ask('/sessions/authenticate', {})).toBe(200);
      } finally {
        await Promise.all([owner.close(), thief.close()]);
        await site.close();
        await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
      }
    },
  );
});

const boundKeys = async ({ provider }: Site) =>
  (await provider.services.db.selectFrom('sessions').select('bound_key').execute()).map(({ bound_key }) => bound_key);

const cookieOf = async (context: BrowserContext, name: string) =>
  (await context.cookies()).find((cookie) => cookie.name === name);

/** The status of a call that the open page makes. */
async function call(context: BrowserContext, url: string, body: object): Promise<number> {
  const page = context.pages().at(-1);
  const sent = { url, body: JSON.stringify(body), authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN) };
  return (
    (await page?.evaluate(async (request) => {
      const headers = { authorization: request.authorization, 'content-type': 'application/json' };
      const init = { method: 'POST', credentials: 'include', headers, body: request.body } as const;
      return (await fetch(request.url, init)).status;
    }, sent)) ?? 0
  );
}

type Site = Awaited<ReturnType<typeof serveSite>>;

/** Pages on `app.`, the provider on `api.`, and the file of the domain, each at https. */
async function serveSite(device_bound: 'origin' | 'site') {
  const late: { listener?: ReturnType<typeof getRequestListener> } = {};
  let pageCookies: (cookie: string) => void = () => {};
  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    if (host.startsWith('app.')) {
      if (request.url === '/') pageCookies(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>App</title>');
      return;
    }
    void late.listener?.(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const front = await tlsFront((server.address() as AddressInfo).port, 'portico.example');
  const { port } = new URL(front.issuer);
  const page = `https://app.portico.example:${port}`;
  const api = `https://api.portico.example:${port}`;
  const project = projectFrom(
    {
      issuer: api,
      origins: [page],
      redirect_urls: [`${page}/`],
      default_login_redirect_url: `${page}/`,
      default_signup_redirect_url: `${page}/`,
      session_cookies: { http_only: true, domain: 'portico.example', device_bound },
      trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
    },
    false,
  );
  const clock = { now: () => Date.now() };
  const provider = await makeProvider(undefined, { project, loopback: false, dev: false, clock });
  /** The statuses of the browser's own requests for a proof. */
  const refreshes: number[] = [];
  late.listener = getRequestListener(async (request, env) => {
    const reply = await provider.app.fetch(request, env);
    if (request.url.endsWith('/device_bound/refresh')) refreshes.push(reply.status);
    return reply;
  });
  const { publicKey } = new X509Certificate(await readFile(front.certificate));
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  return {
    provider,
    refreshes,
    page: `${page}/`,
    api,
    trust: [
      `--ignore-certificate-errors-spki-list=${spki}`,
      '--host-resolver-rules=MAP *.portico.example 127.0.0.1, MAP portico.example 127.0.0.1',
    ],
    nextPageCookies: async () =>
      new Promise<string>((resolve) => {
        pageCookies = resolve;
      }),
    close: async () => {
      await front.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await provider.close();
    },
  };
}
