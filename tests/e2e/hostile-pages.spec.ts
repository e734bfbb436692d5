/** Other pages, tabs, frames and scripts that try to act on the widget's page, in a real browser (threat T165). */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fetchReply } from './forward.ts';
import {
  askForCode,
  askForLink,
  codeField,
  emailField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  logOut,
  newAddress,
  signOut,
  widget,
} from './visitor.ts';

const APP = process.env['PORTICO_APP_URL'] ?? '';

async function logIn(page: Page, codeFor: (address: string) => Promise<string>): Promise<string> {
  const address = newAddress();
  await askForCode(page, address);
  await codeField(page).pressSequentially(await codeFor(address));
  await expectSignedIn(page, address);
  return address;
}

/** Messages in the forms that login pages and their popups often use. */
const MESSAGES = [
  'null',
  '"signed-in"',
  '{"type":"session","session_token":"evil","session_jwt":"a.b.c"}',
  '{"type":"authorization_response","response":{"code":"evil","state":"x"}}',
  '{"event":"AUTHENTICATE","token":"evil","stytch_token_type":"oauth","redirect_url":"javascript:document.title=1"}',
  '{"source":"portico","method":"mount","args":[{"__proto__":{"polluted":1}}]}',
  '{"credential":"evil","select_by":"auto","clientId":"evil"}',
  '{"method":"setIframeHeight","height":100000}',
];

test('an opener of another origin sees nothing and changes nothing, whatever it posts', async ({
  page,
  demoPath,
  baseURL,
  inbox,
  trap,
}) => {
  trap.allow(/`loopback` address space|Cross-Origin|Unsafe attempt|blocked/i);
  await page.route('http://evil.localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>evil</title><button>open</button>' }),
  );
  await page.goto('http://evil.localhost/');
  const opening = page.waitForEvent('popup');
  await page.evaluate(
    ({ url, messages }) => {
      const seen: unknown[] = [];
      addEventListener('message', (event) => seen.push(event.data));
      const opened = window.open(url, 'portico');
      const flood = setInterval(() => {
        for (const message of messages) opened?.postMessage(JSON.parse(message), '*');
        for (const message of messages) opened?.postMessage(message, '*');
      }, 20);
      Object.assign(window, { seen, opened, flood });
    },
    { url: new URL(demoPath, baseURL).href, messages: MESSAGES },
  );
  const victim = await opening;
  const address = await logIn(victim, inbox.codeFor);
  await victim.reload();
  await expectSignedIn(victim, address);
  const grabbed = await page.evaluate(() => {
    const { opened, seen, flood } = window as unknown as { opened: Window; seen: unknown[]; flood: number };
    clearInterval(flood);
    const attempts = [
      () => opened.document.cookie,
      () => opened.localStorage.length,
      () => opened.location.href,
      () => (opened as unknown as { __demo: object }).__demo,
    ];
    const read = attempts.map((attempt) => {
      try {
        return attempt();
      } catch {
        return 'refused';
      }
    });
    return { read, seen };
  });
  expect(grabbed).toEqual({ read: ['refused', 'refused', 'refused', 'refused'], seen: [] });
  await expectSignedIn(victim, address);
});

test(
  'forged storage events and channel messages neither sign out nor in',
  { tag: '@soak' },
  async ({ page, context, demoPath, inbox }) => {
    await page.goto(demoPath);
    const address = await logIn(page, inbox.codeFor);
    const other = await context.newPage();
    await other.goto(demoPath);
    await expectSignedIn(other, address);
    const flood = (messages: readonly string[]): void => {
      for (const key of [...Object.keys(localStorage), null, '__proto__', 'stytch_session', 'portico']) {
        for (const newValue of [...messages, null, '', '{"session":null}', '['.repeat(5_000)]) {
          const init = { key, newValue, oldValue: null, storageArea: localStorage, url: location.href };
          window.dispatchEvent(new StorageEvent('storage', init));
        }
      }
      for (const name of ['portico', 'session', 'stytch', 'auth', '']) {
        const channel = new BroadcastChannel(name);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        for (const message of messages) channel.postMessage(JSON.parse(message));
        channel.close();
      }
    };
    await page.evaluate(flood, MESSAGES);
    await other.evaluate(flood, MESSAGES);
    await expectSignedIn(page, address);
    await expectSignedIn(other, address);
    await logOut(other).click();
    await expectSignedOut(page);
    await page.evaluate(flood, MESSAGES);
    await expectSignedOut(page);
  },
);

