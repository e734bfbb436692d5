import type { PasskeyExtensions } from '../prf.ts';
import type { AccountSection } from '../account/account.ts';
import type { OTPMethods } from '../contacts/channels.ts';
import type { OneTapPosition } from '../social/one-tap-positions.ts';
import type { OAuthProvider } from '../social/oauth-providers.ts';
import type { MissingProof } from '../sessions/mfa.ts';
import { isRecord, wrongFields, type Shape } from '../shape.ts';

/**
 * The configuration of the widgets (specification, section 3). Every enumeration is an object and a union of its strings, so that
 * members and plain strings both type-check.
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

/** The options of email magic links: their target, their lifetime and the email's template. */
export interface EmailMagicLinksOptions {
  /** The page that an existing user's link opens. Default: the project's. */
  readonly loginRedirectURL?: string;
  /** The lifetime of an existing user's link, in minutes. Default: 30. */
  readonly loginExpirationMinutes?: number;
  /** The page that a new user's link opens. Default: the project's. */
  readonly signupRedirectURL?: string;
  /** The lifetime of a new user's link, in minutes. Default: 30. */
  readonly signupExpirationMinutes?: number;
  /** The server's email template for an existing user. */
  readonly loginTemplateId?: string;
  /** The server's email template for a new user. */
  readonly signupTemplateId?: string;
  /** Makes a new user `pending` until the link is used. */
  readonly createUserAsPending?: boolean;
  /** The domain that sends the emails. The links to webmail search for it. */
  readonly domainHint?: string;
  /** The language of the email, such as `es`. */
  readonly locale?: string;
}

/** The options of one-time passcodes: how they are sent, their lifetime and the message's template. */
export interface OTPOptions {
  /** The delivery methods, in the order of their tabs. Unless given: `sms` beside email magic links, else `email`. */
  readonly methods?: readonly OTPMethods[];
  /** The lifetime of a code, in minutes. Default: 5. */
  readonly expirationMinutes?: number;
  /** The server's email template for an existing user. */
  readonly loginTemplateId?: string;
  /** The server's email template for a new user. */
  readonly signupTemplateId?: string;
  /** The language of the message, such as `es`. */
  readonly locale?: string;
}

/** One social login. An entry of an unknown type has no button (section 2, Main screen). */
export interface OAuthProviderOptions {
  /** The provider, such as `google`. */
  readonly type: OAuthProvider;
  /** Scopes to request from the provider in addition to the usual ones. */
  readonly custom_scopes?: readonly string[];
  /** Query parameters that are passed on to the provider's authorization endpoint. */
  readonly provider_params?: Readonly<Record<string, string>>;
  /** Shows Google's One Tap prompt in place of a plain button. Other providers have no such prompt. */
  readonly one_tap?: boolean;
  /** The place of the prompt: in the widget (`embedded`, the default) or over the page. */
  readonly position?: OneTapPosition;
  /** Whether a tap outside the prompt closes it. Default: true. */
  readonly cancel_on_tap_outside?: boolean;
}

/** The social logins, and the pages to which they return. */
export interface OAuthOptions {
  /** In the order of their buttons. */
  readonly providers: readonly OAuthProviderOptions[];
  /**
   * The page for an existing user, with a token in the query. After a denial, the query has `error` and `provider_type`. Default: the
   * project's.
   */
  readonly loginRedirectURL?: string;
  /** The page for a new user, with a token in the query. Default: the project's. */
  readonly signupRedirectURL?: string;
  /**
   * `row` shows three or four social logins as icons beside each other, each with its name for screen readers (not in the reference
   * client). Other numbers of them, and lists with Google One Tap, are shown below each other. Default: `list`.
   */
  readonly layout?: 'list' | 'row';
}

