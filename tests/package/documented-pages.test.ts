import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { transformWithOxc } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { allExamples, DOCUMENTED_PROVIDER, exampleNamed } from '../unit/docs/examples.ts';
import { serveProvider, type ServedProvider } from '../unit/docs/served-provider.ts';
import { PATIENCE_MS } from '../patience-ms.ts';
import { bundled } from './strict-site.ts';
import { oneOf, SOAK } from '../soak.ts';
import { soakIt } from '../soak-tests.ts';

/** What a host serves at one path. */
interface File {
  readonly type: 'text/html' | 'text/javascript';
  readonly body: string;
  readonly policy?: string;
}

let provider: ServedProvider;
let browser: Browser;
const files = new Map<string, File>();
const server: Server = createServer(({ url = '/' }, response) => {
  const path = url.split('?')[0] ?? '/';
  const file = files.get(path);
  const send = (type: string, body: string | Buffer, policy?: string): void =>
    void response
      .writeHead(200, { 'content-type': type, ...(policy === undefined ? {} : { 'content-security-policy': policy }) })
      .end(body);
  if (file !== undefined) send(file.type, file.body, file.policy);
  else if (path.startsWith('/vendor/portico/')) {
    send('text/javascript', readFileSync(join(ROOT, 'dist/script', path.slice('/vendor/portico/'.length))));
  } else if (path.endsWith('.ico')) send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  else response.writeHead(404).end();
});

/** A sample as it stands in the documents, but for the port of the provider. */
const here = (source: string): string => source.replaceAll(DOCUMENTED_PROVIDER, provider.url);
const sample = (file: string): string => here(exampleNamed(file).source);

const script = (body: string): File => ({ type: 'text/javascript', body });
const page = (body: string, policy?: string): File => ({
  type: 'text/html',
  body,
  ...(policy === undefined ? {} : { policy }),
});

/** A module that needs a bundler, and the page that holds it. */
async function bundledPage(path: string, source: string, extension: 'ts' | 'tsx', element: string): Promise<void> {
  const { code } = await transformWithOxc(source, `sample.${extension}`, { jsx: { runtime: 'automatic' } });
  for (const [file, body] of await bundled(code)) files.set(path + file, script(body));
  files.set(
    path,
    page(`<!doctype html><title>Host</title>${element}<script type="module" src="${path}/host.js"></script>`),
  );
}

/** The pages that only soaks visit. */
async function bundleTheRest(): Promise<void> {
  const readme = allExamples().find(({ page: of, language }) => of === 'README.md' && language === 'ts');
  await bundledPage('/readme', here(readme?.source ?? ''), 'ts', '<div id="login"></div>');
  await bundledPage('/themed', sample('themed.ts'), 'ts', '<div id="login"></div>');
  await bundledPage('/preset', sample('preset.ts'), 'ts', '<div id="login"></div>');
  await bundledPage('/in-your-words', sample('in-your-words.ts'), 'ts', '<div id="login"></div>');
  await bundledPage('/client', `${sample('client.ts')}\nwindow.client = client;`, 'ts', '');
  await bundledPage('/reset', sample('reset.ts'), 'ts', '<div id="reset"></div>');
  const root = `${sample('app.tsx')}
    import { createRoot } from 'react-dom/client';
    createRoot(document.querySelector('#app')!).render(<App />);`;
  await bundledPage('/app', root, 'tsx', '<div id="app"></div>');
}

const policyOf = (source: string): string => source.trim().replace(/^Content-Security-Policy: /u, '');

beforeAll(async () => {
  provider = await serveProvider();
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const policies = allExamples().filter(({ page: of, language }) => of === 'docs/strict-csp.md' && language === 'http');
  for (const [index, path] of ['/strict', '/with-nonce'].entries()) {
    files.set(path, page(sample(`${path.slice(1)}.html`), policyOf(here(policies[index]?.source ?? ''))));
  }
  files.set('/sign-in.js', script(sample('sign-in.js')));
  files.set('/script-tag', page(sample('script-tag.html')));
  await bundledPage('/login', sample('login.ts'), 'ts', '<div id="login"></div>');
  await bundledPage('/authenticate', sample('authenticate.ts'), 'ts', '');
  if (SOAK) await bundleTheRest();
  files.set('/account', page('<!doctype html><title>Account</title><h1>Your account</h1>'));
  browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
});

afterAll(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
  await provider?.close();
});

interface Visit {
  readonly page: Page;
  /** Errors, and whatever breaks the policy. */
  readonly wrong: string[];
}

