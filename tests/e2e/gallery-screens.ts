import type { Page } from '@playwright/test';
import type { PresetName } from '#domain/widget/theme.ts';

export const PRESETS: readonly PresetName[] = [
  'modern',
  'soft',
  'compact',
  'paper',
  'mono',
  'warm',
  'ocean',
  'contrast',
];

/** The main screens, and those whose states only they have. */
export const MAIN_SCREENS =
  'social-tabs,main-error-network,main-loading,otp-wrong,email-confirmation,password-login-wrong,password-new-luds-partly,' +
  'phone-countries,main-wallets,consent-unfolded,account,account-revoke-app,passkey-list-deleting,otp-resend-failed,otp-ar,main-ja';

/** The fixtures of one screen, or of all. A screen that throws on purpose is the one error that the gallery logs. */
export async function openGallery(page: Page, query: string): Promise<void> {
  await page.goto(`/gallery?${query}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
}

interface Rect {
  readonly id: string;
  readonly part: string;
}

/** What reaches out of its card, or is wider than the room it has. */
export const overflowing = (page: Page): Promise<readonly Rect[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.card')].flatMap((card) => {
      const room = card.getBoundingClientRect();
      const outside = [...card.querySelectorAll<HTMLElement>('[data-part]:not([data-part=announcer])')].filter(
        (one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width > 0 && (left < room.left - 1 || right > room.right + 1);
        },
      );
      return outside.map((one) => ({ id: card.id, part: one.dataset['part'] ?? '' }));
    }),
  );
