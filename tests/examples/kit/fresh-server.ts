import { expect, test } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import type { StarterName } from '../../unit/docs/guide-files.ts';
import { type Command, startFresh } from './example.ts';
import { signInByCode } from './sign-in.ts';

interface FreshServer {
  readonly packagesOf?: string;
  readonly replaced: readonly string[];
  readonly builds?: readonly Command[];
  /** What starts the server, whose port is `PORT` of the environment. */
  readonly command: Command;
  /** The starter's own page. */
  readonly hello: string;
}

/** The walk through a starter of a server after `portico init`: the page /account leads to the login until somebody signs in. */
export function describeFreshServer(starter: StarterName, { command, hello, ...recipe }: FreshServer): void {
  test(`the starter ${starter} has a login after \`portico init\``, async ({ page, context, inbox }) => {
    const app = await startFresh(starter, {
      ...recipe,
      serve: (port) => ({ command, env: { PORT: String(port) } }),
      env: {},
    });
    const account = `${app.url}/account`;
    try {
      const address = newAddress();
      expect(await (await fetch(app.url)).text()).toBe(hello);
      const stranger = await fetch(account, { redirect: 'manual' });
      expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/login']);
      await page.goto(account);
      await expect(page).toHaveURL(`${app.url}/login`);
      await signInByCode(page, inbox, address);
      await expect(page).toHaveURL(account);
      await expect(page.getByText(`You are signed in as ${address}.`)).toBeVisible();
      await page.reload();
      await expect(page.getByText(`You are signed in as ${address}.`)).toBeVisible();
      const cookies = await context.cookies(app.url);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(`${app.url}/login`);
      // Those of before the sign-out, with a JWT that has not expired.
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      expect((await fetch(account, { redirect: 'manual', headers: { cookie } })).status).toBe(303);
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  });
}
