/**
 * The cost of a connected app's request for a signed-in user: the time from the navigation to the consent page until its buttons are
 * enabled, and the page's API requests meanwhile. Printed, never asserted.
 */
import getPort from 'get-port';
import { chromium, type Page } from 'playwright';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/lib/browsers.ts';
import { startProvider } from '../scripts/lib/provider-process.ts';
import { CLIENT_ID } from '../examples/relying-party/sign-in.ts';
import { serveDemo } from '../scripts/serve-demo.ts';
import type { PorticoClient } from '../src/composition/client.ts';
import type { Consent } from './report.ts';

const RUNS = 7;
const CALLBACK = 'http://localhost:9/callback';

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The properties of the demo page for tests. */
type DemoPage = typeof globalThis & { readonly __demo?: { readonly client: PorticoClient } };

/** Signs in on the demo page, by the code in the dev inbox. */
async function signIn(page: Page, demoUrl: string, providerUrl: string): Promise<void> {
  await page.goto(demoUrl);
  await page.waitForFunction(() => (globalThis as DemoPage).__demo?.client);
  await page.evaluate(async (inbox) => {
    const { client } = (globalThis as DemoPage).__demo ?? {};
    if (client === undefined) throw new Error('the demo page has no client');
    const { method_id } = await client.otps.email.loginOrCreate('bench@example.com');
    const [message] = await (await fetch(`${inbox}?to=bench@example.com&limit=1`)).json();
    await client.otps.authenticate(message.code, method_id, { session_duration_minutes: 60 });
  }, `${providerUrl}/dev/inbox.json`);
}

export async function measureAuthorize(): Promise<Consent> {
  const port = await getPort();
  const providerUrl = `http://localhost:${port}`;
  const demo = await serveDemo({ port: 0, providerUrl });
  const provider = await startProvider(['--dev', '--port', String(port), '--data', 'memory']);
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, demo.url, providerUrl);
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: CALLBACK,
      scope: 'openid email',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const times: number[] = [];
    let requests: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin === providerUrl && request.method() !== 'OPTIONS') requests.push(url.pathname);
    });
    for (let run = 0; run < RUNS; run += 1) {
      await page.goto('about:blank');
      requests = [];
      const started = performance.now();
      await page.goto(`${demo.url}/authorize?${query}`, { waitUntil: 'commit' });
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      times.push(performance.now() - started);
    }
    return { visible: median(times), requests };
  } finally {
    await Promise.allSettled([browser.close(), demo.close(), provider.stop()]);
  }
}
