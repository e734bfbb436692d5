import type { Page } from '@playwright/test';
import type { PorticoUIClient } from '#composition/ui-client.ts';
import { expect, test } from './fixtures.ts';
import { fetchReply } from './forward.ts';
import { emailField, expectSignedIn, heading, logOut, newAddress, widget } from './visitor.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CONFIG = {
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: {
    providers: [
      {
        type: 'google',
        custom_scopes: ['https://www.example.com/auth/calendar'],
        provider_params: { hd: 'example.com' },
      },
      { type: 'github' },
      { type: 'myspace' },
      { type: 'linkedin' },
    ],
  },
};
const open = (page: Page, demoPath: string, config: object = CONFIG) =>
  page.goto(`${demoPath}?config=${encoded(config)}`);
const button = (page: Page, name: string | RegExp) => widget(page).getByRole('button', { name });

/** On the provider's account page. */
async function chooseAccount(page: Page, provider: string, address: string): Promise<void> {
  await expect(page.getByRole('heading', { name: `Sign in with ${provider}` })).toBeVisible();
  await page.getByLabel('Another email address').fill(address);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

for (const [provider, ...tag] of [
  ['Google', '@every'],
  ['GitHub', '@soak'],
  ['LinkedIn', '@soak'],
] as const) {
  test(`signs in with ${provider}, and out again`, { tag }, async ({ page, demoPath }) => {
    const address = newAddress();
    await open(page, demoPath);
    await button(page, `Continue with ${provider}`).click();
    await chooseAccount(page, provider, address);
    await expectSignedIn(page, address);
    await expect(page).toHaveURL(/\/authenticate$/);
    // The page checks its session once, and the answer to that must not come after the logout.
    const checked = page.waitForResponse(/\/sessions\/authenticate$/);
    await open(page, demoPath);
    await expectSignedIn(page, address);
    await checked;
    await logOut(page).click();
    await expect(button(page, `Continue with ${provider} Last used`)).toBeVisible();
    await expect(widget(page).getByText('Last used')).toHaveCount(1);
    await page.reload();
    await expect(button(page, `Continue with ${provider} Last used`)).toBeVisible();
  });
}

test(
  'takes everything along that the host said, and a proof key where the project requires one',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.route('**/sdk/v1/projects/bootstrap/**', async (route) => {
      const reply = await fetchReply(route);
      const { data } = JSON.parse(reply.body);
      await route.fulfill({ ...reply, body: JSON.stringify({ data: { ...data, pkce_required_for_oauth: true } }) });
    });
    const address = newAddress();
    await open(page, demoPath);
    const started = page.waitForRequest(/\/v1\/public\/oauth\/google\/start/);
    await button(page, 'Continue with Google').click();
    const { searchParams } = new URL((await started).url());
    expect(searchParams.get('custom_scopes')).toBe('https://www.example.com/auth/calendar');
    expect(searchParams.get('provider_hd')).toBe('example.com');
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('login_redirect_url')).toContain('/authenticate');
    expect(searchParams.get('signup_redirect_url')).toContain('/authenticate');
    const finished = page.waitForRequest(/\/oauth\/authenticate$/);
    await chooseAccount(page, 'Google', address);
    expect((await finished).postDataJSON()).toMatchObject({ code_verifier: expect.any(String) });
    await expectSignedIn(page, address);
  },
);

test('starts by a form, with nothing that it carries in an address', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.route('**/sdk/v1/projects/bootstrap/**', async (route) => {
    const reply = await fetchReply(route);
    const { data } = JSON.parse(reply.body);
    await route.fulfill({ ...reply, body: JSON.stringify({ data: { ...data, pkce_required_for_oauth: true } }) });
  });
  const address = newAddress();
  const visited: string[] = [];
  await open(page, demoPath);
  page.on('request', (request) => {
    if (request.isNavigationRequest()) visited.push(request.url());
  });
  await expect(button(page, 'Continue with GitHub')).toBeVisible();
  const started = page.waitForRequest(/\/v1\/public\/oauth\/github\/start/);
  await page.evaluate(() => {
    const { client } = (window as unknown as { __demo: { client: PorticoUIClient } }).__demo;
    const back = `${location.origin}/authenticate`;
    const redirects = { login_redirect_url: back, signup_redirect_url: `${back}?new=1` };
    const options = { custom_scopes: ['repo'], provider_params: { ui: 'plain' }, ...redirects };
    void client.oauth.github.start({ method: 'POST', ...options });
  });
  const request = await started;
  expect([request.method(), new URL(request.url()).search]).toEqual(['POST', '']);
  const fields = new URLSearchParams(request.postData() ?? '');
  expect([...fields.keys()]).toEqual([
    'public_token',
    'code_challenge',
    'custom_scopes',
    'provider_ui',
    'login_redirect_url',
    'signup_redirect_url',
  ]);
  const finished = page.waitForRequest(/\/oauth\/authenticate$/);
  await chooseAccount(page, 'GitHub', address);
  expect((await finished).postDataJSON()).toMatchObject({ code_verifier: expect.any(String) });
  await expectSignedIn(page, address);
  expect(visited.length).toBeGreaterThan(3);
  const secrets = ['public_token', 'provider_ui', '_redirect_url', fields.get('code_challenge') ?? ''];
  for (const url of visited) for (const text of secrets) expect(url).not.toContain(text);
});

