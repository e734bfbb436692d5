import { mainLayout } from '../../domain/screens/main-layout.ts';
import type { ScreenName } from '../../domain/screens/screen.ts';
import { productsOf, type LoginConfig } from '../../domain/widget-config.ts';

/** The parts that screens come in, each loaded when a page may need it. */
export type PartName = 'emailed' | 'phone' | 'social' | 'passwords' | 'wallets' | 'passkeys' | 'consent';

/** The screens behind the first one, and the part that each is in. */
export const PART_OF = {
  EmailConfirmation: 'emailed',
  OTPAuthenticate: 'emailed',
  OTPConfirmation: 'emailed',
  AuthenticateFlowComplete: 'emailed',
  PasswordCreateOrLogin: 'passwords',
  PasswordForgot: 'passwords',
  PasswordDedupe: 'passwords',
  PasswordBreached: 'passwords',
  PasswordSetNew: 'passwords',
  PasswordResetForm: 'passwords',
  PasswordConfirmation: 'passwords',
  CryptoConnect: 'wallets',
  CryptoSignMessage: 'wallets',
  CryptoOtherScreen: 'wallets',
  CryptoSetupWallet: 'wallets',
  CryptoError: 'wallets',
  CryptoConfirmation: 'wallets',
  PasskeyConfirmation: 'passkeys',
  PasskeyRegistrationStart: 'passkeys',
  PasskeyRegistrationSuccess: 'passkeys',
  IDPConsent: 'consent',
} as const satisfies Readonly<Record<Exclude<ScreenName, 'Main'>, PartName>>;

export type LateScreenName = keyof typeof PART_OF;
export type ScreensOf<Part extends PartName> = {
  [Name in LateScreenName]: (typeof PART_OF)[Name] extends Part ? Name : never;
}[LateScreenName];

/** The parts that this screen may lead to, the present one's among them: what to load while the person acts. */
export function partsAhead(screen: ScreenName, config: LoginConfig): readonly PartName[] {
  if (screen !== 'Main') return [...new Set<PartName>([PART_OF[screen], 'emailed'])];
  const products = productsOf(config);
  return [
    'emailed',
    ...(mainLayout(config).tabs.some((tab) => tab !== 'email') ? (['phone'] as const) : []),
    ...(products.includes('oauth') ? (['social'] as const) : []),
    ...(products.includes('passwords') ? (['passwords'] as const) : []),
    ...(products.includes('crypto') ? (['wallets'] as const) : []),
    ...(products.includes('passkeys') ? (['passkeys'] as const) : []),
  ];
}
