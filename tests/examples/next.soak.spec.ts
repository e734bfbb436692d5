import { request as http } from 'node:http';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { Backend } from '#composition/playwright/backend.ts';
import { allExamples } from '../unit/docs/examples.ts';
import { skipOnOlderNode } from './kit/node-version.ts';
import { startGuide, type RunningExample } from './kit/example.ts';

skipOnOlderNode('next');

test.describe.configure({ mode: 'default' });

const NEXT = 'next/dist/bin/next';
const GUIDE = 'docs/with-next.md';
/** The lines for `scripts` that the guide shows. */
const block = allExamples().find(({ page, language }) => page === GUIDE && language === 'json');
const { portico = '' } = JSON.parse(block?.source ?? '{}') as { readonly portico?: string };
const [, ...prerender] = portico.split(' ');
const EDITOR = 'editor@portico.example';

let app: RunningExample;

test.beforeAll(async () => {
  app = await startGuide(
    GUIDE,
    {
      builds: [
        ['./../node_modules/portico/dist/cli.js', ...prerender],
        [NEXT, 'build'],
      ],
      serve: (port) => ({ command: [NEXT, 'start', '--port', String(port)] }),
      env: {
        NEXT_TELEMETRY_DISABLED: '1',
        NEXT_PUBLIC_PORTICO_API_URL: process.env['PORTICO_PROVIDER_URL'] ?? '',
      },
    },
    {},
    'next-without-tailwind',
  );
});

test.afterAll(async () => app?.stop());

/** A request as no client sends it: the names of its headers may be those that only a server knows. */
const sent = async (path: string, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: number; location: string; cache: string; body: string }>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const request = http(new URL(path, app.url), { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const { location = '', 'cache-control': cache = '' } = response.headers;
        resolve({ status: response.statusCode ?? 0, location, cache, body: text });
      });
    });
    request.once('error', reject).end(body);
  });

const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';
const SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';

/** A new user's session: both of its cookies. */
async function signIn(roles: readonly string[]) {
  const backend = new Backend(process.env['PORTICO_PROVIDER_URL'] ?? '', PROJECT_ID, SECRET);
  const { email, session_token: token, session_jwt: jwt } = await backend.signIn(newAddress(), { roles });
  return { email, token: `stytch_session=${token}`, jwt: `stytch_session_jwt=${jwt}` };
}

