import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { ALONE, logIn, pageFor, signUp } from './password-visitor.ts';
import { APP, cookieOf, DOMAIN, newSession, openSignedIn, test } from './two-hosts.ts';
import {
  askForCode,
  codeField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  logOut,
  newAddress,
  widget,
} from './visitor.ts';

// One site serves all of them.
test.describe.configure({ mode: 'default' });

const REFUSED = /Failed to load resource: the server responded with a status of 401/;
const TOKEN = 'stytch_session';
const JWT = 'stytch_session_jwt';
const HINT = 'stytch_session_hint';
const ONLY_HINT = new RegExp(`^${HINT}=[^;]+$`, 'u');

const readable = (page: Page): Promise<string> => page.evaluate(() => document.cookie);

/** What a script of the page gets when it asks the API itself. */
const askAsScript = (page: Page, api: string, path: string): Promise<string> =>
  page.evaluate(
    async ([url, token]) => {
      const headers = { authorization: `Basic ${btoa(`${token}:${token}`)}`, 'content-type': 'application/json' };
      const reply = await fetch(url, { method: 'POST', credentials: 'include', headers, body: '{}' });
      return `${[...reply.headers.keys()].join()} ${await reply.text()}`;
    },
    [`${api}/sdk/v1${path}`, 'public-token-test-d1e70000-0000-4000-8000-000000000000'] as const,
  );

async function secretsOf(context: BrowserContext): Promise<readonly string[]> {
  return [(await cookieOf(context, TOKEN))?.value ?? '', (await cookieOf(context, JWT))?.value ?? ''];
}

test('no script sees the secrets of a session; a reload and the app’s own server do', async ({
  page,
  context,
  inbox,
  site,
}) => {
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(`${site.api}/sdk/v1`) && response.request().method() !== 'OPTIONS') {
      bodies.push(response.text().catch(() => ''));
    }
  });
  const address = newAddress();
  await page.goto('/');
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);

  const attributes = { domain: `.${DOMAIN}`, path: '/', sameSite: 'Lax', secure: false };
  expect(await cookieOf(context, TOKEN)).toMatchObject({ ...attributes, httpOnly: true });
  expect(await cookieOf(context, JWT)).toMatchObject({ ...attributes, httpOnly: true });
  expect(await readable(page)).toMatch(ONLY_HINT);

  const first = await secretsOf(context);
  await page.reload();
  await expectSignedIn(page, address);
  await expectConfirmed(page);
  const asked = await askAsScript(page, site.api, '/sessions/authenticate');
  expect(asked).toContain('"session_token":"","session_jwt":""');
  const seen = await page.evaluate(() => {
    const { client } = window.__demo as unknown as { client: { session: { getTokens(): unknown } } };
    return JSON.stringify([client.session.getTokens(), localStorage, sessionStorage, document.cookie]);
  });
  expect(seen).toMatch(/^\[null,/u);
  const shown = [asked, seen, await page.content(), ...(await Promise.all(bodies))].join('\n');
  for (const secret of [...first, ...(await secretsOf(context))]) {
    expect(secret).not.toBe('');
    expect(shown).not.toContain(secret);
  }

  const server = await context.newPage();
  await server.goto(site.own);
  expect(await server.textContent('body')).toMatch(/^user-test-/u);
});

test(
  'tabs follow a login and a sign-out, and a visitor without a session causes no error',
  { tag: '@soak' },
  async ({ page, context, site }) => {
    let asked = 0;
    context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sessions/authenticate')) asked += 1;
    });
    const other = await context.newPage();
    await other.goto(pageFor('/', ALONE));
    await expectSignedOut(other);
    const address = newAddress();
    await page.goto(pageFor('/', ALONE));
    await signUp(page, address);
    await expectSignedIn(page, address);
    await expectSignedIn(other, address);
    expect(asked).toBe(0);

    const [token, jwt] = await secretsOf(context);
    // The provider gives the same JWT again for half a minute. Its cookie is set anew, so that the tabs see no change.
    await askAsScript(other, site.api, '/sessions/authenticate');
    expect(await secretsOf(context)).toEqual([token, jwt]);

    // What a browser deletes after a week without a visit; the cookies stay.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expectSignedIn(page, address);

    await logOut(other).click();
    await expectSignedOut(other);
    await expectSignedOut(page);
    expect([await readable(page), ...(await secretsOf(context))]).toEqual(['', '', '']);
    asked = 0;
    await page.reload();
    await expectSignedOut(page);
    expect(asked).toBe(0);
    await logIn(page, address);
    await expectSignedIn(other, address);
  },
);

