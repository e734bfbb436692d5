import { OAUTH_PROVIDERS, type OAuthProvider } from '../social/oauth-providers.ts';
import { OTP_METHODS } from '../contacts/channels.ts';
import type { OtpMethod } from '../passcodes/otp.ts';
import { otpMethodsOf, productsOf, type LoginConfig } from '../widget/widget-config.ts';

/** A login method that starts from an email address. */
export type EmailMethod = 'magicLink' | 'otp' | 'password';

/** The contents of the Main screen, from top to bottom. */
export interface MainLayout {
  /** The method that the form for an email address starts; null when no email method is configured. */
  readonly email: EmailMethod | null;
  /** The tabs of the login form. A single tab shows no tab bar. */
  readonly tabs: readonly OtpMethod[];
  /** In the order of the configured products. There is one block of forms, at the position of the first product that needs it. */
  readonly groups: readonly MainGroup[];
  /** The social logins that have a button, each with its index in the configuration. */
  readonly social: readonly SocialLogin[];
}

export type MainGroup = 'oauth' | 'wallets' | 'forms';

export interface SocialLogin {
  readonly index: number;
  readonly type: OAuthProvider;
  /** Shows Google's own prompt; at most one provider does. */
  readonly oneTap: boolean;
}

const GROUP_OF: Readonly<Partial<Record<string, MainGroup>>> = {
  oauth: 'oauth',
  crypto: 'wallets',
  emailMagicLinks: 'forms',
  otp: 'forms',
  passwords: 'forms',
};

/** The configured providers that are known. A provider of an unknown type has no button. */
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

/** Whether the divider 'or' shows before the group: it separates the forms from social logins and wallets. */
export function isDivided({ groups }: MainLayout, index: number): boolean {
  return index > 0 && (groups[index] === 'forms') !== (groups[index - 1] === 'forms');
}

/**
 * How Main offers passkeys: with a button, or with a link under the email field if that field offers them (`autofill`) and no tab can hide
 * it. While autofill support is unknown (null), support is assumed, so that the layout does not move when it is confirmed. Null without
 * passkeys, and if the host has turned off the link.
 */
export function passkeyEntry(
  config: LoginConfig,
  { email, tabs }: MainLayout,
  autofill: boolean | null,
): 'button' | 'link' | null {
  if (!productsOf(config).includes('passkeys')) return null;
  if (email === null || tabs.length > 1 || autofill === false) return 'button';
  return config.passkeyOptions?.link === false ? null : 'link';
}

/**
 * The tabs in the order of the configured products, those of passcodes in the order of `otpOptions.methods`. All methods that
 * start from an email address share one email tab, at the position of the first of them.
 */
function tabsOf(config: LoginConfig): readonly OtpMethod[] {
  const tabs = productsOf(config).flatMap((product): readonly OtpMethod[] => {
    if (product === 'otp') return otpMethodsOf(config).filter((method) => OTP_METHODS.includes(method));
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