/** The options of the password screens' emails: the targets of their links, their lifetimes and their template. */
export interface PasswordOptions {
  /** The page that the link for a login without a password opens. Default: the project's. */
  readonly loginRedirectURL?: string;
  /** The lifetime of that link, in minutes. Default: 30. */
  readonly loginExpirationMinutes?: number;
  /** The page that calls `mountResetPassword`. Default: the project's. */
  readonly resetPasswordRedirectURL?: string;
  /** The lifetime of the reset link, in minutes. Default: the server's. */
  readonly resetPasswordExpirationMinutes?: number;
  /** The server's template of the reset email. */
  readonly resetPasswordTemplateId?: string;
  /** Offers to suggest a passphrase where a password is chosen (not in the reference client). Default: true. */
  readonly suggestPassphrase?: boolean;
  /** The language of the email, such as `es`. */
  readonly locale?: string;
}

/** The options of passkeys. */
export interface PasskeyOptions {
  /**
   * Shows the button 'Use a passkey' under the email form of a login whose passkeys are offered by the browser's autofill only (not in
   * the reference client). Default: true.
   */
  readonly link?: boolean;
  /**
   * After a login by another method, offers to create a passkey where the device can keep one and the user has none (not in the
   * reference client). The login's events come first, so a host that removes the widget on them shows no offer. Default: false.
   */
  readonly offerAfterLogin?: boolean;
  /**
   * After a login with a password, adds a passkey without a question where the browser and the person's password manager do so (WebAuthn
   * Level 3, conditional creation; not in the reference client). The widget then reports `PASSKEY_REGISTER`; a refusal has no effect. After it, `offerAfterLogin` makes no offer. Default: false.
   */
  readonly upgradeAfterLogin?: boolean;
  /**
   * Shows the button 'Create account with passkey': with the product `passwords` where a new user would set a password, else on the first
   * screen. `passkeys` may then be the only product. It needs `passkeys.sign_up` in the project (not in the reference client). The account
   * begins with the passkey alone; the address is the user's `unproven_email` until they prove it. Default: false.
   */
  readonly signUp?: boolean;
  /**
   * The extension `prf`: values from which a passkey derives secrets at a login and at a registration (not in the reference client). The
   * results are in the data of `PASSKEY_AUTHENTICATE` and `PASSKEY_REGISTER`, as `client_extension_results`. They are never sent.
   */
  readonly extensions?: PasskeyExtensions;
}

/** The options of the session that a login starts. */
export interface SessionOptions {
  /** The duration of the session, in minutes. Default: 30. */
  readonly sessionDurationMinutes?: number;
}

/** The options of the account page. */
export interface AccountOptions {
  /** The sections to show, in their order. Default: all of them. A section that the server does not support is left out. */
  readonly sections?: readonly AccountSection[];
  /** The way to the sign-in for a visitor who is not signed in: a function to call, or the URL of a page. */
  readonly signIn?: (() => void) | string;
}

/** The login widget's configuration. */
export interface LoginConfig {
  /** The login methods, in the order in which they show. Default: email magic links. */
  readonly products?: readonly Products[];
  /** The options of the product `emailMagicLinks`. */
  readonly emailMagicLinksOptions?: EmailMagicLinksOptions;
  /** The options of the product `oauth`; required for it. */
  readonly oauthOptions?: OAuthOptions;
  /** The options of the product `otp`. */
  readonly otpOptions?: OTPOptions;
  /** The options of the product `passwords`. */
  readonly passwordOptions?: PasswordOptions;
  /** The options of the product `passkeys`. */
  readonly passkeyOptions?: PasskeyOptions;
  /** The options of the session that a login starts. */
  readonly sessionOptions?: SessionOptions;
  /** The options of the account page. Of the login's configuration, it also uses the session, passcodes and country. */
  readonly accountOptions?: AccountOptions;
  /**
   * The missing proofs of a signed-in user's session: the `lacks` of `authenticateRequest` of `portico/server`. The login then opens on
   * the second factor, and ends with the same events (not in the reference client). It is read when the widget is mounted.
   */
  readonly stepUp?: MissingProof;
  /** Renders inside a shadow root, in which password managers work less reliably. Default: false. */
  readonly enableShadowDOM?: boolean;
  /** The country that is preselected for phone numbers (not in the reference client): ISO 3166-1, such as `DE`. Default: `US`. */
  readonly defaultCountry?: string;
  /** Remembers the last login method in this browser, and marks it (not in the reference client). Default: true. */
  readonly rememberLastMethod?: boolean;
  /**
   * The page for help: an https URL, a path of the site, or a `mailto:` address. Every screen then ends with the link 'Trouble signing
   * in?' (not in the reference client; WCAG 2.2, 3.2.6). Any other address shows nothing, and logs a warning.
   */
  readonly helpUrl?: string;
}

