import type { Frame, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fetchReply } from './forward.ts';
import { expectSignedIn, newAddress, widget } from './visitor.ts';

const GOOGLE = 'https://accounts.google.com';
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const configWith = (position?: string, more: object = {}) => ({
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: {
    providers: [{ type: 'google', one_tap: true, ...(position ? { position } : {}), ...more }, { type: 'github' }],
  },
});

/** The provider's stand-in answers in Google's place. */
async function standIn(page: Page, providerUrl: string): Promise<void> {
  await page.route(`${GOOGLE}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const path = pathname.startsWith('/gsi/') ? `/accounts/google${pathname}` : pathname;
    const url = `${providerUrl}${path}${search}`;
    await route.fulfill(await fetchReply(route, { url, headers: { origin: providerUrl } }));
  });
}

// What is on its way when a test ends is nobody's loss.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

interface OneTapPage {
  readonly page: Page;
  readonly demoPath: string;
  readonly providerUrl: string;
}

async function open({ page, demoPath, providerUrl }: OneTapPage, config: object): Promise<void> {
  await standIn(page, providerUrl);
  await page.goto(`${demoPath}?config=${encoded(config)}`);
}

const plain = (page: Page) => widget(page).getByRole('button', { name: 'Continue with Google' });
const iframe = (page: Page) => page.locator('iframe#credential_picker_iframe');
const prompt = async (page: Page): Promise<Frame> => {
  await expect(iframe(page)).toBeVisible();
  const frame = await (await iframe(page).elementHandle())?.contentFrame();
  if (!frame) throw new Error('the prompt has no document');
  return frame;
};
const mounted = (page: Page) =>
  page.evaluate(() => (window as unknown as { __demo: { screens: readonly string[] } }).__demo.screens.length);

async function choose(page: Page, address: string): Promise<void> {
  const frame = await prompt(page);
  await frame.getByLabel('Another email address').fill(address);
  await frame.getByRole('button', { name: 'Continue', exact: true }).click();
}

// The host's policy lets Google's script and frame in.
test.describe('One Tap', () => {
  test.use({ bypassCSP: true });

  test('stands in the widget, as high as it is, and signs in', async ({ page, demoPath, providerUrl }) => {
    const address = newAddress();
    await open({ page, demoPath, providerUrl }, configWith('forceLegacyEmbedded'));
    await expect(widget(page).locator('iframe#credential_picker_iframe')).toBeVisible();
    await expect(plain(page)).toHaveCount(0);
    await expect
      .poll(async () => (await widget(page).locator('[data-part=one-tap-frame]').boundingBox())?.height)
      .toBe((await iframe(page).boundingBox())?.height);
    await choose(page, address);
    await expectSignedIn(page, address);
    await expect(page).toHaveURL(/\/authenticate$/);
  });

  test(
    'leaves the plain button there while a prompt that will float is on its way',
    { tag: '@soak' },
    async ({ page, demoPath, trap }) => {
      // The request that is held here goes out when the test ends.
      trap.allow(/Failed to load resource/);
      // A browser that draws prompts by itself puts them over the page, whatever the position says.
      await page.addInitScript(() => Object.assign(window, { IdentityCredential: Object }));
      await page.route(`${GOOGLE}/**`, () => {});
      await page.goto(`${demoPath}?config=${encoded(configWith())}`);
      const asked = page.waitForRequest(`${GOOGLE}/gsi/client`);
      await asked;
      await expect(plain(page)).toBeVisible();
      await expect(widget(page).locator('[data-part=one-tap-wait], [aria-busy=true]')).toHaveCount(0);
      await expect(plain(page)).not.toHaveAttribute('aria-disabled', 'true');
    },
  );

  test(
    'stands over the page beside the plain button, and signs in',
    { tag: '@soak' },
    async ({ page, demoPath, providerUrl }) => {
      const address = newAddress();
      await open({ page, demoPath, providerUrl }, configWith('floating', { cancel_on_tap_outside: false }));
      await expect(iframe(page)).toBeVisible();
      await expect(widget(page).locator('iframe')).toHaveCount(0);
      await expect(plain(page)).toBeVisible();
      await choose(page, address);
      await expectSignedIn(page, address);
    },
  );

  test(
    'accepts a choice only after the script of its page has run',
    { tag: '@soak' },
    async ({ page, demoPath, providerUrl }) => {
      await standIn(page, providerUrl);
      let run = (): void => undefined;
      const mayRun = new Promise<void>((resolve) => (run = resolve));
      await page.route(`${GOOGLE}/accounts/google/gsi/select.js`, async (route) => {
        await mayRun;
        await route.fallback();
      });
      await page.goto(`${demoPath}?config=${encoded(configWith('floating'))}`);
      const button = (await prompt(page)).getByRole('button', { name: 'Continue', exact: true });
      await expect(button).toBeDisabled();
      run();
      await expect(button).toBeEnabled();
    },
  );

  test(
    'falls back to the plain button, 47 px high, when it is closed',
    { tag: '@soak' },
    async ({ page, demoPath, providerUrl, axe }) => {
      await open({ page, demoPath, providerUrl }, configWith('forceLegacyEmbedded'));
      await (await prompt(page)).getByRole('button', { name: /close|no thanks|cancel/i }).click();
      await expect(plain(page)).toBeVisible();
      await expect(iframe(page)).toHaveCount(0);
      expect((await widget(page).locator('[data-part=one-tap]').boundingBox())?.height).toBe(47);
      expect(await axe(page)).toEqual([]);
      await plain(page).click();
      await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
    },
  );

  test('goes with the widget', { tag: '@soak' }, async ({ page, demoPath, providerUrl }) => {
    await open({ page, demoPath, providerUrl }, configWith('floating'));
    await expect(iframe(page)).toBeVisible();
    await page.evaluate((config) => {
      const { client } = (
        window as unknown as { __demo: { client: { mountLogin(options: object): { unmount(): void } } } }
      ).__demo;
      client.mountLogin({ elementId: '#widget', config }).unmount();
    }, configWith('floating'));
    await expect(iframe(page)).toHaveCount(0);
  });

  test(
    'is the plain button where it may stand in the widget only, and this browser draws prompts itself',
    { tag: '@soak' },
    async ({ page, demoPath, providerUrl }) => {
      await open({ page, demoPath, providerUrl }, configWith('embeddedOnly'));
      await expect(plain(page)).toBeVisible();
      await expect(iframe(page)).toHaveCount(0);
    },
  );

  test(
    'notifies the developer of a test project what is wrong',
    { tag: '@soak' },
    async ({ page, demoPath, providerUrl, baseURL, trap }) => {
      trap.allow(/status of 400/);
      await page.route('**/sdk/v1/oauth/google/onetap/start', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/json',
          headers: {
            'access-control-allow-origin': baseURL ?? '',
            'access-control-allow-credentials': 'true',
          },
          json: {
            status_code: 400,
            request_id: 'r',
            error_type: 'oauth_config_not_found',
            error_message: 'no',
            error_url: '',
          },
        }),
      );
      await open({ page, demoPath, providerUrl }, configWith());
      await expect(widget(page)).toContainText('Google One Tap: oauth_config_not_found.');
      await expect(plain(page)).toBeVisible();
    },
  );
});

test(
  'is the plain button under a strict policy, without a message',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Content Security Policy/);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'info' && !/Content Security Policy/.test(message.text())) errors.push(message.text());
    });
    await page.goto(`${demoPath}?config=${encoded(configWith())}`);
    await expect(plain(page)).toBeVisible();
    await expect(widget(page).getByRole('alert').first()).toHaveText('');
    expect(await mounted(page)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  },
);
