import type { Page } from '@playwright/test';
import type { Walks } from '../gallery/walk-page.ts';
import { expect, test } from './fixtures.ts';
import { newAddress } from './visitor.ts';

interface WalkWindow {
  readonly __walks: Walks;
}

interface DemoWindow {
  readonly __demo: { readonly client: { mountLogin(options: object): unknown } };
  readonly __heard: string[];
}

async function openWalks(page: Page, demoPath: string): Promise<readonly string[]> {
  await page.goto(demoPath === '/' ? '/gallery/walk' : '/gallery/without-react/walk');
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  return page.evaluate(() => (window as unknown as WalkWindow).__walks.screens);
}

const KINDS = ['main-magic-link', 'phone', 'otp', 'account', 'passkey-list', 'consent-verified', 'password-new'];

test(
  'widgets of different kinds, in one page and in two shadow roots, have ids, labels and descriptions of their own',
  { tag: '@every' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Failed to load resource/);
    await openWalks(page, demoPath);
    const { count, crossings } = await page.evaluate(
      (kinds) => (window as unknown as WalkWindow).__walks.together(kinds),
      KINDS,
    );
    expect(count).toBeGreaterThanOrEqual(12);
    expect(crossings).toEqual([]);
    // Each field has the name of its own label, and each label leads to its own field.
    const labels = page.locator('label[data-part=label]');
    for (const label of await labels.all()) {
      const [own, focused] = await label.evaluate((element) => {
        const { control } = element as HTMLLabelElement;
        control?.focus();
        const { activeElement } = element.getRootNode() as Document | ShadowRoot;
        return [
          element.closest('[data-portico]') === control?.closest('[data-portico]'),
          activeElement !== null && activeElement === control,
        ];
      });
      expect([own, focused]).toEqual([true, true]);
    }
  },
);

test(
  'a form around the widget has none of its fields, on any screen',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, trap }) => {
    trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/);
    for (const screen of await openWalks(page, demoPath)) {
      const found = await page.evaluate((name) => (window as unknown as WalkWindow).__walks.ofHost(name), screen);
      expect(found, screen).toEqual([]);
    }
  },
);

/** A page of a shop, whose form has a login inside. */
async function openShop(page: Page, demoPath: string, config: object): Promise<void> {
  await page.goto(demoPath);
  await page.locator('#widget [data-part=container]').waitFor();
  await page.evaluate((options) => {
    const form = document.createElement('form');
    form.id = 'shop';
    const coupon = Object.assign(document.createElement('input'), { id: 'coupon', name: 'coupon' });
    const place = Object.assign(document.createElement('div'), { id: 'login-in-form' });
    const pay = Object.assign(document.createElement('button'), { id: 'pay', textContent: 'Pay' });
    form.append(coupon, place, pay);
    document.body.prepend(form);
    const heard: string[] = [];
    Object.assign(window, { __heard: heard });
    for (const type of ['submit', 'input', 'change', 'keydown']) {
      form.addEventListener(type, (event) => {
        if (event.type === 'submit') event.preventDefault();
        const { key } = event as KeyboardEvent;
        const isOurs = (event.target as Element).closest('#login-in-form') !== null;
        if (key === undefined || key === 'Enter')
          heard.push(`${event.type} ${isOurs ? 'of the login' : 'of the shop'}`);
      });
    }
    const { client } = (window as unknown as DemoWindow).__demo;
    client.mountLogin({ elementId: place, config: options });
  }, config);
}

const heard = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as DemoWindow).__heard.splice(0));

for (const enableShadowDOM of [false, true]) {
  test(
    `a login in a form of the page logs in, and the form hears nothing of it${enableShadowDOM ? ', in a shadow root' : ''}`,
    { tag: ['@every', ...(enableShadowDOM ? ['@soak'] : ['@smoke'])] },
    async ({ page, demoPath, inbox }) => {
      const address = newAddress();
      await openShop(page, demoPath, { products: ['otp'], otpOptions: { methods: ['email'] }, enableShadowDOM });
      const shop = page.locator('#shop');
      // The code that keeps the events arrives when the page is idle, or with the first of them.
      await shop.locator('[data-part=container][data-dir]').waitFor();
      await shop.getByRole('textbox', { name: /email/i }).fill(address);
      await page.keyboard.press('Enter');
      const code = shop.getByRole('textbox', { name: /passcode/i });
      await code.pressSequentially('12');
      await page.keyboard.press('Enter');
      await expect(code).toHaveValue('12');
      expect(await heard(page)).toEqual([]);
      // The page's own field is sent, with nothing of the login.
      await shop.locator('#coupon').fill('SPRING');
      await page.keyboard.press('Enter');
      await expect.poll(() => heard(page)).toContain('submit of the shop');
      expect(await shop.evaluate((form) => [...new FormData(form as HTMLFormElement).keys()])).toEqual(['coupon']);
      await code.fill(await inbox.codeFor(address));
      await expect(shop.getByRole('heading', { name: 'Success!' })).toBeVisible();
      expect((await heard(page)).filter((one) => one.endsWith('login'))).toEqual([]);
    },
  );
}
