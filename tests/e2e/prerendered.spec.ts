import type { Locator, Page } from '@playwright/test';
import type { PorticoUIClient } from '#composition/ui-client.ts';
import { expect } from './fixtures.ts';
import { test } from './prerendered-site.ts';
import { looksTheSame, taken, watch } from './takeover.ts';
import { newAddress } from './visitor.ts';

const OTP = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
const TABS = {
  products: ['oauth', 'otp'],
  oauthOptions: { providers: [{ type: 'google' }, { type: 'github' }] },
  otpOptions: { methods: ['sms', 'whatsapp', 'email'] },
} as const;

const email = (page: Page): Locator => page.getByRole('textbox', { name: /email/i });
const continues = (page: Page, name = 'Continue with email'): Locator => page.getByRole('button', { name });

test(
  'a person types while the script is held back, and loses nothing: text, caret, focus, the very element',
  { tag: ['@every', '@smoke'] },
  async ({ page, site }) => {
    const noticed = await watch(page);
    await page.goto(
      await site.add({
        login: { config: { ...OTP, products: ['otp', 'passwords'], otpOptions: { methods: ['sms'] } } },
      }),
      { waitUntil: 'commit' },
    );
    const phone = page.getByRole('textbox', { name: 'Phone number' });
    await phone.pressSequentially('2125550123');
    await phone.evaluate((field: HTMLInputElement) => {
      field.setSelectionRange(2, 5);
      Object.assign(window, { typed: field });
    });
    site.release();
    await taken(page);
    await expect(phone).toBeFocused();
    const kept = await phone.evaluate((field: HTMLInputElement) => [
      (window as unknown as { typed: unknown }).typed === field,
      field.value.replace(/\D/gu, ''),
      field.selectionEnd !== field.value.length,
    ]);
    expect(kept).toEqual([true, '2125550123', true]);
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await expect(phone).toHaveValue(/^\D*1\D*2\D*5\D*5\D*5\D*0\D*1\D*2\D*3$/u);
    // The flag that the list of countries brings moves the code in its button, with and without the markup.
    expect((await noticed()).gaps).toBe(0);
  },
);

test(
  'Enter before the script is remembered, shown as in progress, and done when the code arrives',
  { tag: ['@every', '@smoke', '@soak'] },
  async ({ page, site, inbox }) => {
    const address = newAddress();
    await page.goto(await site.add({ login: { config: OTP } }), { waitUntil: 'commit' });
    const at = page.url();
    await email(page).pressSequentially(address);
    await page.keyboard.press('Enter');
    await expect(continues(page)).toHaveAttribute('aria-busy', 'true');
    expect(page.url()).toBe(at);
    site.release();
    await expect(page.getByRole('heading', { name: 'Enter passcode' })).toBeVisible();
    expect(page.url()).toBe(at);
    expect(await inbox.messagesTo(address)).toHaveLength(1);
  },
);

test(
  'a login whose takeover cannot be loaded is rendered again, and works',
  { tag: '@soak' },
  async ({ page, site, inbox, trap }) => {
    trap.allow(/net::ERR_FAILED|NetworkError|Failed to fetch/u);
    const address = newAddress();
    await page.route('**/*adoption*', (route) => route.abort());
    await page.goto(await site.add({ login: { config: OTP } }), { waitUntil: 'commit' });
    const aborted = page.waitForEvent('requestfailed');
    site.release();
    await aborted;
    await expect(page.locator('[data-portico-rendered]')).toHaveCount(0);
    await email(page).fill(address);
    await continues(page).click();
    await expect(page.getByRole('heading', { name: 'Enter passcode' })).toBeVisible();
    expect(await inbox.messagesTo(address)).toHaveLength(1);
  },
);

test(
  'with everything inline the form needs no second request, under a policy of hashes, and its sheet is the widget’s',
  { tag: '@soak' },
  async ({ page, site }) => {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    const login = { config: OTP, styles: { preset: 'soft' } } as const;
    await page.goto(await site.add({ login, isInline: true }), { waitUntil: 'commit' });
    await email(page).pressSequentially('ada@example.com');
    await page.getByRole('heading').click();
    expect(paths.filter((path) => /\.css$|early/u.test(path))).toEqual([]);
    const sheets = async (): Promise<readonly number[]> =>
      page.evaluate(() => [document.querySelectorAll('style').length, document.adoptedStyleSheets.length]);
    expect(await sheets()).toEqual([1, 0]);
    site.release();
    await taken(page);
    await expect(email(page)).toHaveValue('ada@example.com');
    const isAdopted = async (): Promise<boolean> =>
      page.evaluate(() =>
        document.adoptedStyleSheets.some(({ cssRules }) =>
          [...cssRules].some(({ cssText }) => cssText.includes('--p-night:')),
        ),
      );
    // The widget uses the sheet that is there, instead of a copy.
    expect([(await sheets())[0], await isAdopted()]).toEqual([1, false]);
    // With another widget the page needs a sheet that stays when the first one goes.
    await page.evaluate(() => {
      const { client } = globalThis as unknown as { readonly client: PorticoUIClient };
      const config = { products: ['otp'], otpOptions: { methods: ['sms'] } } as const;
      client.mountLogin({ elementId: document.body.appendChild(document.createElement('div')), config });
    });
    expect([(await sheets())[0], await isAdopted()]).toEqual([0, true]);
    await expect(email(page)).toHaveValue('ada@example.com');
  },
);

