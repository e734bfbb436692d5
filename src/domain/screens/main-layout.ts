import type { OtpMethod } from '../otp.ts';
import { productsOf, type LoginConfig } from '../widget-config.ts';

/** A way to log in that starts from an address. */
export type EmailMethod = 'magicLink' | 'otp' | 'password';

/** What the Main screen shows, top to bottom. */
export interface MainLayout {
  /** The one form for an email address, and what sending it does; null when no email method is configured. */
  readonly email: EmailMethod | null;
  /** The tabs of the login form; without a bar when there is one. */
  readonly tabs: readonly OtpMethod[];
}

const KNOWN: ReadonlySet<string> = new Set<OtpMethod>(['sms', 'whatsapp', 'email']);

/**
 * In the order of the configured products, and those of passcodes in the order of `otpOptions.methods`. Whatever starts
 * from an address is the one email tab, at the first one's place.
 */
function tabsOf({ otpOptions, ...config }: LoginConfig): readonly OtpMethod[] {
  const tabs = productsOf(config).flatMap((product): readonly OtpMethod[] => {
    if (product === 'otp') return (otpOptions?.methods ?? []).filter((method) => KNOWN.has(method));
    return product === 'emailMagicLinks' || product === 'passwords' ? ['email'] : [];
  });
  return [...new Set(tabs)];
}

export function mainLayout(config: LoginConfig): MainLayout {
  const tabs = tabsOf(config);
  const products = productsOf(config);
  if (products.includes('passwords')) return { email: 'password', tabs };
  if (products.includes('emailMagicLinks')) return { email: 'magicLink', tabs };
  return { email: tabs.includes('email') ? 'otp' : null, tabs };
}
