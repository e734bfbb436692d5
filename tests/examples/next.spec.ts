import { request as http } from 'node:http';
import { expect, test } from '../e2e/fixtures.ts';
import { startExample, type RunningExample } from './kit/example.ts';

test.describe.configure({ mode: 'default' });

const NEXT = 'next/dist/bin/next';
const EDITOR = 'editor@portico.example';

let app: RunningExample;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  app = await startExample('next', {
    builds: [[NEXT, 'build']],
    serve: (port) => ({ command: [NEXT, 'start', '--port', String(port)] }),
    env: {
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_PUBLIC_PORTICO_API_URL: process.env['PORTICO_PROVIDER_URL'] ?? '',
    },
  });
});

test.afterAll(async () => app?.stop());

/** A request as no client sends it: the names of its headers may be those that only a server knows. */
const sent = async (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; location: string; body: string }>((resolve, reject) => {
    const request = http(new URL(path, app.url), { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', body });
      });
    });
    request.once('error', reject).end();
  });

test('Next greets the user in the first HTML, guards pages and routes, and wakes up without a flash', async ({
  page,
  context,
  inbox,
}) => {
  await page.goto(`${app.url}/account`);
  await expect(page).toHaveURL(`${app.url}/login?return_to=%2Faccount`);
  await page.getByRole('textbox', { name: /email/i }).fill(EDITOR);
  await page.getByRole('button', { name: /continue/i }).click();
  await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(EDITOR));
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/account`);

  const first = await (await context.request.get(app.url)).text();
  expect(first.replaceAll('<!-- -->', '')).toContain(`Hello, ${EDITOR}`);
  expect(first.replaceAll('<!-- -->', '')).toContain(`Signed in as ${EDITOR}.`);

  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    const note = (): void => {
      const text = document.querySelector('footer')?.textContent ?? 'nobody';
      if (text !== shown.at(-1)) shown.push(text);
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
  });
  const asked = page.waitForResponse(/sessions\/authenticate$/u);
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: `Hello, ${EDITOR}` })).toBeVisible();
  const footer = page.getByRole('contentinfo');
  // The page is awake: its own client has asked, and what the server said is no longer needed.
  await asked;
  await expect(footer).toContainText(EDITOR);
  const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  expect(shown.filter((text) => text !== 'nobody')).toEqual([`Signed in as ${EDITOR}. Sign out`]);
  expect(shown.at(-1)).not.toBe('nobody');

  const documents = await context.request.get(`${app.url}/api/documents`);
  expect(await documents.json()).toMatchObject({ documents: ['Minutes', 'Budget'] });
  expect(documents.headers()).toMatchObject({ 'cache-control': 'private, no-cache' });
  expect(documents.headers()['vary']).toMatch(/authorization, cookie/u);
  await expect((await context.request.get(`${app.url}/admin`)).text()).resolves.not.toContain('Administration</h1>');

  // A link to the sign-in page leads nowhere else.
  await page.goto(`${app.url}/login?return_to=${encodeURIComponent('//evil.example')}`);
  await expect(page).toHaveURL(`${app.url}/`);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(footer).toBeHidden();
});

test('Next tells strangers nothing, whatever they send', async () => {
  const stranger = await fetch(`${app.url}/api/documents`);
  expect([stranger.status, await stranger.json()]).toMatchObject([401, { reason: 'no-credentials' }]);
  expect(stranger.headers.get('www-authenticate')).toBe('Bearer realm="portico"');
  const forged = await fetch(`${app.url}/api/documents`, { headers: { authorization: 'Bearer e30.e30.e30' } });
  expect(await forged.json()).toMatchObject({ reason: 'untrusted-jwt' });

  const tricks: Record<string, string>[] = [
    {},
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'x-middleware-next': '1', 'x-middleware-rewrite': '/', rsc: '1' },
    { cookie: 'stytch_session_jwt=e30.e30.e30' },
  ];
  for (const headers of tricks) {
    const { status, location, body } = await sent('/account?a=b', headers);
    expect(body, JSON.stringify(headers)).not.toContain('Your session ends');
    expect(status, JSON.stringify(headers)).toBe(307);
    expect(location, JSON.stringify(headers)).toMatch(/^\/login\?return_to=%2Faccount%3Fa%3Db$/u);
  }
  const page = await fetch(`${app.url}/admin`, { redirect: 'manual' });
  expect(await page.text()).not.toContain('Administration</h1>');
});