test('a press without the early script leaves the page where it is', { tag: '@soak' }, async ({ page, site }) => {
  await page.route('**/early.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(await site.add({ login: { config: OTP } }), { waitUntil: 'commit' });
  const at = page.url();
  await email(page).fill('ada@example.com');
  await page.keyboard.press('Enter');
  await continues(page).click();
  expect(page.url()).toBe(at);
  site.release();
  await taken(page);
  await expect(email(page)).toHaveValue('ada@example.com');
});

test(
  'a tab chosen before the script stays chosen, with its text and the focus',
  { tag: ['@every', '@soak'] },
  async ({ page, site }) => {
    const noticed = await watch(page);
    await page.goto(await site.add({ login: { config: TABS } }), { waitUntil: 'commit' });
    await page.getByRole('tab', { name: 'Email' }).click();
    await email(page).pressSequentially('ada@exam');
    site.release();
    await taken(page);
    await expect(page.getByRole('tab', { name: 'Email' })).toHaveAttribute('aria-selected', 'true');
    await expect(email(page)).toBeFocused();
    await page.keyboard.type('ple.com');
    await expect(email(page)).toHaveValue('ada@example.com');
    await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeHidden();
    expect((await noticed()).gaps).toBe(0);
  },
);

test(
  'other options than those of the markup render the login again, log one warning, and keep what was typed',
  { tag: '@soak' },
  async ({ page, site, trap }) => {
    trap.allow(/prerendered login differs/u);
    const warnings: string[] = [];
    page.on('console', (message) => message.text().includes('prerendered') && warnings.push(message.text()));
    await page.goto(await site.add({ login: { config: OTP }, mounted: { config: TABS } }), { waitUntil: 'commit' });
    await email(page).pressSequentially('ada@example.com');
    site.release();
    await taken(page);
    await expect(page.getByRole('tab', { name: 'Email' })).toBeVisible();
    await page.getByRole('tab', { name: 'Email' }).click();
    await expect(email(page)).toHaveValue('ada@example.com');
    expect(warnings).toEqual([
      expect.stringContaining(
        'The prerendered login differs from the mounted one in config, so it was rendered again.',
      ),
    ]);
  },
);

const LOOKS = {
  default: { config: TABS },
  german: { config: OTP, language: 'de', project: { displayWatermark: true } },
  'arabic, in a shadow root': { config: { ...OTP, enableShadowDOM: true }, language: 'ar' },
  'japanese, own texts': { config: TABS, language: 'ja', strings: { 'main.title': 'ようこそ' } },
  'a preset by its name': {
    config: TABS,
    styles: { preset: 'ocean', buttons: { primary: { backgroundColor: '#7a1fa2' } } },
  },
  'own colours, in a shadow root': {
    config: { ...TABS, enableShadowDOM: true },
    styles: {
      container: { backgroundColor: '#101820', borderRadius: 20 },
      colors: { primary: '#ffd166' },
      fontFamily: 'Georgia, serif',
    },
  },
} as const;

for (const [name, login] of Object.entries(LOOKS)) {
  // The markup of each is asserted by tests/unit/composition/prerender, and the first frame by prerendered-file.spec.ts.
  test(`the first frame is the frame of the widget: ${name}`, { tag: '@soak' }, async ({ page, site, trap }) => {
    trap.allow(/Failed to load resource/u);
    // A page that is never idle: what the login loads for its use adds flags and marks to the form.
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
    // The provider of the tests shows no link; what the markup says of the project ends with its settings.
    await page.route('**/projects/bootstrap/**', (route) => route.abort());
    const noticed = await watch(page);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // Beside the card: a pointer over it is a sign of use.
      await page.mouse.move(1, 899);
      await page.goto(await site.add({ login }), { waitUntil: 'commit' });
      // The last element of the markup.
      await expect(page.locator('[data-part=announcer]')).toBeAttached();
      // What is in the card: its edge and shadow vary by a step of one colour in a few pixels from frame to frame.
      const screen = page.locator('[data-part=screen]');
      const before = await screen.screenshot({ animations: 'disabled' });
      const place = await screen.boundingBox();
      const equals = async (): Promise<boolean> =>
        (await looksTheSame(page, before, await screen.screenshot({ animations: 'disabled' }))) &&
        JSON.stringify(await screen.boundingBox()) === JSON.stringify(place);
      site.release();
      await taken(page);
      expect(await equals()).toBe(true);
      expect(await noticed()).toMatchObject({ shift: 0, gaps: 0 });
      // Without markup, the settings of the project are unknown.
      if ('project' in login) continue;
      await page.goto(await site.add({ login, isEmpty: true }), { waitUntil: 'commit' });
      site.release();
      await expect.poll(equals).toBe(true);
    }
  });
}
