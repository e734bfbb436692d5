import type { Page } from '@playwright/test';
import getPort from 'get-port';
import { Backend } from '#composition/playwright/backend.ts';
import { serve } from '#scripts/lib/net.ts';
import { expect, test } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import { type Command, startExample } from './example.ts';
import { signInByCode } from './sign-in.ts';
import { skipOnOlderNode } from './node-version.ts';

const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';
const SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';

interface ApiRecipe {
  readonly builds?: readonly Command[];
  /** What serves the API, on `PORT`, for the page on `PAGE_ORIGIN`. */
  readonly command: Command;
  /** The example whose page it is. Default: this one. */
  readonly pageOf?: string;
}

/** The walk through a page and an API on another origin: bearer tokens, CORS, roles, and sessions that have ended. */
export function describeApiOnAnotherOrigin(name: string, { builds, command, pageOf }: ApiRecipe): void {
  skipOnOlderNode(name);

  test(`the example ${name} answers bearer tokens of its page, and no page of another origin`, async ({
    page,
    context,
    inbox,
    trap,
    providerUrl,
  }) => {
    // The reports need a role, and the foreign page is refused.
    trap.allow(/Failed to load resource: the server responded with a status of 403/);
    trap.allow(/blocked by CORS policy|net::ERR_FAILED/);
    const apiPort = await getPort();
    const api = `http://localhost:${apiPort}`;
    const app = await startExample(name, {
      builds,
      pageOf,
      serve: (port) => ({
        command: ['./page.mjs'],
        env: { PORT: String(port), NOTES_URL: api },
        api: {
          command,
          port: apiPort,
          env: { PORT: String(apiPort), PAGE_ORIGIN: `http://localhost:${port}` },
        },
      }),
      env: { PORTICO_API_URL: providerUrl },
    });
    const elsewhere = await serve((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<link rel="icon" href="data:,">');
    }, 0);
    try {
      const address = newAddress();
      expect((await fetch(`${api}/note`)).status).toBe(401);
      await page.goto(app.url);
      const note = page.waitForResponse((reply) => reply.url() === `${api}/note` && reply.request().method() === 'GET');
      await signInByCode(page, inbox, address);
      const answer = await note;
      expect(answer.status()).toBe(200);
      expect(answer.headers()).toMatchObject({
        'access-control-allow-origin': app.url,
        'cache-control': 'private, no-cache',
      });
      await answer.finished();
      expect((await answer.request().allHeaders())['cookie']).toBeUndefined();

      await page.getByRole('textbox', { name: 'Note' }).fill('Buy milk');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toHaveText('Saved.');
      await page.reload();
      await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Buy milk');
      await page.getByRole('button', { name: 'Show the reports' }).click();
      await expect(page.getByRole('status')).toHaveText(/editor/);

      // Another origin: its script may not send the header; of a plain request it cannot read the answer.
      const cookies = await context.cookies(app.url);
      const jwt = cookies.find(({ name }) => name === 'stytch_session_jwt')?.value ?? '';
      expect(jwt).not.toBe('');
      const foreign = await context.newPage();
      await foreign.goto(app.url.replace('localhost', '127.0.0.1')).catch(() => null);
      await foreign.goto(elsewhere.url);
      const read = async (from: Page) =>
        from.evaluate(
          ([url = '', token = '']) =>
            fetch(`${url}/note`, { headers: { Authorization: `Bearer ${token}` } }).then(
              (reply) => reply.status,
              () => 'refused by the browser',
            ),
          [api, jwt],
        );
      expect(await read(foreign)).toBe('refused by the browser');
      expect(await read(page)).toBe(200);
      await foreign.close();

      // With cookies, changes count from the page's origin alone.
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const put = async (origin: string) =>
        fetch(`${api}/note`, {
          method: 'PUT',
          headers: { cookie, origin, 'content-type': 'application/json' },
          body: JSON.stringify({ note: 'Buy bread' }),
        });
      expect((await put('http://localhost:1')).status).toBe(403);
      expect((await put(app.url)).status).toBe(200);

      const editor = await new Backend(providerUrl, PROJECT_ID, SECRET).signIn(newAddress(), { roles: ['editor'] });
      const reports = await fetch(`${api}/reports`, { headers: { authorization: `Bearer ${editor.session_jwt}` } });
      expect(await reports.json()).toEqual({ reports: ['Q1', 'Q2'] });

      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      const ended = await fetch(`${api}/note`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(ended.status).toBe(401);
    } finally {
      await page.goto('about:blank');
      await Promise.all([app.stop(), elsewhere.close()]);
    }
  });
}