test('the widgets for passkeys and consent know the session', { tag: '@soak' }, async ({ page, site }) => {
  await openSignedIn(page, site);
  await page.goto('/passkeys');
  await expect(page.getByRole('heading', { name: 'Set up a new Passkey' })).toBeVisible();
  const query = new URLSearchParams({
    client_id: APP.client_id,
    redirect_uri: APP.redirect_uris[0] ?? '',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  await page.goto(`/authorize?${query}`);
  await expect(page.getByRole('heading', { name: /^Sign in to Planner/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
});

test('another site can neither act for the user nor read anything', async ({ page, context, site, trap }) => {
  trap.allow(/blocked by CORS policy|Cross-Origin Request Blocked|net::ERR_FAILED|status of 4\d\d/);
  const address = await openSignedIn(page, site);
  const evil = await context.newPage();
  await evil.goto(site.elsewhere);
  expect(await evil.textContent('body')).toBe('signed-out');
  const thefts = ['/sessions/authenticate', '/sessions/revoke'].map((path) =>
    askAsScript(evil, site.api, path).catch(() => 'refused'),
  );
  expect(await Promise.all(thefts)).toEqual(['refused', 'refused']);
  const isSent = await evil.evaluate(async (url) => {
    await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' });
    return true;
  }, `${site.api}/sdk/v1/sessions/revoke`);
  expect(isSent).toBe(true);
  await evil.setContent(
    `<form method="post" enctype="text/plain" action="${site.api}/sdk/v1/sessions/revoke"><button>Win</button></form>`,
  );
  await evil.getByRole('button').click();
  await expect(evil.locator('body')).toContainText('error_type');

  await page.reload();
  await expectSignedIn(page, address);
  await expectConfirmed(page);
});

test(
  'a session that a sibling host puts beside the user’s own is not taken, and the user logs in again',
  { tag: '@soak' },
  async ({ page, context, site, trap }) => {
    trap.allow(REFUSED);
    const attacker = await newSession(site);
    const { value = '' } = attacker.cookies.find(({ name }) => name === TOKEN) ?? {};
    const address = await openSignedIn(page, site);
    const tossed = { name: TOKEN, value, domain: `.${DOMAIN}`, httpOnly: false, sameSite: 'Lax' as const };
    await context.addCookies([
      { ...tossed, path: '/sdk' },
      { ...tossed, path: '/sdk/v1/sessions/' },
    ]);
    await page.reload();
    await expectSignedOut(page);
    expect((await context.cookies()).filter(({ name }) => name === TOKEN)).toEqual([]);
    await logIn(page, address);
    await expectSignedIn(page, address);
    await page.reload();
    await expectConfirmed(page);
    await expectSignedIn(page, address);
  },
);

test(
  'a session that has ended elsewhere, or whose cookies have expired, is left',
  { tag: '@soak' },
  async ({ page, context, site, trap }) => {
    trap.allow(REFUSED);
    const address = await openSignedIn(page, site);
    const [token = ''] = await secretsOf(context);
    await context.clearCookies();
    await page.reload();
    await expectSignedOut(page);
    await logIn(page, address);
    await expectSignedIn(page, address);
    // The cookie of a session that is over for the server.
    await context.addCookies([{ name: TOKEN, value: `${token}x`, domain: `.${DOMAIN}`, path: '/', httpOnly: true }]);
    await context.clearCookies({ name: JWT });
    await page.reload();
    await expectSignedOut(page);
    expect(await context.cookies()).toEqual([]);
  },
);

test(
  'a session that scripts could read becomes one that they cannot',
  { tag: '@soak' },
  async ({ page, context, site }) => {
    const address = await openSignedIn(page, site);
    const [token = '', jwt = ''] = await secretsOf(context);
    await context.clearCookies();
    await context.addCookies([
      { name: TOKEN, value: token, url: site.pages },
      { name: JWT, value: jwt, url: site.pages },
    ]);
    expect(await readable(page)).toContain(token);
    await page.reload();
    await expectSignedIn(page, address);
    await expectConfirmed(page);
    expect(await readable(page)).toMatch(ONLY_HINT);
    expect(await cookieOf(context, TOKEN)).toMatchObject({ value: token, httpOnly: true });
    await expect(widget(page)).toBeHidden();
  },
);
