import { afterEach, expect, it, vi } from 'vitest';
import type { LoginConfig } from '../../../src/domain/widget/widget-config.ts';
import type { loadPart } from '../../../src/presentation/parts/load-part.ts';
import type { PartName } from '../../../src/presentation/parts/parts.ts';
import { no } from '../application/social/passkey-world.ts';
import { ADA, closePages, field, login } from '../composition/pressing/page.ts';
import '../lazy-code.ts';

const files = vi.hoisted(() => ({ areGone: true }));
vi.mock('../../../src/presentation/parts/load-part.ts', async (original) => {
  const { loadPart: load } = await original<{ loadPart: typeof loadPart }>();
  return {
    loadPart: async (name: PartName) => {
      if (name === 'passkeys' && files.areGone) throw new TypeError('Failed to fetch dynamically imported module');
      return load(name);
    },
  };
});

const CONFIG: LoginConfig = { products: ['otp', 'passkeys'], otpOptions: { methods: ['email'] } };
const MESSAGE = 'Part of this page did not load.';

afterEach(closePages);

it('without the file of the note, the passkey link says so after a login that failed, until another way is tried', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const page = await login(CONFIG, { prepare: ({ webauthn }) => void (webauthn.refusal = no('NotAllowedError')) });
  await page.until(() => field('email'));
  document.querySelector('h1')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await page.settle();
  expect(document.body.textContent).not.toContain(MESSAGE);
  await page.press('Use a passkey');
  const alert = await page.until(() =>
    [...document.querySelectorAll('[role=alert]')].find(({ textContent }) => textContent?.includes(MESSAGE)),
  );
  expect(alert.closest('form')).toBe(field('email')?.form);
  await page.press('Reload');
  expect(reload).toHaveBeenCalledOnce();
  await page.fill('email', ADA);
  await page.press('Continue with email');
  await page.shows('Enter passcode');
  await page.press('Back');
  await page.until(() => field('email'));
  expect(document.body.textContent).not.toContain(MESSAGE);
});

it('with a file that comes late, the link shows its note alone', async () => {
  files.areGone = false;
  const page = await login(CONFIG, { prepare: ({ webauthn }) => void (webauthn.refusal = no('NotAllowedError')) });
  await page.press('Use a passkey');
  await page.until(() => document.querySelector('[data-part=passkey-note]')?.textContent || null);
  expect(document.body.textContent).not.toContain(MESSAGE);
});
