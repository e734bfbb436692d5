import type { Page } from '@playwright/test';
import { expect, test, type Inbox } from './fixtures.ts';
import { fetchReply } from './forward.ts';
import { emailField, enterNewCode, hasFocus, heading, newAddress, widget } from './visitor.ts';

const APP = process.env['PORTICO_APP_URL'] ?? '';
/** The example of RFC 7636, appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const REQUEST = {
  client_id: 'client-demo-relying-party',
  redirect_uri: `${APP}/callback`,
  response_type: 'code',
  scope: 'openid email',
  state: 's 1',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

const button = (page: Page, name: string) => widget(page).getByRole('button', { name });
const atApp = (page: Page) => page.getByRole('heading', { name: 'You are signed in' });

function pathFor(demoPath: string, query: Readonly<Record<string, string>>): string {
  const build: Record<string, string> = demoPath === '/' ? {} : { build: 'standalone' };
  return `/authorize?${new URLSearchParams({ ...query, ...build }).toString()}`;
}

/** Logs in on the page for other apps, which then asks. */
async function logIn(page: Page, inbox: Inbox, address = newAddress()): Promise<string> {
  await enterNewCode(page, inbox, address);
  return address;
}

/** What an app that is not there would be answered. */
async function answersOf(page: Page): Promise<readonly URL[]> {
  const answers: URL[] = [];
  await page.context().route(`${APP}/callback**`, async (route) => {
    answers.push(new URL(route.request().url()));
    await route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>App</title><h1>Back at the app</h1>',
    });
  });
  return answers;
}

test(
  'another app signs its user in here, unasked the second time, and logs out',
  { tag: '@every' },
  async ({ page, inbox, trap }) => {
    // The check of the page that logs out may reach the server too late.
    trap.allow(/status of 401 .*\/sdk\/v1\/sessions\/authenticate/u);
    await page.goto(APP);
    const app = await page.locator('header strong').innerText();
    await page.getByRole('button', { name: 'Sign in with Portico' }).click();
    const address = await logIn(page, inbox);
    await expect(heading(page, `Sign in to ${app} with Portico Demo`)).toBeVisible();
    // Any program of this machine could be the app, so nobody vouches for it.
    await expect(widget(page)).toContainText('You will go on to an app on this device.');
    await expect(widget(page)).not.toContainText(/verified by/i);
    await expect(widget(page).getByRole('link', { name: 'Connected apps' })).toHaveAttribute('href', '/account');
    await button(page, 'Allow').click();
    await expect(atApp(page)).toBeVisible();
    await expect(page.locator('main')).toContainText(address);
    await page.goto(`${APP}/callback?code=spent&state=old`);
    await expect(atApp(page)).toBeVisible();

    await page.context().clearCookies({ name: 'planner' });
    await page.goto(APP);
    await page.getByRole('button', { name: 'Sign in with Portico' }).click();
    await expect(atApp(page)).toBeVisible();
    await expect(page.locator('main')).toContainText(address);

    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in with Portico' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign in with Portico' }).click();
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
  },
);

test(
  'who denies goes back without a code, and is asked again',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const answers = await answersOf(page);
    await page.goto(pathFor(demoPath, REQUEST));
    await logIn(page, inbox);
    await button(page, 'Deny').click();
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    expect(Object.fromEntries(answers[0]?.searchParams ?? [])).toMatchObject({ error: 'access_denied', state: 's 1' });
    await page.goto(pathFor(demoPath, REQUEST));
    await expect(button(page, 'Allow')).toBeVisible();
    expect(answers).toHaveLength(1);
  },
);

test(
  'who denies is told so by the app, in the words of the standard',
  { tag: ['@every', '@soak'] },
  async ({ page, inbox, trap }) => {
    trap.allow(/status of 400/);
    await page.goto(APP);
    await page.getByRole('button', { name: 'Sign in with Portico' }).click();
    await logIn(page, inbox);
    await button(page, 'Deny').click();
    await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(/did not allow Weekly Planner/u);
  },
);