test('Next greets the user in the first HTML, guards pages and routes, and wakes up without a flash', async ({
  page,
  context,
  inbox,
  trap,
}) => {
  // The stored copy of the starter has no pictures.
  trap.allow(/status of 404 .*\/favicon\.ico/u);
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

  // The server keeps 200 letters of a note: what stays in the field is its answer.
  await page.getByRole('textbox', { name: 'Note' }).fill('n'.repeat(300));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('n'.repeat(200));

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

test(
  'Next sends the sign-in form in its first HTML, and the widget takes it over with what was typed',
  { tag: '@soak' },
  async ({ page, inbox }) => {
    const { body } = await sent('/login', {});
    expect(/<form [^>]*method="dialog">.*type="email"/u.test(body)).toBe(true);
    // What the app's scripts would do waits until the person has typed.
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/_next/static/**/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${app.url}/login`, { waitUntil: 'commit' });
    const email = page.getByRole('textbox', { name: /email/i });
    const address = newAddress();
    await email.pressSequentially(address);
    await email.evaluate((field) => Object.assign(window, { typed: field }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /continue/i })).toHaveAttribute('aria-busy', 'true');
    release();
    await expect(page.getByRole('heading', { name: 'Enter passcode' })).toBeVisible();
    expect(await inbox.messagesTo(address)).toHaveLength(1);
  },
);

test('Next opens the sign-in page by Back under its own address, also after its router has fetched it', async ({
  page,
}) => {
  const signIn = `${app.url}/login?return_to=%2Faccount`;
  await page.goto(app.url);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page).toHaveURL(signIn);
  await page.goto(app.url);
  await page.goBack();
  await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
  await expect(page).toHaveURL(signIn);
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

/** What a browser says of a page of another site, of a sibling host, and of a frame without an origin; and nothing at all. */
const FOREIGN: readonly Record<string, string>[] = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://evil.localhost', 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { origin: 'https://evil.example', 'x-http-method-override': 'GET' },
  { origin: 'null' },
  {},
];

test('Next changes nothing for a page of another site, in route handlers, server functions and behind the proxy', async () => {
  const { email, token, jwt } = await signIn(['editor']);
  const cookie = `${token}; ${jwt}`;
  const json = { cookie, 'content-type': 'application/json' };
  const titles = async () => (await sent('/api/documents', { cookie })).body;
  const before = await titles();
  for (const headers of FOREIGN) {
    const { status, body } = await sent('/api/documents', { ...json, ...headers }, '{"title":"forged"}');
    expect([status, JSON.parse(body)], JSON.stringify(headers)).toMatchObject([403, { error: 'cross_origin' }]);
  }
  expect(await titles()).toBe(before);
  const own = await sent('/api/documents', { ...json, origin: app.url }, '{"title":"Agenda"}');
  expect([own.status, own.body]).toEqual([201, expect.stringContaining('Agenda')]);

  const form = async () => (await sent('/', { cookie })).body;
  expect(await form()).toContain(email);
  const action = /name="(\$ACTION_ID_[0-9a-f]+)"/u.exec(await form())?.[1] ?? '';
  expect(action).not.toBe('');
  const parts = (note: string) =>
    Object.entries({ [action]: '', note })
      .map(([name, value]) => `--parts\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('');
  const multipart = { cookie, 'content-type': 'multipart/form-data; boundary=parts' };
  for (const path of ['/', '/account']) {
    for (const headers of FOREIGN) {
      const { status } = await sent(path, { ...multipart, ...headers }, `${parts('forged')}--parts--\r\n`);
      expect(status, `${path} ${JSON.stringify(headers)}`).toBeGreaterThanOrEqual(400);
    }
  }
  expect(await form()).not.toContain('forged');
  await sent('/', { ...multipart, origin: app.url }, `${parts('bought')}--parts--\r\n`);
  expect(await form()).toContain('value="bought"');
});

test(
  'Next confuses no users because of cookies that a sibling host adds, and caches no user’s page',
  { tag: '@soak' },
  async () => {
    const [owner, attacker] = [await signIn(['editor']), await signIn(['editor'])];
    const headers = [
      [owner.token, attacker.jwt],
      [attacker.token, owner.jwt],
      [owner.token, owner.jwt, attacker.token, attacker.jwt],
      [attacker.jwt, attacker.token, owner.jwt, owner.token],
      [owner.token, owner.jwt, attacker.jwt.replace('_jwt', '')],
    ];
    for (const cookies of headers) {
      const cookie = cookies.join('; ');
      const [page, route] = [await sent('/', { cookie }), await sent('/api/documents', { cookie })];
      expect(page.body, cookie).not.toContain(attacker.email);
      expect([route.status, JSON.parse(route.body)], cookie).toMatchObject([401, { reason: 'ambiguous' }]);
    }
    const cookie = `${owner.token}; ${owner.jwt}`;
    const rsc: Record<string, string> = { rsc: '1', 'next-router-prefetch': '1' };
    for (const [path, more] of [
      ['/', {}],
      ['/account', {}],
      ['/', { rsc: '1' }],
      ['/', rsc],
    ] as const) {
      const first = await sent(path, { cookie, ...more });
      // Next names the headers of a navigation in the address, and redirects to it.
      const page = first.status === 307 ? await sent(first.location, { cookie, ...more }) : first;
      // What Next prerendered may be kept by caches; what has a name in it may not.
      const isPersonal = page.body.includes(owner.email);
      expect(isPersonal, path).toBe(more !== rsc);
      if (isPersonal) expect(page.cache, path).toMatch(/no-store/u);
      const stranger = await sent(page === first ? path : first.location, more);
      expect(stranger.body, path).not.toContain(owner.email);
    }
  },
);
