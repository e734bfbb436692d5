import type { OAuthProvider } from './oauth-providers.ts';
import type { OtpMethod } from './otp.ts';
import { SESSION_DURATION_MINUTES } from './session.ts';
import { isRecord, wrongFields, type Shape } from './shape.ts';

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

/**
 * Where the prompt is to stand. A browser that draws it by itself (FedCM) puts it over the page, whatever a page asks;
 * then, and in a shadow root, it cannot stand in the widget.
 *
 * - `embedded`: in the widget; over the page where it cannot stand there;
 * - `embeddedOnly`: in the widget; where it cannot stand there, only the plain button shows;
 * - `floating`: over the page;
 * - `floatingOrEmbedded`: over the page; where it does not come there, in the widget;
 * - `forceLegacyEmbedded`: in the widget, drawn the older way even by a browser that could do it itself.
 */
export const OneTapPositions = {
  embedded: 'embedded',
  floating: 'floating',
  embeddedOnly: 'embeddedOnly',
  floatingOrEmbedded: 'floatingOrEmbedded',
  forceLegacyEmbedded: 'forceLegacyEmbedded',
} as const;
export type OneTapPositions = (typeof OneTapPositions)[keyof typeof OneTapPositions];
export type OneTapPosition = OneTapPositions;

/** Options of a magic link: where it leads, how long it is good (minutes) and how the message looks. */
export interface EmailMagicLinksOptions {
  /** Where a known user's link leads; the project's own address unless given. */
  readonly loginRedirectURL?: string;
  /** How long it is good, in minutes: 30 unless given. */
  readonly loginExpirationMinutes?: number;
  /** Where a new user's link leads. */
  readonly signupRedirectURL?: string;
  /** In minutes: 30 unless given. */
  readonly signupExpirationMinutes?: number;
  /** The server's template of the mail to a known user. */
  readonly loginTemplateId?: string;
  /** The server's template of the mail to a new user. */
  readonly signupTemplateId?: string;
  /** Makes a new user `pending` until the link is used. */
  readonly createUserAsPending?: boolean;
  /** The domain that sends the mails: the mailbox links search for it. */
  readonly domainHint?: string;
  /** The language of the mail, such as `es`. */
  readonly locale?: string;
}

/** Options of a passcode: how it is sent, how long it is good and how the message looks. */
export interface OTPOptions {
  /** The ways to send one, in the order of their tabs: `email` unless given, and `sms` beside email magic links. */
  readonly methods?: readonly OTPMethods[];
  /** How long a code is good, in minutes: 5 unless given. */
  readonly expirationMinutes?: number;
  /** The server's template of the mail to a known user. */
  readonly loginTemplateId?: string;
  /** The server's template of the mail to a new user. */
  readonly signupTemplateId?: string;
  /** The language of the message, such as `es`. */
  readonly locale?: string;
}

/** One social login. An entry of a type that is not known shows no label (section 2, Main screen). */
export interface OAuthProviderOptions {
  readonly type: OAuthProvider;
  /** Scopes to ask the provider for beside the usual ones. */
  readonly custom_scopes?: readonly string[];
  /** Handed to the provider's own authorization endpoint. */
  readonly provider_params?: Readonly<Record<string, string>>;
  /** Shows Google's own prompt in place of a plain button; Google alone has one. */
  readonly one_tap?: boolean;
  /** Where the prompt stands: in the widget (`embedded`, unless given) or over the page. */
  readonly position?: OneTapPosition;
  /** Whether a tap beside the prompt closes it: true unless given. */
  readonly cancel_on_tap_outside?: boolean;
}

/** The social logins, and where they come back to. */
export interface OAuthOptions {
  /** In the order of their buttons. */
  readonly providers: readonly OAuthProviderOptions[];
  /** Where a known user comes back to, with a token in the query; and who denied, with `error` and `provider_type`. */
  readonly loginRedirectURL?: string;
  /** Where a new user comes back to. */
  readonly signupRedirectURL?: string;
}

/** Where the mails of the password screens lead, how long their links are good (minutes) and how they look. */
export interface PasswordOptions {
  /** Where the mail's link to log in without a password leads. */
  readonly loginRedirectURL?: string;
  /** In minutes: 30 unless given. */
  readonly loginExpirationMinutes?: number;
  /** The page that shows `mountResetPassword`. */
  readonly resetPasswordRedirectURL?: string;
  /** In minutes; the server's own unless given. */
  readonly resetPasswordExpirationMinutes?: number;
  /** The server's template of the mail. */
  readonly resetPasswordTemplateId?: string;
  /** The language of the mail, such as `es`. */
  readonly locale?: string;
}

/** The session that a login begins. */
export interface SessionOptions {
  /** How long it lasts, in minutes: 30 unless given. */
  readonly sessionDurationMinutes?: number;
}

/** The login widget's configuration. */
export interface LoginConfig {
  /** The ways to log in, in the order in which they show: email magic links unless given. */
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

/** The ways to send a passcode. */
export function otpMethodsOf(config: LoginConfig): readonly OTPMethods[] {
  return config.otpOptions?.methods ?? (productsOf(config).includes('emailMagicLinks') ? ['sms'] : ['email']);
}

const SHAPE = {
  products: 'string[]?',
  emailMagicLinksOptions: 'object?',
  oauthOptions: 'object?',
  otpOptions: 'object?',
  passwordOptions: 'object?',
  sessionOptions: 'object?',
} as const;

function check(at: string, shape: Shape, value: unknown): void {
  const wrong = isRecord(value) ? wrongFields(shape, value)[0]?.message : '';
  if (wrong !== undefined) throw new ConfigError(wrong === '' ? `${at} must be an object` : `${at}.${wrong}`);
}

/**
 * Throws a ConfigError for fields that are not what they must be, and for products that cannot stand together (section 2, Main
 * screen).
 */
export function checkConfig(config: LoginConfig): void {
  check('config', SHAPE, config);
  check('config.otpOptions', { methods: 'string[]?' }, config.otpOptions ?? {});
  check('config.oauthOptions', { providers: 'object[]?' }, config.oauthOptions ?? {});
  check('config.sessionOptions', { sessionDurationMinutes: 'number?' }, config.sessionOptions ?? {});
  const products = productsOf(config);
  if (products.length === 1 && products[0] === 'passkeys') {
    throw new ConfigError('Cannot use Passkeys by itself, please add another product to the config.');
  }
  const emailOtp = products.includes('otp') && otpMethodsOf(config).includes('email');
  if (products.includes('emailMagicLinks') && emailOtp) {
    throw new ConfigError('Cannot use both EML and Email OTP');
  }
}

/** How long a session made by the widget lasts, in minutes. */
export function sessionMinutes(config: LoginConfig): number {
  return config.sessionOptions?.sessionDurationMinutes ?? SESSION_DURATION_MINUTES;
}
