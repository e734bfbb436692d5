import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
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

/** A site that copied the script without the parts beside it. */
function sendScriptAlone(url: string, response: ServerResponse): void {
  if (url === '/alone/')
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE.replace('/vendor/', '/alone/'));
  else if (url !== '/alone/portico.js') response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(FOLDER, 'portico.js')));
}

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(body);
    if (url === '/') send('text/html', PAGE);
    else if (url in scripts) send('text/javascript', scripts[url] ?? '');
    else if (url.startsWith('/vendor/'))
      send('text/javascript', readFileSync(join(FOLDER, url.slice('/vendor/'.length))));
    else if (url.startsWith('/alone/')) sendScriptAlone(url, response);
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

it('a part that the site does not serve is named by the error', async () => {
  const page = await browser.newPage();
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await page.goto(`${origin}/alone/`);
  await page.getByRole('textbox').fill('ada@example.com');
  await page.keyboard.press('Enter');
  const seen = await page.waitForFunction(() => (globalThis as { seen?: unknown }).seen);
  expect(await seen.jsonValue()).toEqual({
    message: 'Unable to contact our servers.',
    url: expect.stringMatching(new RegExp(`^${origin}/alone/standalone-[\\w-]+\\.js$`, 'u')) as string,
    problem: 'file',
  });
  await page.close();
});
