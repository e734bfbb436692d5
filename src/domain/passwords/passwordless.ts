import { otpMethodsOf, productsOf, type LoginConfig } from '../widget/widget-config.ts';

/** The email login of a user without a password: a link or a passcode; null if neither is configured. */
export function passwordlessMethod(config: LoginConfig): 'link' | 'code' | null {
  const products = productsOf(config);
  if (products.includes('emailMagicLinks')) return 'link';
  const emailOtp = products.includes('otp') && otpMethodsOf(config).includes('email');
  return emailOtp ? 'code' : null;
}