test(
  'data that another script of the site left in storage and cookies does not prevent a login',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/status of 40[0-9]/);
    await page.goto(demoPath);
    await logIn(page, inbox.codeFor);
    await logOut(page).click();
    await expectSignedOut(page);
    const values = [
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '[',
      '{"session":{"session_id":"<img src=x onerror=document.title=1>","expires_at":"never","authentication_factors":{}},"user":[]}',
      'x'.repeat(100_000),
      'null',
    ];
    for (const value of values) {
      await page.evaluate((text) => {
        for (const key of Object.keys(localStorage)) localStorage.setItem(key, text);
        for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, text);
        for (const name of ['stytch_session', 'stytch_session_jwt']) {
          document.cookie = `${name}=${encodeURIComponent(text.slice(0, 200))}; path=/`;
        }
      }, value);
      await page.goto(demoPath);
      await expect(emailField(page)).toBeVisible();
      expect(await page.evaluate(() => [({} as { polluted?: number }).polluted, document.title === '1'])).toEqual([
        undefined,
        false,
      ]);
    }
    await logIn(page, inbox.codeFor);
  },
);

test(
  'parameters of the address pollute no object and run nothing',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    const query = [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      'config[__proto__][polluted]=1',
      'redirect_url=javascript:document.title=1',
      'returnTo=javascript:document.title=1',
      'token[]=x&token[__proto__]=y',
    ].join('&');
    await page.goto(`${demoPath}?${query}#__proto__[polluted]=1`);
    expect(await page.evaluate(() => ({} as { polluted?: string }).polluted)).toBeUndefined();
    await logIn(page, inbox.codeFor);
    expect(await page.title()).not.toBe('1');
  },
);

test(
  'a link of an attacker signs in neither a visitor nor a signed-in user',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap, browser, baseURL }) => {
    trap.allow(/status of 4\d\d/);
    const attacker = newAddress();
    const link = async (): Promise<string> => {
      const [known] = await inbox.messagesTo(attacker);
      const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
      const asking = await elsewhere.newPage();
      await asking.goto(`${demoPath}?by=link`);
      await askForLink(asking, attacker);
      const sent = await inbox.linkFor(attacker, known === undefined ? {} : { after: known.id });
      await elsewhere.close();
      return sent;
    };
    const refused = page.getByRole('heading', { level: 1, name: 'This link did not work' });
    await page.goto(await link());
    await expect(refused).toBeVisible();
    await page.goto(demoPath);
    const address = await logIn(page, inbox.codeFor);
    await page.goto(await link());
    await expect(refused).toBeVisible();
    await page.goto(demoPath);
    await expectConfirmed(page);
    await expectSignedIn(page, address);
  },
);

test(
  'an address to go to that is a script is not followed, though the server names it',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/Refused to navigate|safe/i);
    await page.route('**/oauth/authorize/submit', async (route) => {
      const reply = await fetchReply(route);
      const body = JSON.parse(reply.body) as { data?: Record<string, unknown> };
      const forged = 'javascript:document.title="ran"//';
      if (body.data?.['redirect_uri'] !== undefined) body.data['redirect_uri'] = forged;
      await route.fulfill({ ...reply, body: JSON.stringify(body) });
    });
    const request = new URLSearchParams({
      client_id: 'client-demo-relying-party',
      redirect_uri: `${APP}/callback`,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...(demoPath === '/' ? {} : { build: 'standalone' }),
    });
    await page.goto(`/authorize?${request.toString()}`);
    const address = newAddress();
    await askForCode(page, address);
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    const answered = page.waitForResponse('**/oauth/authorize/submit');
    await widget(page).getByRole('button', { name: 'Allow' }).click();
    expect(await (await answered).text()).toContain('javascript:');
    await expect(widget(page)).toContainText(/error|wrong|try again/i);
    expect(await page.title()).not.toBe('ran');
    expect(new URL(page.url()).pathname).toBe('/authorize');
  },
);

test('no page frames the login, the account or the provider', async ({ page, providerUrl, baseURL, trap }) => {
  trap.allow(/frame-ancestors|X-Frame-Options|Framing|`loopback` address space/i);
  const urls = [
    ...['/', '/account', '/authenticate', '/reset', '/authorize'].map((path) => new URL(path, baseURL).href),
    `${providerUrl}/dev/oauth/google`,
    `${providerUrl}/v1/public/oauth/google/start`,
    `${providerUrl}/errors/invalid_email`,
  ];
  for (const url of urls) {
    const { headers } = await fetch(url, { redirect: 'manual' }).then(({ headers: given }) => ({ headers: given }));
    const policy = headers.get('content-security-policy') ?? '';
    const type = headers.get('content-type') ?? '';
    if (type.includes('html')) expect(policy, url).toContain("frame-ancestors 'none'");
  }
  const body = `<!doctype html><iframe src="${new URL('/account', baseURL).href}"></iframe>`;
  await page.route('http://evil.localhost/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://evil.localhost/');
  await expect.poll(() => page.frames().length).toBe(2);
  await expect(page.frameLocator('iframe').locator('#widget')).toHaveCount(0);
});

test(
  'Back to a page shows no user who has signed out since, in another tab',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox }) => {
    await page.goto(demoPath);
    const address = await logIn(page, inbox.codeFor);
    await page.goto('/source');
    const other = await context.newPage();
    await other.goto(demoPath);
    await expectSignedIn(other, address);
    await signOut(other);
    await expectSignedOut(other);
    await page.goBack();
    await expectSignedOut(page);
  },
);