/** @param api the provider that answers in the place of the one in the page */
async function visit(path: string, api = provider.url): Promise<Visit> {
  const opened = await browser.newPage();
  opened.setDefaultTimeout(PATIENCE_MS);
  await opened.route(`${provider.url}/**`, (route) =>
    route.continue({ url: route.request().url().replace(provider.url, api) }),
  );
  // What the samples name of other hosts.
  await opened.route('https://shop.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  const wrong: string[] = [];
  opened.on('pageerror', (error) => wrong.push(error.message));
  opened.on('console', (message) => {
    // A Chromium without windows and authenticators can end the offer of passkeys in a field, which the widget tells its host.
    if (message.text().includes('passkey_login_failed')) return;
    if (message.type() === 'error' || /policy|trusted/iu.test(message.text())) wrong.push(message.text());
  });
  await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}${path}`);
  return { page: opened, wrong };
}

async function newestOf(email: string) {
  const message = await provider.provider.newest(email);
  if (message === undefined) throw new Error(`nothing was sent to ${email}`);
  return message;
}

/** Asks for a code by email and enters it, as the visitor of a page whose widget shows the email field. */
async function signIn(opened: Page, email: string): Promise<void> {
  await opened.getByRole('textbox', { name: /email/iu }).fill(email);
  await opened.keyboard.press('Enter');
  await opened.getByRole('heading', { name: 'Enter passcode' }).waitFor();
  await opened
    .getByRole('textbox')
    .first()
    .pressSequentially((await newestOf(email)).code ?? '');
}

const signedIn = async (opened: Page): Promise<boolean> =>
  (await opened.context().cookies()).some(({ name }) => name === 'stytch_session_jwt');

describe('the pages of the documents, as they stand, on the local provider', () => {
  it.each([...oneOf(2, ['/strict', '/script-tag']), '/with-nonce'])('%s signs in', async (path) => {
    const { page: opened, wrong } = await visit(path);
    await signIn(opened, `visitor-of${path.replace('/', '-')}@example.com`);
    await expect.poll(() => signedIn(opened)).toBe(true);
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  soakIt('/script-tag does not run under the strict policy, which is why the page on it has another', async () => {
    const { policy = '' } = files.get('/strict') ?? {};
    files.set('/inline', page(sample('script-tag.html'), policy));
    const { page: opened, wrong } = await visit('/inline');
    await expect.poll(() => wrong.join('\n')).toMatch(/inline script/iu);
    expect(await opened.locator('[data-portico]').count()).toBe(0);
    await opened.context().close();
  });

  soakIt('/readme shows the widget, and signs in', async () => {
    const { page: opened, wrong } = await visit('/readme');
    await signIn(opened, 'reader@example.com');
    await expect.poll(() => signedIn(opened)).toBe(true);
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  it('/login leads to a social login, which /authenticate ends, and then to the account', async () => {
    const { page: opened, wrong } = await visit('/login');
    await opened.getByRole('button', { name: 'Continue with GitHub' }).click();
    await opened.getByRole('button', { name: /ada/iu }).click();
    await opened.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await signedIn(opened)).toBe(true);
    expect(new URL(opened.url()).search).toBe('');
    await opened.goto(new URL('/login', opened.url()).href);
    await opened.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  it('/authenticate leads back to /login for the terms that the project asks for', async () => {
    const terms = [{ terms_id: 'tos', version: '1', title: 'Terms of Service', url: 'https://acme.example/terms' }];
    const url = `http://localhost:${(server.address() as AddressInfo).port}/login`;
    const asking = await serveProvider({ profile: { fields: [], terms, url } });
    try {
      const { page: opened, wrong } = await visit('/login', asking.url);
      await opened.getByRole('button', { name: 'Continue with GitHub' }).click();
      await opened.getByRole('button', { name: /ada/iu }).click();
      await opened.getByRole('checkbox', { name: 'I accept: Terms of Service' }).check();
      expect([opened.url(), await signedIn(opened)]).toEqual([url, false]);
      await opened.getByRole('button', { name: 'Continue' }).click();
      await opened.getByRole('heading', { name: 'Your account' }).waitFor();
      expect([await signedIn(opened), wrong]).toEqual([true, []]);
      await opened.context().close();
    } finally {
      await asking.close();
    }
  });

  soakIt('/app shows the account in the place of the login', async () => {
    const { page: opened, wrong } = await visit('/app');
    await signIn(opened, 'editor@portico.example');
    await opened.getByText(/documents/u).waitFor();
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  soakIt('/themed shows the looks of the sample', async () => {
    const { page: opened, wrong } = await visit('/themed');
    await opened.getByRole('textbox', { name: /email/iu }).waitFor();
    const card = opened.locator('[data-part=container]');
    expect(await card.evaluate((element) => getComputedStyle(element).borderTopLeftRadius)).toBe('14px');
    expect(await card.evaluate((element) => getComputedStyle(element).fontFamily)).toContain('Georgia');
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  soakIt(
    '/preset has the imported preset at the first paint, with the host’s colour, and asks for no further file',
    async () => {
      const { page: opened, wrong } = await visit('/preset');
      await opened.getByRole('textbox', { name: /email/iu }).waitFor();
      const button = opened.getByRole('button', { name: /continue/iu });
      expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(91, 42, 134)');
      const card = opened.locator('[data-part=container]');
      expect(await card.evaluate((element) => getComputedStyle(element).borderTopLeftRadius)).toBe('16px');
      const files = await opened.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      expect(files.filter((name) => name.includes('themes'))).toEqual([]);
      expect(wrong).toEqual([]);
      await opened.context().close();
    },
  );

  soakIt('/in-your-words shows the texts of the sample', async () => {
    const { page: opened, wrong } = await visit('/in-your-words');
    await opened.getByRole('heading', { name: 'Welcome to the shop' }).waitFor();
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  soakIt('/client makes a client without the widget, which reaches the provider', async () => {
    const { page: opened, wrong } = await visit('/client');
    const method = await opened.evaluate(async () => {
      const { client } = window as unknown as {
        client: { otps: { email: { loginOrCreate(to: string): Promise<object> } } };
      };
      return client.otps.email.loginOrCreate('headless@example.com');
    });
    expect(method).toHaveProperty('method_id');
    expect(wrong).toEqual([]);
    await opened.context().close();
  });

  soakIt('/reset asks for a new password', async () => {
    await provider.provider.signIn('forgetful@example.com');
    const started = await provider.provider.post('/passwords/email/reset/start', {
      email: 'forgetful@example.com',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    });
    expect(started.status).toBe(200);
    const link = new URL((await newestOf('forgetful@example.com')).link ?? '');
    const { page: opened, wrong } = await visit(`/reset?token=${link.searchParams.get('token')}`);
    await opened
      .getByLabel(/password/iu)
      .first()
      .waitFor();
    expect(new URL(opened.url()).search).toBe('');
    expect(wrong).toEqual([]);
    await opened.context().close();
  });
});
