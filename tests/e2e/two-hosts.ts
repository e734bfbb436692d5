/** A site on two hosts: pages on `app.`, the provider on `api.`, which keeps sessions in HttpOnly cookies for both. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Cookie, Page } from '@playwright/test';
import getPort from 'get-port';
import { serve } from '#scripts/lib/net.ts';
import { PATIENT_SERVER, startProvider } from '#scripts/lib/provider-process.ts';
import { PUBLIC_TOKEN, serveDemo } from '#scripts/serve-demo.ts';
import { createVerifier } from '#composition/server.ts';
import { test as base } from './fixtures.ts';
import { ALONE, GOOD, pageFor } from './password-visitor.ts';
import { expectSignedIn, newAddress } from './visitor.ts';

export const DOMAIN = 'portico.localhost';
export const APP = {
  client_id: 'connected-app-test-two-hosts',
  client_type: 'public',
  name: 'Planner',
  redirect_uris: ['http://localhost:3001/callback'],
};

export interface Site {
  readonly pages: string;
  readonly api: string;
  /** The provider for programs that do not resolve the names of the site. */
  readonly provider: string;
  /** The app's own server: answers who sent a request. */
  readonly own: string;
  /** A page of another site. */
  readonly elsewhere: string;
}

async function startSite(): Promise<{ readonly site: Site; readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-two-hosts-'));
  const file = join(folder, 'project.json');
  const project = { session_cookies: { http_only: true, domain: DOMAIN }, clients: [APP] };
  await writeFile(file, JSON.stringify(project));
  const port = await getPort();
  const api = `http://api.${DOMAIN}:${port}`;
  const provider = await startProvider(['--dev', '--port', String(port), '--data', 'memory', '--project', file], {
    main: PATIENT_SERVER,
  });
  const demo = await serveDemo({ port: 0, providerUrl: api });
  const verifier = createVerifier({
    projectId: provider.projectId,
    publicToken: PUBLIC_TOKEN,
    apiUrl: `http://localhost:${port}`,
  });
  const own = await serve((request, response) => {
    const headers = new Headers({ cookie: request.headers.cookie ?? '' });
    void verifier.authenticateRequest({ headers }, { fresh: true }).then((who) => {
      response.setHeader('content-type', 'text/plain');
      return response.end(who.status === 'signed-in' ? who.user_id : who.status);
    });
  }, 0);
  const on = (host: string, { url }: { readonly url: string }): string => url.replace('localhost', host);
  return {
    site: {
      pages: on(`app.${DOMAIN}`, demo),
      api,
      provider: `http://localhost:${port}`,
      own: on(`app.${DOMAIN}`, own),
      elsewhere: on('elsewhere.localhost', own),
    },
    async stop() {
      await Promise.all([demo.close(), own.close(), provider.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const test = base.extend<object, { readonly site: Site }>({
  site: [
    async ({}, use) => {
      const { site, stop } = await startSite();
      await use(site);
      await stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.pages),
  providerUrl: async ({ site }, use) => use(site.provider),
});

/** A new user with a password, and the cookies of a session of theirs, as the provider sets them. */
export async function newSession({ provider }: Site) {
  const email = newAddress();
  const reply = await fetch(`${provider}/sdk/v1/passwords`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${PUBLIC_TOKEN}:${PUBLIC_TOKEN}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email, password: GOOD, session_duration_minutes: 60 }),
  });
  const cookies = reply.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
    const httpOnly = line.includes('HttpOnly');
    return { name, value, domain: `.${DOMAIN}`, path: '/', httpOnly, sameSite: 'Lax' as const };
  });
  return { email, cookies };
}

/** Opens the page in a browser where that user is signed in. */
export async function openSignedIn(page: Page, site: Site): Promise<string> {
  const { email, cookies } = await newSession(site);
  await page.context().addCookies(cookies);
  await page.goto(pageFor('/', ALONE));
  await expectSignedIn(page, email);
  return email;
}

/** What the browser keeps under that name for the whole site. */
export async function cookieOf(context: BrowserContext, name: string): Promise<Cookie | undefined> {
  return (await context.cookies()).find((cookie) => cookie.name === name && cookie.path === '/');
}