test(
  'who is signed in is said, and another account can be used for the app that asked',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const answers = await answersOf(page);
    await page.goto(pathFor(demoPath, REQUEST));
    const first = await logIn(page, inbox);
    await expect(heading(page, 'Sign in to Weekly Planner with Portico Demo')).toBeVisible();
    await expect(widget(page)).toContainText(`Signed in as ${first}`);
    await button(page, 'Use another account').click();
    await expect.poll(() => hasFocus(emailField(page))).toBe(true);
    const second = await logIn(page, inbox);
    await expect(widget(page)).toContainText(`Signed in as ${second}`);
    await expect(widget(page)).not.toContainText(first);
    expect(answers).toEqual([]);
    await button(page, 'Allow').click();
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    expect(answers[0]?.searchParams.get('state')).toBe('s 1');
    expect(answers[0]?.searchParams.get('code')).toBeTruthy();
  },
);

test(
  'the page says what is requested, in both schemes without accessibility faults',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, axe }) => {
    const answers = await answersOf(page);
    // Other runs of this test log in with the same address, and allow the same.
    await page.goto(
      pathFor(demoPath, { ...REQUEST, prompt: 'consent', scope: 'openid read:documents write:documents' }),
    );
    await logIn(page, inbox, 'viewer@portico.example');
    await expect(heading(page, 'Weekly Planner wants to access your Portico Demo account')).toBeVisible();
    await expect(widget(page)).toContainText('You will go on to an app on this device.');
    await expect(widget(page)).toContainText('Signed in as viewer@portico.example');
    await expect(widget(page).getByRole('heading', { name: 'Weekly Planner is requesting to:' })).toBeVisible();
    await expect(widget(page).locator('li').filter({ hasText: 'Read your documents' })).toBeVisible();

    const notice = 'You do not have permissions to grant Weekly Planner access to some of the requested scopes.';
    await expect(widget(page).getByText('Change your documents')).toBeHidden();
    await widget(page).getByText(notice).click();
    await expect(widget(page)).toContainText("You cannot grant Weekly Planner's request to:");
    await expect(widget(page).getByText('Change your documents')).toBeVisible();
    await widget(page).getByText('Confirm who you are').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    for (const colorScheme of ['light', 'dark'] as const) {
      // A colour on its way to another has a contrast of its own.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // A message of the inbox may still be arriving.
      await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
      expect(await axe(page)).toEqual([]);
    }
    await button(page, 'Allow').dblclick();
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    expect(answers).toHaveLength(1);
    expect(answers[0]?.searchParams.get('code')).toBeTruthy();
  },
);

test(
  'an address that is wrong is said to be, and leads nowhere',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/status of 4\d\d/);
    const answers = await answersOf(page);
    const { redirect_uri: _, ...without } = REQUEST;
    await page.goto(pathFor(demoPath, without));
    await logIn(page, inbox);
    await expect(widget(page)).toContainText(
      'Required parameter is missing: redirect_uri. Please reach out to the application developer.',
    );
    await page.goto(pathFor(demoPath, { ...REQUEST, redirect_uri: 'https://evil.example/callback' }));
    await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
    // The same request would be refused again.
    await expect(button(page, 'Try again')).toHaveCount(0);
    await page.goto(pathFor(demoPath, { ...REQUEST, client_id: 'nobody' }));
    await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
    expect(answers).toEqual([]);
  },
);

test(
  'without a session the widget shows a message; one in another tab is enough',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox, trap }) => {
    trap.allow(/status of 401/);
    await page.goto(pathFor(demoPath, REQUEST));
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('div'), { id: 'consent' }));
      const { client } = (window as unknown as { __demo: { client: { mountIdentityProvider(o: object): void } } })
        .__demo;
      client.mountIdentityProvider({ elementId: '#consent' });
    });
    const consent = page.locator('#consent');
    await expect(consent).toContainText('No active session detected. Please log in to continue.');
    const other = await context.newPage();
    await other.goto(demoPath);
    await logIn(other, inbox);
    await expect(consent.getByRole('button', { name: 'Allow' })).toBeVisible();
  },
);

