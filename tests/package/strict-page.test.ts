import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { bundled, strictSite, type Site } from './strict-site.ts';
import { oneOf } from '../soak.ts';

/** Everything that Main can show at once. */
const CONFIG = JSON.stringify({
  products: ['oauth', 'crypto', 'otp', 'passwords', 'passkeys'],
  oauthOptions: { providers: [{ type: 'google' }, { type: 'github' }, { type: 'apple' }] },
  otpOptions: { methods: ['sms', 'whatsapp', 'email'] },
});
const mount = (portico: string): string =>
  `new ${portico}PorticoUIClient('public-token-test-1', { apiUrl: location.origin })
    .mountLogin({ elementId: '#login', config: ${CONFIG} });`;

const page = (scripts: string): string => `<!doctype html><title>Host</title><div id="login"></div>${scripts}`;
const PAGES = {
  '/script-tag': page('<script src="/dist/script/portico.js"></script><script src="/script-tag.js"></script>'),
  '/standalone': page('<script type="module" src="/standalone.js"></script>'),
  '/react': page('<script type="module" src="/host.js"></script>'),
};

let site: Site;
let browser: Browser;

beforeAll(async () => {
  const react = await bundled(`import { PorticoUIClient } from 'portico'; ${mount('')}`);
  const scripts = new Map([
    ...react,
    ['/script-tag.js', mount('Portico.')],
    ['/standalone.js', `import { PorticoUIClient } from '/dist/standalone.js'; ${mount('')}`],
  ]);
  site = await strictSite(PAGES, scripts);
  browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

async function visit(path: string): Promise<{ page: Page; wrong: string[] }> {
  const opened = await browser.newPage();
  const wrong: string[] = [];
  opened.on('pageerror', (error) => wrong.push(error.message));
  opened.on('console', (message) => {
    if (message.type() === 'error' || /policy|trusted/i.test(message.text())) wrong.push(message.text());
  });
  await opened.goto(site.url + path);
  return { page: opened, wrong };
}

describe.each(oneOf(2, Object.keys(PAGES)))('a page of the strictest policy, %s', (path) => {
  it('shows the widget, styled, and breaks the policy nowhere on the way to a later screen', async () => {
    const { page: opened, wrong } = await visit(path);
    const button = opened.getByRole('button', { name: 'Continue with GitHub' });
    await button.waitFor();
    const look = await button.evaluate((element) => {
      const { height, borderTopLeftRadius, fontFamily } = getComputedStyle(element);
      const card = element.closest('[data-part=container]');
      return { height, borderTopLeftRadius, fontFamily, card: card && getComputedStyle(card).maxInlineSize };
    });
    expect(look).toMatchObject({ height: '45px', fontFamily: expect.stringContaining('Arial') });
    await opened.getByRole('tab', { name: 'Email' }).click();
    await opened.getByRole('textbox', { name: /email/i }).fill('ada@example.com');
    await opened.keyboard.press('Enter');
    await opened.getByRole('textbox', { name: 'Password' }).waitFor();
    expect(wrong).toEqual([]);
    await opened.close();
  });
});
