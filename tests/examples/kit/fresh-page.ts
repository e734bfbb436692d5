import { expect, test } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import type { StarterName } from '../../unit/docs/guide-files.ts';
import { startFresh } from './example.ts';
import { signInByCode } from './sign-in.ts';

const VITE = 'vite/bin/vite.js';

/** How a starter of Vite is built and served. */
export const VITE_APP = {
  builds: [[VITE, 'build', '--logLevel', 'warn']],
  serve: (port: number) => ({ command: [VITE, 'preview', '--port', String(port), '--strictPort'] }),
  env: {},
};

/** The walk through a starter that is one page after `portico init`: the login is there until somebody signs in, and after the sign-out. */
export function describeFreshPage(
  starter: StarterName,
  consents: { readonly replaced: readonly string[]; readonly packagesOf?: string },
): void {
  test(`the starter ${starter} has a login after \`portico init\``, async ({ page, inbox, trap }) => {
    // The stored starters have no pictures.
    trap.allow(/status of 404 .*\/favicon\.(?:ico|svg)/u);
    const app = await startFresh(starter, { ...VITE_APP, ...consents });
    try {
      const address = newAddress();
      await page.goto(app.url);
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
      await signInByCode(page, inbox, address);
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
      await expect(page.getByText(address)).toBeHidden();
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  });
}