test(
  'shows Main in order, with an or before the form and no button for an unknown provider',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await open(page, demoPath);
    await expect(widget(page).getByRole('button')).toHaveText([
      'Continue with Google',
      'Continue with GitHub',
      'Continue with LinkedIn',
      'Continue with email',
    ]);
    await expect(widget(page).getByText('or', { exact: true })).toHaveCount(1);
    await expect(widget(page).locator('[data-part=provider-mark]:has(path)')).toHaveCount(3);
    await expect.poll(() => warnings.filter((text) => text.includes('myspace')).length).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await expect(widget(page).locator('[data-part=provider-mark]:has(path)')).toHaveCount(3);
      expect(await axe(page)).toEqual([]);
    }
  },
);

test('the marks come into places kept for them: nothing moves', { tag: '@soak' }, async ({ page, demoPath }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/(?:standalone-)?marks[^/]*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await open(page, demoPath);
  const github = button(page, 'Continue with GitHub');
  await expect(github).toBeVisible();
  // Google's comes with the first rendering.
  await expect(widget(page).locator('[data-part=provider-mark]:has(path)')).toHaveCount(1);
  const label = () => github.locator('span').boundingBox();
  const before = [await github.boundingBox(), await label(), await emailField(page).boundingBox()];
  release();
  await expect(widget(page).locator('[data-part=provider-mark]:has(path)')).toHaveCount(3);
  expect([await github.boundingBox(), await label(), await emailField(page).boundingBox()]).toEqual(before);
});

test(
  'begins once for many presses, and can be chosen again when the page is back',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/net::ERR_ABORTED|Failed to load/);
    const starts: string[] = [];
    await page.route('**/v1/public/oauth/**', async (route) => {
      starts.push(route.request().url());
      await route.abort('aborted');
    });
    await open(page, demoPath);
    const github = button(page, 'Continue with GitHub');
    await github.dblclick();
    await expect.poll(() => starts.length).toBe(1);
    await expect(github).toHaveAttribute('aria-busy', 'true');
    await expect(button(page, 'Continue with Google')).toHaveAttribute('aria-disabled', 'true');
    await button(page, 'Continue with Google').click({ force: true });
    await github.click({ force: true });
    // The browser shows the page from its back-forward cache.
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expect(github).not.toHaveAttribute('aria-busy', 'true');
    expect(starts.length).toBe(1);
    await github.click();
    await expect.poll(() => starts.length).toBe(2);
  },
);

test(
  'whoever comes back by the browser’s back button finds the page as it was',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await open(page, demoPath);
    await button(page, 'Continue with GitHub').click();
    await expect(page.getByRole('heading', { name: 'Sign in with GitHub' })).toBeVisible();
    await page.goBack();
    await expect(button(page, 'Continue with GitHub')).not.toHaveAttribute('aria-disabled', 'true');
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
  },
);

test(
  'a login that was denied leads back to the page, which shows a message and offers every way on',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    await open(page, demoPath);
    const oauthOptions = { ...CONFIG.oauthOptions, loginRedirectURL: page.url() };
    await open(page, demoPath, { ...CONFIG, oauthOptions });
    await button(page, 'Continue with GitHub').click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(widget(page)).toContainText('You did not continue with GitHub.');
    expect(page.url()).toBe(oauthOptions.loginRedirectURL);
    await expect(widget(page).getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
    expect(await axe(page)).toEqual([]);
    await page.reload();
    await expect(emailField(page)).toBeVisible();
    await expect(widget(page)).not.toContainText('You did not continue');
  },
);

test(
  'a login that failed at the provider leads back to the page, which shows a message and offers every way on',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    await open(page, demoPath);
    const oauthOptions = { ...CONFIG.oauthOptions, loginRedirectURL: page.url() };
    await open(page, demoPath, { ...CONFIG, oauthOptions });
    await button(page, 'Continue with GitHub').click();
    await expect(page.getByRole('heading', { name: 'Sign in with GitHub' })).toBeVisible();
    // What the provider answers where it is out of order.
    const request = new URL(page.url());
    const answer = new URL(request.searchParams.get('redirect_uri') ?? '');
    answer.search = new URLSearchParams({
      error: 'temporarily_unavailable',
      state: request.searchParams.get('state') ?? '',
      iss: request.href.slice(0, request.href.indexOf('/authorize')),
    }).toString();
    await page.goto(answer.href);
    await expect(widget(page)).toContainText('The login with GitHub did not work.');
    expect(page.url()).toBe(oauthOptions.loginRedirectURL);
    expect(await axe(page)).toEqual([]);
    await button(page, 'Continue with GitHub').click();
    await expect(page.getByRole('heading', { name: 'Sign in with GitHub' })).toBeVisible();
  },
);

test('a page without a widget receives a denied login, too', { tag: '@soak' }, async ({ page, demoPath }) => {
  await open(page, demoPath);
  await button(page, 'Continue with GitHub').click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('heading', { name: 'You were not logged in' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expect(emailField(page)).toBeVisible();
});
