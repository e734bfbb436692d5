import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '#scripts/lib/net.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { PUBLIC_TOKEN } from '#scripts/serve-demo.ts';
import type * as Prerender from '#composition/prerender.tsx';
import { withMarkup } from '#composition/tools/html-file.ts';
import { expect, test } from './fixtures.ts';

const CONFIG = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;

test(
  'the first frame of a file with the form waits for the whole form, and the widget leaves nothing of that',
  { tag: '@soak' },
  async ({ page, providerUrl }) => {
    const { renderLogin } = (await import(join(ROOT, 'dist/prerender.js'))) as typeof Prerender;
    const options = JSON.stringify({ elementId: '#login', config: CONFIG });
    const script =
      `import { PorticoUIClient } from '/dist/standalone.js';` +
      `new PorticoUIClient('${PUBLIC_TOKEN}', { apiUrl: '${providerUrl}' }).mountLogin(${options});`;
    const html = await withMarkup(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"></head>` +
        `<body><h1>Welcome</h1><div id="login"><!--portico-login--></div><script type="module">${script}</script></body></html>`,
      'login',
      async () => renderLogin({ config: CONFIG, inline: true }),
    );
    const [before = '', after = ''] = (html ?? '').split(/(?=<button type="submit")/u);
    let sendRest = (): void => undefined;
    const server = await serve((request, response) => {
      if (request.url !== '/') {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(readFileSync(join(ROOT, request.url ?? '')));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/html' }).write(before);
      sendRest = () => void response.end(after);
    }, 0);
    try {
      await page.addInitScript(() => {
        new MutationObserver((_changes, observer) => {
          if (document.querySelector('#portico-login-end') === null) return;
          Object.assign(window, { whole: performance.now() });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(server.url, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { name: 'Welcome' })).toBeAttached();
      await expect(page.locator('input[type=email]')).toBeAttached();
      sendRest();
      await expect(page.locator('[data-portico-rendered]')).toHaveCount(0);
      await expect(page.locator('#portico-login-end')).toHaveCount(0);
      await page.getByRole('textbox', { name: /email/i }).fill('ada@example.com');
      const [painted = 0, whole = Infinity] = await page.evaluate(() => [
        performance.getEntriesByName('first-paint')[0]?.startTime,
        (window as { whole?: number }).whole,
      ]);
      expect(painted).toBeGreaterThanOrEqual(whole);
    } finally {
      sendRest();
      await page.goto('about:blank');
      await server.close();
    }
  },
);
