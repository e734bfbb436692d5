import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBrowser } from '../../scripts/ensure-browser.ts';
import { BROWSER_ARGS } from '../../scripts/lib/find-browser.ts';
import { bundled, strictSite, type Site } from './strict-site.ts';

const MOUNT = `new PorticoUIClient('public-token-test-1', { endpointOptions: { testApiDomain: location.origin } })
  .mountLogin({ elementId: '#login', config: { products: ['otp'], otpOptions: { methods: ['email'] } } });`;
const REACT = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PorticoUIClient } from 'portico';
import { Login, PorticoProvider } from 'portico/react';
const client = new PorticoUIClient('public-token-test-1', { endpointOptions: { testApiDomain: location.origin } });
const config = { products: ['otp'], otpOptions: { methods: ['email'] } };
createRoot(document.querySelector('#login')).render(
  createElement(PorticoProvider, { client }, createElement(Login, { config })));`;

const page = (...scripts: readonly string[]): string =>
  `<!doctype html><title>Host</title><link rel="icon" href="data:,"><div id="login"></div>${scripts.join('')}`;
const PAGES = {
  '/standalone': page('<script type="module" src="/standalone-host.js"></script>'),
  '/script-tag': page('<script src="/dist/portico.js"></script><script src="/script-tag-host.js"></script>'),
  '/react': page('<script type="module" src="/host.js"></script>'),
};

let site: Site;
let browser: Browser;

beforeAll(async () => {
  const files = new Map([
    ...(await bundled(REACT)),
    ['/standalone-host.js', `import { PorticoUIClient } from '/dist/standalone.js';\n${MOUNT}`],
    ['/script-tag-host.js', MOUNT.replace('new ', 'new Portico.')],
  ]);
  site = await strictSite(PAGES, files);
  browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

it.each(Object.keys(PAGES))('a login page of %s makes at most nine requests by itself', async (path) => {
  const opened = await browser.newPage();
  const requests: string[] = [];
  opened.on('request', (request) => {
    const url = request.url();
    if (url.startsWith('http')) requests.push(new URL(url).pathname);
  });
  await opened.goto(site.url + path);
  await opened.getByRole('textbox').waitFor();
  // The event log starts 0.8 seconds after the page.
  await opened.waitForTimeout(2_500);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(9);
  await opened.close();
});
