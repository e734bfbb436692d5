import type { OAuthProvider } from './oauth-providers.ts';
import type { OneTapPosition } from './one-tap.ts';
import type { OtpMethod } from './otp.ts';
import { SESSION_DURATION_MINUTES } from './session.ts';

/**
 * What a host configures (specification, section 3; names as hosts type them). Every enumeration is an object and a
 * union of its strings, so that members and plain strings both type-check.
 */

export const Products = {
  emailMagicLinks: 'emailMagicLinks',
  oauth: 'oauth',
  otp: 'otp',
  crypto: 'crypto',
  passwords: 'passwords',
  passkeys: 'passkeys',
} as const;
export type Products = (typeof Products)[keyof typeof Products];

export const OTPMethods = { SMS: 'sms', WhatsApp: 'whatsapp', Email: 'email' } as const satisfies Record<
  string,
  OtpMethod
>;
export type OTPMethods = OtpMethod;

/** Options of a magic link: where it leads, how long it is good (minutes) and how the message looks. */
export interface EmailMagicLinksOptions {
  readonly loginRedirectURL?: string;
  readonly loginExpirationMinutes?: number;
  readonly signupRedirectURL?: string;
  readonly signupExpirationMinutes?: number;
  readonly loginTemplateId?: string;
  readonly signupTemplateId?: string;
  readonly createUserAsPending?: boolean;
  /** The domain that sends the mails: the mailbox links search for it. */
  readonly domainHint?: string;
  readonly locale?: string;
}

export interface OTPOptions {
  readonly methods: readonly OTPMethods[];
  readonly expirationMinutes?: number;
  readonly loginTemplateId?: string;
  readonly signupTemplateId?: string;
  readonly locale?: string;
}

/** One social login. An entry of a type that is not known shows no label (section 2, Main screen). */
export interface OAuthProviderOptions {
  readonly type: OAuthProvider;
  readonly custom_scopes?: readonly string[];
  readonly provider_params?: Readonly<Record<string, string>>;
  /** Shows Google's own prompt in place of a plain button; Google alone has one. */
  readonly one_tap?: boolean;
  readonly position?: OneTapPosition;
  readonly cancel_on_tap_outside?: boolean;
}

export interface OAuthOptions {
  readonly providers: readonly OAuthProviderOptions[];
  readonly loginRedirectURL?: string;
  readonly signupRedirectURL?: string;
}

/** Where the mails of the password screens lead, how long their links are good (minutes) and how they look. */
export interface PasswordOptions {
  readonly loginRedirectURL?: string;
  readonly loginExpirationMinutes?: number;
  readonly resetPasswordRedirectURL?: string;
  readonly resetPasswordExpirationMinutes?: number;
  readonly resetPasswordTemplateId?: string;
  readonly locale?: string;
}

export interface SessionOptions {
  readonly sessionDurationMinutes?: number;
}

/** The login widget's configuration. */
export interface LoginConfig {
  readonly products?: readonly Products[];
  readonly emailMagicLinksOptions?: EmailMagicLinksOptions;
  readonly oauthOptions?: OAuthOptions;
  readonly otpOptions?: OTPOptions;
  readonly passwordOptions?: PasswordOptions;
  readonly sessionOptions?: SessionOptions;
  /** Renders inside a shadow root. Password managers see less there. */
  readonly enableShadowDOM?: boolean;
  /** The country whose telephone numbers are expected (ours): ISO 3166-1, such as `DE`. The United States unless given. */
  readonly defaultCountry?: string;
  /** Remembers in this browser by which way somebody logged in last, and marks it (ours). True unless given. */
  readonly rememberLastMethod?: boolean;
}

export const MAGIC_LINK_EXPIRATION_MINUTES = 30;

/** A configuration that no screen could serve. Thrown by the mount call. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The products to show: email magic links when none are named. */
export function productsOf(config: LoginConfig): readonly Products[] {
  return config.products ?? ['emailMagicLinks'];
}

/** Throws a ConfigError for products that cannot stand together (section 2, Main screen). */
export function checkConfig(config: LoginConfig): void {
  const products = productsOf(config);
  if (products.length === 1 && products[0] === 'passkeys') {
    throw new ConfigError('Cannot use Passkeys by itself, please add another product to the config.');
  }
  const emailOtp = products.includes('otp') && config.otpOptions?.methods.includes('email') === true;
  if (products.includes('emailMagicLinks') && emailOtp) {
    throw new ConfigError('Cannot use both EML and Email OTP');
  }
}

/** How long a session made by the widget lasts, in minutes. */
export function sessionMinutes(config: LoginConfig): number {
  return config.sessionOptions?.sessionDurationMinutes ?? SESSION_DURATION_MINUTES;
}