export const MAGIC_LINK_EXPIRATION_MINUTES = 30;

/** The configuration is invalid. Thrown by the mount call. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The configured products, or email magic links when none are given. */
export function productsOf(config: LoginConfig): readonly Products[] {
  return config.products ?? ['emailMagicLinks'];
}

/** The configured delivery methods for passcodes, or the default. */
export function otpMethodsOf(config: LoginConfig): readonly OTPMethods[] {
  return config.otpOptions?.methods ?? (productsOf(config).includes('emailMagicLinks') ? ['sms'] : ['email']);
}

type FieldOf<Value> = [Value] extends [boolean]
  ? 'boolean?'
  : [Value] extends [number]
    ? 'number?'
    : [Value] extends [string]
      ? 'string?'
      : [Value] extends [readonly string[]]
        ? 'string[]?'
        : 'object[]?';
/** Some fields of these options, each with its type. */
type FieldsOf<Options> = { readonly [Name in keyof Options]?: FieldOf<NonNullable<Options[Name]>> };

/**
 * The fields whose type is checked at a mount, by the member of the configuration that has them. `option-mistakes.ts` has the table of all,
 * which loads after the login.
 */
const SHAPES = {
  emailMagicLinksOptions: { loginExpirationMinutes: 'number?', signupExpirationMinutes: 'number?' },
  oauthOptions: { providers: 'object[]?', layout: 'string?' },
  otpOptions: { methods: 'string[]?', expirationMinutes: 'number?' },
  passwordOptions: { loginExpirationMinutes: 'number?', resetPasswordExpirationMinutes: 'number?' },
  passkeyOptions: { link: 'boolean?', offerAfterLogin: 'boolean?', upgradeAfterLogin: 'boolean?', signUp: 'boolean?' },
  sessionOptions: { sessionDurationMinutes: 'number?' },
  stepUp: { factors: 'string[]?', reason: 'string?' },
} as const satisfies { readonly [Name in keyof LoginConfig]?: FieldsOf<NonNullable<LoginConfig[Name]>> };

function check(at: string, shape: Shape, value: unknown): void {
  const [wrong] = isRecord(value)
    ? wrongFields(shape, value).map(({ message }) => `.${message}`)
    : [' must be an object'];
  if (wrong) throw new ConfigError(at + wrong);
}

/**
 * Throws a ConfigError for a field of the wrong type, and for products that cannot be combined (section 2, Main screen).
 */
export function checkConfig(config: LoginConfig): void {
  check('config', { products: 'string[]?', helpUrl: 'string?' } satisfies FieldsOf<LoginConfig>, config);
  for (const name of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
    check(`config.${name}`, SHAPES[name], config[name] ?? {});
  }
  const products = productsOf(config);
  if (products.join() === 'passkeys' && !config.passkeyOptions?.signUp) {
    throw new ConfigError('Cannot use Passkeys by itself, please add another product to the config.');
  }
  if (products.includes('emailMagicLinks') && products.includes('otp') && otpMethodsOf(config).includes('email')) {
    throw new ConfigError('Cannot use both EML and Email OTP');
  }
}
