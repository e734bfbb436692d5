import getPort from 'get-port';
import { expect, test } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import type { StarterName } from '../../unit/docs/guide-files.ts';
import { startFresh } from './example.ts';
import { VITE_APP } from './fresh-page.ts';
import { signInByCode } from './sign-in.ts';

/** The walk through a starter of Vite with React after `portico init`: the page /account shows what the server of the app answers. */
export function describeFreshReact(starter: StarterName, consents: { readonly replaced: readonly string[] }): void {
  test(`the starter ${starter} has a login after \`portico init\``, async ({ page, context, inbox, trap }) => {
    // The stored starters have no pictures.
    trap.allow(/status of 404 .*\/favicon\.(?:ico|svg)/u);
    // The answer to a signed-out visitor, which the browser logs.
    trap.allow(/Failed to load resource: the server responded with a status of 401 .*\/api\/account/u);
    const apiPort = await getPort();
    const app = await startFresh(starter, {
      ...VITE_APP,
      ...consents,
      addresses: { 'localhost:3001': `localhost:${apiPort}`, 'listen(3001,': `listen(${apiPort},` },
      serve: (port) => ({
        ...VITE_APP.serve(port),
        api: { port: apiPort, command: ['--env-file=.env', 'server.js'] },
      }),
    });
    try {
      const address = newAddress();
      await page.goto(`${app.url}/account`);
      await expect(page.getByRole('heading', { name: 'Your account' })).toBeHidden();
      await signInByCode(page, inbox, address);
      await expect(page.getByText(`You are signed in as ${address}.`)).toBeVisible();
      await expect(page.getByText(/The server knows you as user-test-/u)).toBeVisible();
      const cookies = await context.cookies(app.url);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      await expect(page.getByText(address)).toBeHidden();
      // Those of before the sign-out, with a JWT that has not expired.
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      expect((await fetch(`${app.url}/api/account`, { headers: { cookie } })).status).toBe(401);
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  });
}
