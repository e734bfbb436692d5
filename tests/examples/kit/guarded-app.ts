import { test, expect } from '../../e2e/fixtures.ts';
import { newAddress } from '../../e2e/visitor.ts';
import { startExample, type Recipe } from './example.ts';
import { signInByCode } from './sign-in.ts';
import { skipOnOlderNode } from './node-version.ts';

interface GuardedAppRecipe extends Omit<Recipe, 'env'> {
  /** The form is in the first HTML of `/login`. */
  readonly hasForm?: boolean;
  /** A client that is made for the sign-out refreshes its session beside it, and may be answered with 401. */
  readonly refreshesAtSignOut?: boolean;
}

/**
 * The walk through an example whose server renders its pages: `/account` leads strangers to `/login`, the sign-in leads back, the HTML
 * greets by name, and a session that has ended opens nothing.
 */
export function describeGuardedApp(
  name: string,
  { hasForm = false, refreshesAtSignOut = false, ...recipe }: GuardedAppRecipe,
): void {
  skipOnOlderNode(name);

  test(`the example ${name} guards a page on its server, greets in the first HTML, and signs out`, async ({
    page,
    context,
    inbox,
    trap,
    providerUrl,
  }) => {
    if (refreshesAtSignOut) trap.allow(/status of 401 .*\/sessions\/authenticate/u);
    const app = await startExample(name, { ...recipe, env: { PORTICO_API_URL: providerUrl } });
    try {
      const address = newAddress();
      const stranger = await fetch(`${app.url}/account`, { redirect: 'manual' });
      expect(stranger.status).toBeGreaterThanOrEqual(302);
      expect(stranger.headers.get('location')).toMatch(/^(http:\/\/localhost:\d+)?\/login$/u);
      expect(await stranger.text()).not.toContain('Your account');

      const html = await (await fetch(`${app.url}/login`)).text();
      const form = /<form [^>]*method="dialog"[^>]*>.*<input [^>]*type="email"/su;
      if (hasForm) expect(html).toMatch(form);
      else expect(html).not.toMatch(form);

      await page.goto(`${app.url}/account`);
      await expect(page).toHaveURL(`${app.url}/login`);
      await signInByCode(page, inbox, address);
      await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
      await expect(page).toHaveURL(`${app.url}/account`);

      const cookies = await context.cookies(app.url);
      const first = await context.request.get(app.url);
      expect(await first.text()).toContain(address);
      expect(first.headers()['cache-control']).toMatch(/private|no-store/u);

      await page.getByRole('link', { name: 'Home' }).click();
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();

      // The cookies of before the sign-out, with a JWT that has not expired.
      const cookie = cookies.map(({ name: key, value }) => `${key}=${value}`).join('; ');
      const ended = await fetch(`${app.url}/account`, { redirect: 'manual', headers: { cookie } });
      expect(await ended.text()).not.toContain('Your account');
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  });
}
