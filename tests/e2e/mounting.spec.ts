import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForCode,
  codeField,
  emailField,
  expectSignedIn,
  heading,
  newAddress,
  sendButton,
  widget,
} from './visitor.ts';

interface DemoWindow {
  readonly __demo: { readonly screens: readonly string[]; readonly client: { mountLogin(options: object): unknown } };
}

const OTP = { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 5 } };

/** Mounts as a host would, and answers the message of what was thrown. */
const mount = (page: Page, elementId: string, config: object = OTP, more: object = {}): Promise<string | null> =>
  page.evaluate(
    ([elementId, config, more]) => {
      const { client } = (window as unknown as DemoWindow).__demo;
      try {
        client.mountLogin({ elementId, config, ...more });
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    },
    [elementId, config, more] as const,
  );

test('mounting again shows the one widget anew', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await emailField(page).fill('kept@example.com');
  expect(await mount(page, '#widget')).toBeNull();
  expect(await mount(page, '#widget')).toBeNull();
  await expect(heading(page, 'Sign up or log in')).toHaveCount(1);
  await expect(emailField(page)).toHaveCount(1);
  expect(await mount(page, '#widget', OTP, { styles: { hideHeaderText: true } })).toBeNull();
  await expect(heading(page, 'Sign up or log in')).toHaveCount(0);
  await expect(emailField(page)).toHaveCount(1);
});

test(
  'an element that is not there, or a configuration that cannot be, is refused',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(demoPath);
    await expect(emailField(page)).toBeVisible();
    expect(await mount(page, '#nowhere')).toContain('#nowhere');
    expect(await mount(page, '#widget', { products: ['passkeys'] })).toBe(
      'Cannot use Passkeys by itself, please add another product to the config.',
    );
    expect(await mount(page, '#widget', { ...OTP, products: ['emailMagicLinks', 'otp'] })).toBe(
      'Cannot use both EML and Email OTP',
    );
    await expect(emailField(page)).toBeVisible();
  },
);

test('in a shadow root the same login works', async ({ page, demoPath, inbox, axe }) => {
  const address = newAddress();
  await page.goto(`${demoPath}?shadow=1`);
  await expect(emailField(page)).toBeVisible();
  const lightInputs = () => page.evaluate(() => document.querySelectorAll('#widget input').length);
  expect(await lightInputs()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await askForCode(page, address);
  await expect(codeField(page)).toBeVisible();
  await codeField(page).pressSequentially(await inbox.codeFor(address));
  await expectSignedIn(page, address);
});

const colourOf = (page: Page, part: 'button' | 'card'): Promise<string> =>
  part === 'button'
    ? sendButton(page).evaluate((element) => getComputedStyle(element).backgroundColor)
    : heading(page, 'Sign up or log in').evaluate((element) => getComputedStyle(element).fontFamily);

test("a host's theme is taken over", { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  await page.goto(`${demoPath}?theme=brand`);
  await emailField(page).fill('a@example.com');
  await expect.poll(() => colourOf(page, 'button')).toBe('rgb(91, 42, 134)');
  expect(await colourOf(page, 'card')).toContain('Georgia');
  expect(await emailField(page).evaluate((field) => getComputedStyle(field).borderTopLeftRadius)).toBe('10px');
  expect(await axe(page)).toEqual([]);
});

test('the default theme has the sizes of the specification', async ({ page, demoPath }) => {
  await page.goto(`${demoPath}?theme=default`);
  expect((await emailField(page).boundingBox())?.height).toBe(47);
  expect((await sendButton(page).boundingBox())?.height).toBe(45);
  const title = (await heading(page, 'Sign up or log in').boundingBox())?.width ?? 0;
  expect(title).toBeLessThan(400);
  expect((await widget(page).locator('> *').first().boundingBox())?.width).toBe(400);
});

test('the header can be left out, and the watermark is there', { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  await page.goto(demoPath);
  await expect(heading(page, 'Sign up or log in')).toBeVisible();
  const watermark = widget(page).getByRole('link', { name: /Powered by/ });
  await expect(watermark).toBeVisible();
  // Bold, or as bold as the preset of the page has it.
  await expect(watermark.locator('strong')).toHaveCSS('font-weight', /^[67]00$/);
  await page.goto(`${demoPath}?header=off`);
  await expect(emailField(page)).toBeVisible();
  await expect(heading(page, 'Sign up or log in')).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
});

test('the screen stream tells the host where the visitor is', { tag: '@soak' }, async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(`${demoPath}?stay=1`);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expect(heading(page, 'Success!')).toBeVisible();
  const screens = await page.evaluate(() => (window as unknown as DemoWindow).__demo.screens);
  expect([...new Set(screens)]).toEqual(['Main', 'OTPAuthenticate', 'OTPConfirmation']);
});
