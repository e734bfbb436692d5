import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A page with the script tag alone, under a strict policy, and a server that answers one passcode request. */
const PAGE = `<!doctype html><meta charset="iso-8859-1"><title>Host</title><div id="login"></div>
<script src="/vendor/portico.js"></script><script src="/host.js"></script>`;
const HOST = `new Portico.PorticoUIClient('public-token-test-1', { apiUrl: location.origin })
  .mountLogin({ elementId: '#login', config: { products: ['otp'], otpOptions: { methods: ['email'] } },
  callbacks: { onError: ({ message, url, problem }) => { globalThis.seen = { message, url, problem }; } } });`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

const scripts: Readonly<Record<string, string>> = { '/host.js': HOST };
const replies: Readonly<Record<string, object>> = {
  '/sdk/v1/otps/email/login_or_create': { method_id: 'm', status_code: 200, request_id: 'r' },
};

/** All that a site copies. */
const FOLDER = join(process.cwd(), 'dist/script');

const script = (): string => readFileSync(join(FOLDER, 'portico.js'), 'latin1');

/** Pages without a policy, and what each puts in place of the script tag. */
const MOVED: Readonly<Record<string, () => string>> = {
  '/alone/': () => '<script src="/alone/portico.js"></script>',
  '/inlined/': () => `<script data-portico-base="/vendor">${script()}</script>`,
  '/inlined-without/': () => `<script>${script()}</script>`,
  // An optimizer that joins files drops their attributes.
  '/joined/': () => '<script data-portico-base="../vendor/"></script><script src="/alone/joined.js"></script>',
  // Sanitizers let data attributes through.
  '/injected/': () => '<b data-portico-base="/alone/"></b><script src="/vendor/portico.js"></script>',
  '/clobbered/': () =>
    '<img name="currentScript" data-portico-base="/alone/"><script src="/vendor/portico.js"></script>',
  '/elsewhere/': () => '<script src="http://127.0.0.1:PORT/vendor/portico.js"></script>',
};

/** A site that moved the script away from the parts beside it, or did not copy them. */
function sendMoved(url: string, response: ServerResponse): void {
  const tag = MOVED[url];
  const { port } = server.address() as AddressInfo;
  if (tag !== undefined) {
    const page = PAGE.replace('<script src="/vendor/portico.js"></script>', () => tag().replace('PORT', String(port)));
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  } else if (url === '/alone/portico.js' || url === '/alone/joined.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script());
  } else response.writeHead(404).end();
}

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const send = (type: string, body: string | Buffer): void =>
      void response
        .writeHead(200, {
          'content-type': type,
          'content-security-policy': POLICY,
          'access-control-allow-origin': '*',
        })
        .end(body);
    if (url === '/') send('text/html', PAGE);
    else if (url in scripts) send('text/javascript', scripts[url] ?? '');
    else if (url.startsWith('/vendor/'))
      send('text/javascript', readFileSync(join(FOLDER, url.slice('/vendor/'.length))));
    else if (url in MOVED || url.startsWith('/alone/')) sendMoved(url, response);
    else send('application/json', JSON.stringify({ data: replies[url] ?? {} }));
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

it('a script tag alone shows the widget and loads its later parts, on a page of any charset', async () => {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.getByRole('textbox').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Enter passcode' }).waitFor();
  expect(wrong.filter((line) => !line.includes('favicon'))).toEqual([]);
});

/** Opens a page, and sends the first form. */
async function submitted(path: string): Promise<{ page: Page; origin: string; logged: readonly string[] }> {
  const page = await browser.newPage();
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await page.goto(origin + path);
  await page.getByRole('textbox').fill('ada@example.com');
  await page.keyboard.press('Enter');
  return { page, origin, logged };
}

it('a part that the site does not serve is named by the error, and in the console with the option for its folder', async () => {
  const { page, origin, logged } = await submitted('/alone/');
  const seen = await page.waitForFunction(() => (globalThis as { seen?: unknown }).seen);
  const part = `${origin}/alone/standalone-login-[\\w-]+\\.js`;
  expect(await seen.jsonValue()).toEqual({
    message: 'Unable to contact our servers.',
    url: expect.stringMatching(new RegExp(`^${origin}/alone/standalone-[\\w-]+\\.js$`, 'u')) as string,
    problem: 'file',
  });
  const lines = () => logged.filter((line) => line.includes('data-portico-base'));
  await expect
    .poll(lines)
    .toContainEqual(expect.stringMatching(new RegExp(`^\\[Portico\\] A part did not load: ${part}\\.`, 'u')));
  expect(new Set(lines()).size).toBe(lines().length);
  await page.close();
});

it('a script that was inlined without a folder names the folder that it tried', async () => {
  const { page, logged } = await submitted('/inlined-without/');
  await page.waitForFunction(() => (globalThis as { seen?: unknown }).seen);
  const named = /A part did not load: \.\/standalone-login-.*data-portico-base/u;
  await expect.poll(() => logged.join('\n')).toMatch(named);
  await page.close();
});

it.each(['/inlined/', '/joined/', '/injected/', '/clobbered/', '/elsewhere/'])(
  'a moved script loads its parts from the folder that a script tag names: %s',
  async (path) => {
    const { page, logged } = await submitted(path);
    await page.getByRole('heading', { name: 'Enter passcode' }).waitFor();
    expect(logged.filter((line) => line.includes('[Portico]'))).toEqual([]);
    await page.close();
  },
);
