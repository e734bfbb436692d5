/** WebKit on a screen that nobody sees. Each test has a browser with a profile of its own, which lives in memory. */
import { writeFile } from 'node:fs/promises';
import { test as base, expect } from '@playwright/test';
import getPort from 'get-port';
import { start, stop, untilSays } from '#scripts/lib/run.ts';
import { findWebKit } from '#scripts/lib/webkit.ts';
import { PUBLIC_TOKEN, serveDemo } from '#scripts/serve-demo.ts';
import { makeInbox, type Inbox } from '../e2e/fixtures.ts';
import { openStandaloneSite, type PrerenderedSite } from '../e2e/prerendered-site.ts';
import { Browser } from './webdriver.ts';

interface Fixtures {
  /** Flags of MiniBrowser. */
  readonly flags: readonly string[];
  readonly inbox: Inbox;
  readonly webkit: Browser;
  readonly site: PrerenderedSite;
  /** The address of demo pages that bind sessions to a key of the browser. */
  readonly boundDemo: string;
}

/** The addresses of the demo pages and of the other app. */
export const DEMO = process.env['PORTICO_DEMO_URL'] ?? '';
export const APP = process.env['PORTICO_APP_URL'] ?? '';
export const PROVIDER = process.env['PORTICO_PROVIDER_URL'] ?? '';

const ask = (path: string, body: object, secret = PUBLIC_TOKEN): Promise<Response> =>
  fetch(`${PROVIDER}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${PUBLIC_TOKEN}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:143.0) Firefox/143.0',
    },
    body: JSON.stringify(body),
  });

/** The status and error type of a check of the session by a program that has its token alone. */
export async function checkAlone(session_token: string): Promise<readonly [number, string]> {
  const reply = await ask('/sessions/authenticate', {}, session_token);
  return [reply.status, ((await reply.json()) as { error_type: string }).error_type];
}

/** The token of a session of this address in Firefox on Windows: the driver opens one browser at a time. */
export async function signInElsewhere(inbox: Inbox, email: string): Promise<string> {
  const [before] = await inbox.messagesTo(email);
  const sent = (await (await ask('/otps/email/login_or_create', { email })).json()) as { data: { method_id: string } };
  const token = await inbox.codeFor(email, before && { after: before.id });
  const { method_id } = sent.data;
  const reply = await ask('/otps/authenticate', { token, method_id, session_duration_minutes: 60 });
  return ((await reply.json()) as { data: { session_token: string } }).data.session_token;
}

async function startDriver(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const programs = findWebKit();
  if ('reason' in programs) throw new Error(programs.reason);
  const size = ['-screen', '0', '1440x1100x24'];
  const screen = start(programs.screen, ['-displayfd', '1', ...size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, display = ''] = await untilSays(screen, /^(\d+)\n/u);
  const port = await getPort();
  const driver = start(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${url}/status`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { intervals: [20] },
    )
    .toBe(true);
  return {
    url,
    async close() {
      await stop(driver);
      await stop(screen);
    },
  };
}

export const test = base.extend<Fixtures, { readonly driver: string }>({
  driver: [
    async ({}, use) => {
      const { url, close } = await startDriver();
      await use(url);
      await close();
    },
    { scope: 'worker' },
  ],
  inbox: async ({}, use) => use(makeInbox(PROVIDER)),
  flags: [[], { option: true }],
  webkit: async ({ driver, flags }, use, info) => {
    const webkit = await Browser.open(driver, flags);
    await use(webkit);
    if (info.status !== info.expectedStatus) await writeFile(info.outputPath('webkit.png'), await webkit.screenshot());
    await webkit.close();
  },
  site: async ({}, use) => {
    const { site, close } = await openStandaloneSite(PROVIDER);
    await use(site);
    await close();
  },
  boundDemo: async ({}, use) => {
    const demo = await serveDemo({ port: 0, providerUrl: PROVIDER, bound: true });
    await use(demo.url);
    await demo.close();
  },
});

export { expect };
