import type { Locator, Page } from '@playwright/test';
import { encode } from '../../demo/parts/codec.ts';
import { expect, test } from './fixtures.ts';
import { emailField, heading, newAddress, sendButton, widget } from './visitor.ts';

const top = async (one: Locator): Promise<number> => (await one.boundingBox())?.y ?? 0;

/** The properties that begin to move gently, by the part of their element. Frames may be dropped on a busy machine, events are not. */
async function transitionsOf(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    document.querySelector('#widget')?.addEventListener('transitionrun', (event) => {
      const { propertyName, target } = event as TransitionEvent;
      seen.push(`${(target as HTMLElement).dataset['part']} ${propertyName}`);
    });
  });
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

test(
  'an error grows under its field, and the button goes back when the address is corrected',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?theme=default`);
    await emailField(page).fill('ada@');
    const before = await top(sendButton(page));
    const moved = await transitionsOf(page);
    await sendButton(page).click();
    await expect(widget(page).getByText('Invalid email address.')).toBeVisible();
    await expect.poll(() => top(sendButton(page))).toBeGreaterThan(before + 20);
    expect(await moved()).toContain('field-error grid-template-rows');
    await emailField(page).fill('ada@example');
    await expect.poll(() => top(sendButton(page))).toBe(before);
  },
);

test(
  'the list of countries floats: the card keeps its height, and a short list has no empty place',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?config=${encode({ products: ['otp'], otpOptions: { methods: ['sms'] } })}`);
    const card = widget(page).locator('[data-part=container]');
    await expect(card).toBeVisible();
    const before = await card.boundingBox();
    await widget(page).locator('[data-part=country]').click();
    await expect(widget(page).getByRole('option').first()).toBeVisible();
    expect(await card.boundingBox()).toEqual(before);
    await page.keyboard.type('switz');
    await expect(widget(page).getByRole('option')).toHaveCount(1);
    expect((await widget(page).getByRole('dialog').boundingBox())?.height).toBeLessThan(130);
  },
);

test(
  'buttons beside one that works do not blink, and the card of the default look moves gently',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const config = {
      products: ['oauth', 'otp'],
      oauthOptions: { providers: [{ type: 'google' }] },
      otpOptions: { methods: ['email'] },
    };
    await page.goto(`${demoPath}?theme=default&config=${encode(config)}`);
    const google = widget(page).getByRole('button', { name: 'Continue with Google' });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/otps/email/login_or_create', async (route) => {
      await held;
      await route.continue();
    });
    await google.hover();
    const moved = await transitionsOf(page);
    await emailField(page).fill(newAddress());
    await widget(page).getByRole('button', { name: 'Continue with email' }).click();
    await expect(google).toHaveAttribute('aria-disabled', 'true');
    await expect(google).toHaveCSS('transition-delay', '0.4s');
    release();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    // The property is named by its physical side in one engine, and by its logical one in the other.
    await expect.poll(async () => (await moved()).join()).toMatch(/\bcontainer (?:height|block-size)\b/u);
  },
);
