import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listOf, type BreachList } from '#provider/accounts/password-strength/breach-list.ts';
import { ClientSite, CLIENTS } from './client-site.ts';
import { driverOf, MINUTES } from './driver.ts';
import type { WidgetOptions } from './widget-options.ts';

const PASSWORD = 'a rather long and winding road 47';
const LEAKED = 'quiet lantern orbit 41';
const CALLBACK = 'https://planner.example/callback';
const CHALLENGE = 'c'.repeat(43);
const app = (client_id: string, first_party: boolean) => ({
  client_id,
  client_type: 'public',
  name: client_id,
  redirect_uris: [CALLBACK],
  scopes: ['openid'],
  first_party,
});
const PROJECT = { clients: [app('own-app', true), app('foreign-app', false)] };
const PASSWORDS: Partial<WidgetOptions> = { products: ['passwords'], config: {} };

let site: ClientSite;
let leaked: BreachList = listOf([]);
beforeAll(async () => {
  const breaches: BreachList = { hasSuffix: (prefix, suffix) => leaked.hasSuffix(prefix, suffix) };
  const pages = CLIENTS.map((each) => `${each}-widget`);
  site = await ClientSite.start(PROJECT, pages, { breaches });
});
afterAll(() => site?.close());

// In every run widgets.test.ts signs in by a widget and asks its client.
describe.each(CLIENTS)('the widgets of the client %s of this wire', (name) => {
  let context: BrowserContext;
  let page: Page;
  const address = (who: string): string => `${who}.${name}@example.com`;

  beforeEach(async () => {
    leaked = listOf([]);
    context = await site.newVisitor();
    page = await context.newPage();
    // The app's page is there, so that its navigation ends before the next one begins.
    await page.route(
      (url) => url.href.startsWith(CALLBACK),
      async (route) => route.fulfill({ contentType: 'text/html', body: '' }),
    );
  });
  afterEach(() => context.close());

  const { call, lastMessage, signIn, linkToken } = driverOf(
    () => page,
    () => site.provider,
  );
  const signedIn = async (): Promise<unknown> => (await call('user.getSync'))?.['emails'][0].email;
  const urlOf = (widget: Partial<WidgetOptions>, query: Record<string, string> = {}): string =>
    `${site.urlOf(`${name}-widget`)}?${new URLSearchParams({ ...query, widget: JSON.stringify(widget) }).toString()}`;
  const open = (widget: Partial<WidgetOptions>, query?: Record<string, string>) => page.goto(urlOf(widget, query));

  /** The page may lead on to the app before it has loaded. */
  const authorize = async (client_id: string) => {
    const url = urlOf(
      { kind: 'consent', products: [], config: {} },
      {
        client_id,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid',
        state: 'a state',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      },
    );
    await page.goto(url, { waitUntil: 'commit' });
  };
  /** The parameters with which the browser came to the app. */
  const answered = async (): Promise<URLSearchParams> => {
    const request = await page.waitForRequest((each) => each.url().startsWith(CALLBACK));
    await page.waitForURL(request.url());
    return new URL(request.url()).searchParams;
  };

  it('let an app in that needs no consent: one of the project, and one that was granted before', async () => {
    await open({});
    await signIn(address('consent'));
    const own = answered();
    await authorize('own-app');
    expect([(await own).get('error'), (await own).get('state')]).toEqual([null, 'a state']);
    expect((await own).get('code')).toMatch(/./u);

    const first = answered();
    await authorize('foreign-app');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect((await first).get('code')).toMatch(/./u);
    const again = answered();
    await authorize('foreign-app');
    expect([(await again).get('error'), (await again).get('code')]).toEqual([null, expect.stringMatching(/./u)]);
  });

  it('log in without a password from the page of a reset, and leave the password', async () => {
    const email = address('passwordless');
    await open(PASSWORDS);
    await call('passwords.create', { email, password: LEAKED, ...MINUTES });
    const url = urlOf({ ...PASSWORDS, kind: 'reset' });
    const start = { email, login_redirect_url: url, reset_password_redirect_url: url };
    // A password counts from the proof of the address on.
    await call('passwords.resetByEmailStart', start);
    await call('passwords.resetByEmail', { token: await linkToken(email), password: PASSWORD, ...MINUTES });
    await call('session.revoke');
    await call('passwords.resetByEmailStart', start);
    await page.goto((await lastMessage(email)).link ?? '');
    await page.getByRole('button', { name: 'Login without a password' }).click();
    await expect.poll(signedIn).toBe(email);
    await call('session.revoke');
    await call('passwords.authenticate', { email, password: PASSWORD, ...MINUTES });
    expect(await signedIn()).toBe(email);
  });

  it('send a reset for a right password that was found in a breach', async () => {
    const email = address('breached');
    await open(PASSWORDS);
    await call('passwords.create', { email, password: LEAKED, ...MINUTES });
    await call('session.revoke');
    leaked = listOf([LEAKED]);
    await page.locator('input[type="email"]').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('input[type="password"]').fill(LEAKED);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect.poll(() => linkToken(email).catch(() => '')).toMatch(/./u);
    await page.getByText(email).first().waitFor();
  });

  it('accept any new password where the project sets no requirements', async () => {
    const email = address('lax');
    site.useProject({ ...PROJECT, password_strength_policy: 'none' });
    await open(PASSWORDS);
    await page.locator('input[type="email"]').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('input[type="password"]').fill('abc');
    await page.getByRole('button', { name: /^(Continue|Create)/u }).click();
    await expect.poll(signedIn).toBe(email);
  });
});
