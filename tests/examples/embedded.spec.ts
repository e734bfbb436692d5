import { Backend } from '#composition/playwright/backend.ts';
import { serve } from '#scripts/lib/net.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { startExample, type Recipe } from './kit/example.ts';
import { signInByCode } from './kit/sign-in.ts';

const PROVIDER = process.env['PORTICO_PROVIDER_URL'] ?? '';
const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';
const SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';

const server: Recipe = {
  serve: (port) => ({ command: ['./server.mjs'], env: { PORT: String(port) } }),
  env: { PORTICO_API_URL: PROVIDER },
};

test(
  'the example embedded shows the widget in a custom element, and then what is between its tags',
  { tag: '@soak' },
  async ({ page, inbox }) => {
    const app = await startExample('embedded', server);
    try {
      const address = newAddress();
      await page.goto(app.url);
      // The element may be moved: it leaves the page and comes back.
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      await page.evaluate(() => document.body.prepend(document.querySelector('portico-login') ?? ''));
      // Turbo keeps a copy of a page that it leaves, and shows it on Back.
      await page.evaluate(() => {
        const left = document.querySelector('portico-login');
        left?.replaceWith(left.cloneNode(true));
      });
      await expect(page.getByRole('textbox', { name: /email/i })).toHaveCount(1);
      await signInByCode(page, inbox, address);
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  },
);

test(
  'the example embedded signs in from a frame on another site through a window, as often as the frame is loaded',
  { tag: '@soak' },
  async ({ page, context, inbox, trap }) => {
    // The sign-out in the frame ended the session that the site's own pages have stored.
    trap.allow(/status of 401 \(Unauthorized\) \(.*\/sessions\/authenticate\)/u);
    const app = await startExample('embedded', server);
    try {
      const address = newAddress();
      const frame = page.frameLocator('iframe');
      const openWindow = async () => {
        const opened = context.waitForEvent('page');
        await frame.getByRole('button', { name: 'Sign in' }).click();
        return opened;
      };
      // Another site than `localhost`, on this machine.
      await page.goto(app.url.replace('localhost', 'host.localhost') + '/host.html');
      // What the page around the frame sends is no session.
      const confirmed: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/sessions/authenticate')) confirmed.push(request.frame().url());
      });
      const { session_token, session_jwt } = await new Backend(PROVIDER, PROJECT_ID, SECRET).signIn(newAddress());
      await frame.locator('body').evaluate(() => {
        window.addEventListener('message', () => Object.assign(window, { heard: true }), { once: true });
      });
      await page.evaluate((tokens) => window.frames[0]?.postMessage(tokens, '*'), { session_token, session_jwt });
      await expect.poll(() => frame.locator('body').evaluate(() => 'heard' in window)).toBe(true);

      await signInByCode(await openWindow(), inbox, address);
      await expect(frame.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      expect(confirmed).toEqual([`${app.url}/frame.html`]);
      expect(await frame.locator('body').evaluate(() => document.cookie)).toBe('');

      // The browser kept nothing for the frame. The window knows the session, so that nobody types again.
      await page.reload();
      await openWindow();
      await expect(frame.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await expect.poll(() => context.pages().length).toBe(1);

      await frame.getByRole('button', { name: 'Sign out' }).click();
      await expect(frame.getByRole('button', { name: 'Sign in' })).toBeVisible();
      const own = await context.newPage();
      await own.goto(app.url);
      await expect(own.getByRole('textbox', { name: /email/i })).toBeVisible();
    } finally {
      for (const open of context.pages()) await open.goto('about:blank');
      await app.stop();
    }
  },
);

const serveElsewhere = () =>
  serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<link rel="icon" href="data:,">');
  }, 0);

test(
  'the example embedded gives no session to a page of another origin',
  { tag: '@soak' },
  async ({ page, context, inbox, trap }) => {
    trap.allow(/Failed to execute 'postMessage'/u);
    const app = await startExample('embedded', server);
    const elsewhere = await serveElsewhere();
    try {
      await page.goto(app.url);
      await signInByCode(page, inbox, newAddress());
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();

      await page.goto(elsewhere.url);
      const opened = context.waitForEvent('page');
      await page.evaluate((url) => {
        window.addEventListener('message', ({ data }) => Object.assign(window, { received: data }));
        window.open(`${url}/sign-in.html`);
      }, app.url);
      const popup = await opened;
      await expect.poll(() => popup.isClosed()).toBe(true);
      expect(await page.evaluate(() => 'received' in window)).toBe(false);
    } finally {
      for (const open of context.pages()) await open.goto('about:blank');
      await Promise.all([app.stop(), elsewhere.close()]);
    }
  },
);

test('the example embedded can be framed by its hosts alone', { tag: '@soak' }, async ({ page, context, trap }) => {
  trap.allow(/Framing '.*' violates|frame-ancestors/u);
  const app = await startExample('embedded', server);
  const elsewhere = await serveElsewhere();
  try {
    const shownIn = async (host: string, path: string) => {
      await page.goto(host);
      await page.evaluate(async (src) => {
        const frame = document.createElement('iframe');
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(Object.assign(frame, { src }));
        await loaded;
      }, `${app.url}${path}`);
      return page
        .frames()[1]
        ?.evaluate(() => document.title)
        .catch(() => 'refused');
    };
    const host = `${app.url.replace('localhost', 'host.localhost')}/host.html`;
    expect(await shownIn(elsewhere.url, '/frame.html')).not.toBe('In a frame');
    expect(await shownIn(host, '/sign-in.html')).not.toBe('Sign in');
  } finally {
    for (const open of context.pages()) await open.goto('about:blank');
    await Promise.all([app.stop(), elsewhere.close()]);
  }
});
