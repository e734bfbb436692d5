import { OAUTH_PROVIDERS, type OAuthProvider } from '../oauth-providers.ts';
import type { OtpMethod } from '../otp.ts';
import { otpMethodsOf, productsOf, type LoginConfig } from '../widget-config.ts';

/** A way to log in that starts from an address. */
export type EmailMethod = 'magicLink' | 'otp' | 'password';

/** What the Main screen shows, top to bottom. */
export interface MainLayout {
  /** The one form for an email address, and what sending it does; null when no email method is configured. */
  readonly email: EmailMethod | null;
  /** The tabs of the login form; without a bar when there is one. */
  readonly tabs: readonly OtpMethod[];
  /** In the order of the configured products; the one form block stands where the first of its products does. */
  readonly groups: readonly MainGroup[];
  /** The social logins that have a button, each with its place in the configuration. */
  readonly social: readonly SocialLogin[];
}

export type MainGroup = 'oauth' | 'wallets' | 'forms';

export interface SocialLogin {
  readonly index: number;
  readonly type: OAuthProvider;
  /** Shows Google's own prompt, which there is one of. */
  readonly oneTap: boolean;
}

const GROUP_OF: Readonly<Partial<Record<string, MainGroup>>> = {
  oauth: 'oauth',
  crypto: 'wallets',
  emailMagicLinks: 'forms',
  otp: 'forms',
  passwords: 'forms',
};

/** The providers that are known; what a host calls otherwise has no button. */
function socialOf({ oauthOptions }: LoginConfig): readonly SocialLogin[] {
  const providers = oauthOptions?.providers ?? [];
  const oneTap = providers.findIndex(({ type, one_tap }) => type === 'google' && one_tap === true);
  return providers.flatMap(({ type }, index) =>
    Object.hasOwn(OAUTH_PROVIDERS, type) ? [{ index, type, oneTap: index === oneTap }] : [],
  );
}

function groupsOf(config: LoginConfig, { social, tabs }: Pick<MainLayout, 'social' | 'tabs'>): readonly MainGroup[] {
  const filled = { oauth: social.length > 0, wallets: true, forms: tabs.length > 0 };
  const groups = productsOf(config).flatMap((product) => GROUP_OF[product] ?? []);
  return [...new Set(groups)].filter((group) => filled[group]);
}

/** Whether 'or' stands before the group: between social logins or wallets and the form, on either side of it. */
export function isDivided({ groups }: MainLayout, index: number): boolean {
  return index > 0 && (groups[index] === 'forms') !== (groups[index - 1] === 'forms');
}

/**
 * Whether Main has a button for passkeys: not where the field for an address offers them, and no tab hides it. While that is not known yet
 * (null) it is supposed, so that nothing moves when it turns out to be so.
 */
export function hasPasskeyButton(config: LoginConfig, { email, tabs }: MainLayout, autofill: boolean | null): boolean {
  return productsOf(config).includes('passkeys') && (email === null || tabs.length > 1 || autofill === false);
}

const KNOWN: ReadonlySet<string> = new Set<OtpMethod>(['sms', 'whatsapp', 'email']);

/**
 * In the order of the configured products, and those of passcodes in the order of `otpOptions.methods`. Whatever starts
 * from an address is the one email tab, at the first one's place.
 */
function tabsOf(config: LoginConfig): readonly OtpMethod[] {
  const tabs = productsOf(config).flatMap((product): readonly OtpMethod[] => {
    if (product === 'otp') return otpMethodsOf(config).filter((method) => KNOWN.has(method));
    return product === 'emailMagicLinks' || product === 'passwords' ? ['email'] : [];
  });
  return [...new Set(tabs)];
}

export function mainLayout(config: LoginConfig): MainLayout {
  const products = productsOf(config);
  const tabs = tabsOf(config);
  const social = products.includes('oauth') ? socialOf(config) : [];
  const email = products.includes('passwords')
    ? 'password'
    : products.includes('emailMagicLinks')
      ? 'magicLink'
      : tabs.includes('email')
        ? 'otp'
        : null;
  return { email, tabs, social, groups: groupsOf(config, { social, tabs }) };
}