test(
  'an app that wants a fresh login gets one, once, from the endpoint to the page',
  { tag: ['@every', '@soak'] },
  async ({ page, providerUrl, inbox, trap }) => {
    trap.allow(/status of 403/);
    const answers = await answersOf(page);
    const open = (prompt: string) =>
      page.goto(`${providerUrl}/oauth2/authorize?${new URLSearchParams({ ...REQUEST, prompt }).toString()}`);
    await open('consent');
    const address = await logIn(page, inbox);
    await button(page, 'Allow').click();
    // The browser has arrived at the app: a navigation that goes on would end the next one.
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    await open('login');
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
    await logIn(page, inbox, address);
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    expect(answers.map(({ searchParams }) => [searchParams.has('code'), searchParams.get('state')])).toEqual([
      [true, 's 1'],
      [true, 's 1'],
    ]);
  },
);

test(
  'an app that wants no page shown is answered without one',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, trap }) => {
    trap.allow(/status of 401/);
    const answers = await answersOf(page);
    await page.goto(pathFor(demoPath, { ...REQUEST, prompt: 'none' }));
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible();
    expect(answers[0]?.searchParams.get('error')).toBe('login_required');
  },
);

test(
  'logging out for an app asks first: No stays, Yes leaves',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    await page.goto(pathFor(demoPath, REQUEST));
    const address = await logIn(page, inbox);
    await expect(button(page, 'Allow')).toBeVisible();
    const leave = { client_id: REQUEST.client_id, post_logout_redirect_uri: `${APP}/` };
    await page.goto(pathFor(demoPath, leave));
    await expect(heading(page, 'Log out?')).toBeVisible();
    await expect(widget(page)).toContainText('Are you sure you want to log out of your Portico Demo account?');
    await expect(widget(page)).toContainText(`Signed in as ${address}`);
    await button(page, 'No').click();
    await expect(heading(page, 'You have not been logged out. You may close this page.')).toBeFocused();
    await page.reload();
    await button(page, 'Yes').click();
    await expect(page.getByRole('button', { name: 'Sign in with Portico' })).toBeVisible();
    await page.goto(pathFor(demoPath, REQUEST));
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
  },
);

test(
  'no page can frame this one, and the widget asks nothing in a frame',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox, trap }) => {
    trap.allow(/frame-ancestors|X-Frame-Options|Framing/i);
    // What a test puts in a server's place counts as the internet, which may not ask this machine for anything.
    trap.allow(/`loopback` address space|ERR_FAILED/);
    await page.goto(pathFor(demoPath, REQUEST));
    await logIn(page, inbox);
    await expect(button(page, 'Allow')).toBeVisible();
    const show = async () => {
      const frame = `<!doctype html><iframe src="${pathFor(demoPath, REQUEST)}" width=600 height=600>`;
      await context.route('**/framing', (route) => route.fulfill({ contentType: 'text/html', body: frame }));
      await page.goto('/framing');
    };
    await show();
    await expect(page.frameLocator('iframe').getByRole('button', { name: 'Allow' })).toHaveCount(0);
    await context.route('**/authorize?**', async (route) => {
      const reply = await fetchReply(route);
      delete reply.headers['content-security-policy'];
      delete reply.headers['x-frame-options'];
      await route.fulfill(reply);
    });
    await show();
    const inside = page.frameLocator('iframe');
    await expect(inside.getByRole('heading', { name: 'This page does not open inside another page.' })).toBeVisible();
    await expect(inside.getByRole('button', { name: 'Allow' })).toHaveCount(0);
  },
);
