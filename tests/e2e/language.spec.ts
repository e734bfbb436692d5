import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { emailField, heading } from './visitor.ts';

interface DemoWindow {
  readonly __demo: { readonly client: { mountLogin(options: object): unknown } };
}

/** Mounts the widget beside the demo's own, and notes every heading that could be seen while it came to rest. */
const mount = (page: Page, language: string): Promise<void> =>
  page.evaluate((language) => {
    const place = document.createElement('div');
    place.id = 'place';
    document.body.append(place);
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      const title = place.querySelector('h1');
      const text = title?.textContent ?? '';
      if (title && getComputedStyle(title).visibility === 'visible' && seen.at(-1) !== text) seen.push(text);
      requestAnimationFrame(look);
    };
    look();
    const config = { products: ['otp'], otpOptions: { methods: ['email'] } };
    (window as unknown as DemoWindow).__demo.client.mountLogin({ elementId: '#place', config, language });
  }, language);

const seen = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as { seen: string[] }).seen);
const root = (page: Page) => page.locator('#place [data-portico]');

/** What changed has been drawn, and was seen by `mount`. */
const frames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });

/** The texts of one language, wherever the build put them. */
const TEXTS = /\/(?:standalone-)?language-ar-[\w-]+\.js$/;

test.beforeEach(async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
});

test('a language shows when its texts are there, and English not before it', { tag: '@every' }, async ({ page }) => {
  await page.route(TEXTS, async (route) => {
    await frames(page);
    await route.continue();
  });
  // The three seconds after which it would be English are longer here: the texts may take it on a busy machine.
  await page.evaluate(() => {
    const after = window.setTimeout.bind(window);
    window.setTimeout = ((task: () => void, ms = 0) =>
      after(task, ms < 1_000 ? ms : ms * 1_000)) as typeof window.setTimeout;
  });
  await mount(page, 'ar-EG');
  await expect(root(page)).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('#place h1')).toHaveText('إنشاء حساب أو تسجيل الدخول');
  await expect.poll(() => seen(page)).toEqual(['إنشاء حساب أو تسجيل الدخول']);
  await expect(page.locator('#place input')).toHaveCSS('direction', 'ltr');
  await expect(page.locator('#place [data-part=container]')).toHaveAttribute('data-dir', 'rtl');
});

test('a language whose texts do not come is English', { tag: '@soak' }, async ({ page, trap }) => {
  trap.allow(/Failed to load resource|ERR_FAILED|NetworkError/);
  await page.route(TEXTS, (route) => route.abort());
  await mount(page, 'ar');
  await expect(root(page)).toHaveAttribute('lang', 'en');
  await expect(page.locator('#place').getByRole('heading', { name: 'Sign up or log in' })).toBeVisible();
});

test('a language that takes longer than three seconds is English, and stays so', { tag: '@soak' }, async ({ page }) => {
  const asked = page.waitForRequest(TEXTS);
  let arrive = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(TEXTS, async (route) => {
    await arrival;
    await route.continue();
  });
  await mount(page, 'ar');
  await expect(page.locator('#place').getByRole('heading', { name: 'Sign up or log in' })).toBeVisible();
  arrive();
  // The same module as the widget's: it is there when this has it.
  await page.evaluate((url) => import(url), (await asked).url());
  await frames(page);
  expect(await seen(page)).toEqual(['Sign up or log in']);
});

test('auto takes the language of the page, and a remount another', { tag: '@soak' }, async ({ page }) => {
  await page.evaluate(() => void (document.documentElement.lang = 'de-AT'));
  await mount(page, 'auto');
  await expect(page.locator('#place h1')).toHaveText('Registrieren oder anmelden');
  await page.evaluate(() => {
    const config = { products: ['otp'], otpOptions: { methods: ['email'] } };
    (window as unknown as DemoWindow).__demo.client.mountLogin({ elementId: '#place', config, language: 'fr' });
  });
  await expect(page.locator('#place h1')).toHaveText('Inscrivez-vous ou connectez-vous');
  // What watches the page is told a moment later than what asks it.
  await expect.poll(() => seen(page)).toEqual(['Registrieren oder anmelden', 'Inscrivez-vous ou connectez-vous']);
  await expect(heading(page, 'Sign up or log in')).toBeVisible();
});
