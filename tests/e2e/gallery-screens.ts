import type { PresetName } from '../../src/domain/widget/theme.ts';

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
