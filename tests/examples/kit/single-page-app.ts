import { expect, test } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import { startExample, type Recipe } from './example.ts';
import { signInByCode } from './sign-in.ts';
import { skipOnOlderNode } from './node-version.ts';

/** The walk through an example that is one page: signed in, loaded anew, signed out. */
export function describeSinglePageApp(name: string, recipe: Recipe): void {
  skipOnOlderNode(name);

  test(`the example ${name} signs a visitor in and out`, async ({ page, inbox }) => {
    const app = await startExample(name, recipe);
    try {
      const address = newAddress();
      await page.goto(app.url);
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
  });
}
