import { otpMethodsOf, productsOf, type LoginConfig } from './widget-config.ts';

/** How somebody without a password logs in by email: by a link, by a code, or not at all where neither is configured. */
export function passwordlessMethod(config: LoginConfig): 'link' | 'code' | null {
  const products = productsOf(config);
  if (products.includes('emailMagicLinks')) return 'link';
  const emailOtp = products.includes('otp') && otpMethodsOf(config).includes('email');
  return emailOtp ? 'code' : null;
}
