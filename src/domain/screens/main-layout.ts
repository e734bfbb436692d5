import { productsOf, type LoginConfig } from '../widget-config.ts';

/** A way to log in that starts from an address. */
export type EmailMethod = 'magicLink' | 'otp' | 'password';

/** What the Main screen shows, top to bottom. */
export interface MainLayout {
  /** The one form for an email address, and what sending it does; null when no email method is configured. */
  readonly email: EmailMethod | null;
}

export function mainLayout(config: LoginConfig): MainLayout {
  const products = productsOf(config);
  if (products.includes('passwords')) return { email: 'password' };
  if (products.includes('emailMagicLinks')) return { email: 'magicLink' };
  const emailOtp = products.includes('otp') && config.otpOptions?.methods.includes('email') === true;
  return { email: emailOtp ? 'otp' : null };
}
