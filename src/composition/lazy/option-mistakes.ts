import type { IdentityProviderOptions } from '#application/widget/consent-options.ts';
import type { WidgetCallbacks } from '#application/widget/widget-options.ts';
import type { UnknownName } from '#application/widget/effects/explain-options.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { MissingProof } from '#domain/sessions/mfa.ts';
import { isRecord } from '#domain/shape.ts';
import type { BoxStyle, StyleConfig } from '#domain/widget/theme.ts';
import type {
  AccountOptions,
  EmailMagicLinksOptions,
  LoginConfig,
  OAuthOptions,
  OAuthProviderOptions,
  OTPOptions,
  PasskeyOptions,
  PasswordOptions,
  SessionOptions,
} from '#domain/widget/widget-config.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import { warnOfMistakes as warnOfTexts } from '#presentation/parts/login/mistakes.ts';

/** The names and types of all widget options, with which a mount reports mistakes to the developer. */

/** `other` is for values that another message is about. */
type Kind = 'string' | 'boolean' | 'function' | 'array' | 'object' | 'other';
/** The minimum and maximum minutes of a duration. */
type Minutes = readonly [least: number, most: number];
export interface OptionTable {
  readonly [name: string]: Kind | Minutes | OptionTable;
}
type KindOf<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [number]
    ? Minutes
    : [Value] extends [string]
      ? 'string' | 'other'
      : [Value] extends [readonly unknown[]]
        ? 'array'
        : [Value] extends [(...args: never[]) => unknown]
          ? 'function'
          : TableOf<Value> | 'object' | 'other';
/** A table of these options; a missing one is a compile error. */
export type TableOf<Options> = { readonly [Name in keyof Options]-?: KindOf<NonNullable<Options[Name]>> };

/** Must equal the server's values. */
export const LINK: Minutes = [5, 10_080];
export const PASSCODE: Minutes = [1, 10];
export const SESSION: Minutes = [5, 527_040];

const BOX = {
  backgroundColor: 'other',
  borderColor: 'other',
  borderRadius: 'other',
} as const satisfies TableOf<BoxStyle>;
const BUTTON = { ...BOX, textColor: 'other' } as const;
const STYLES = {
  preset: 'other',
  container: { ...BOX, width: 'other' },
  colors: { primary: 'other', secondary: 'other', success: 'other', error: 'other' },
  buttons: { primary: BUTTON, secondary: BUTTON, disabled: BUTTON },
  inputs: { ...BUTTON, placeholderColor: 'other' },
  fontFamily: 'other',
  hideHeaderText: 'boolean',
  logo: { logoImageUrl: 'other' },
} as const satisfies TableOf<StyleConfig>;

const PASSKEYS = {
  link: 'boolean',
  offerAfterLogin: 'boolean',
  upgradeAfterLogin: 'boolean',
  signUp: 'boolean',
  extensions: 'object',
  // From the reference client.
  domain: 'string',
} as const satisfies TableOf<PasskeyOptions & { readonly domain?: string }>;

export const PROVIDER = {
  type: 'other',
  custom_scopes: 'array',
  provider_params: 'object',
  one_tap: 'boolean',
  position: 'string',
  cancel_on_tap_outside: 'boolean',
} as const satisfies TableOf<OAuthProviderOptions>;

const CONFIG = {
  products: 'array',
  emailMagicLinksOptions: {
    loginRedirectURL: 'string',
    loginExpirationMinutes: LINK,
    signupRedirectURL: 'string',
    signupExpirationMinutes: LINK,
    loginTemplateId: 'string',
    signupTemplateId: 'string',
    createUserAsPending: 'boolean',
    domainHint: 'string',
    locale: 'string',
  } satisfies TableOf<EmailMagicLinksOptions>,
  oauthOptions: {
    providers: 'array',
    loginRedirectURL: 'string',
    signupRedirectURL: 'string',
    layout: 'other',
  } satisfies TableOf<OAuthOptions>,
  otpOptions: {
    methods: 'array',
    expirationMinutes: PASSCODE,
    loginTemplateId: 'string',
    signupTemplateId: 'string',
    locale: 'string',
  } satisfies TableOf<OTPOptions>,
  passwordOptions: {
    loginRedirectURL: 'string',
    loginExpirationMinutes: LINK,
    resetPasswordRedirectURL: 'string',
    resetPasswordExpirationMinutes: LINK,
    resetPasswordTemplateId: 'string',
    suggestPassphrase: 'boolean',
    locale: 'string',
  } satisfies TableOf<PasswordOptions>,
  passkeyOptions: PASSKEYS,
  sessionOptions: { sessionDurationMinutes: SESSION } satisfies TableOf<SessionOptions>,
  accountOptions: { sections: 'array', signIn: 'other' } as const satisfies TableOf<AccountOptions>,
  stepUp: { factors: 'array', reason: 'string' } satisfies TableOf<MissingProof>,
  enableShadowDOM: 'boolean',
  defaultCountry: 'string',
  rememberLastMethod: 'boolean',
  helpUrl: 'other',
} as const satisfies TableOf<LoginConfig>;

/** The options of every mount. A test compares this table and the next ones with the types; a missing option is a compile error. */
export const MOUNT = {
  elementId: 'other',
  styles: STYLES,
  callbacks: { onEvent: 'function', onError: 'function' } satisfies TableOf<WidgetCallbacks>,
  strings: 'object',
  language: 'other',
  config: CONFIG,
} as const;

export const RESET = { ...MOUNT, passwordResetToken: 'string' } as const;

export const IDENTITY_PROVIDER = {
  ...MOUNT,
  getIDPConsentManifest: 'function',
  authTokenParams: { trustedAuthToken: 'string', tokenProfileID: 'string' },
  allowFraming: 'boolean',
  reportsBeforeLeaving: 'boolean',
  accountUrl: 'string',
} as const satisfies TableOf<IdentityProviderOptions>;

/** The options of each widget. */
export const WIDGET_OPTIONS = {
  // Components of other clients pass it the token of a reset, too.
  login: RESET,
  resetPassword: { ...RESET, token: 'string' },
  account: MOUNT,
  passkeyRegistration: MOUNT,
  identityProvider: IDENTITY_PROVIDER,
} as const satisfies Readonly<Record<string, OptionTable>>;

/** The name of a widget, alone or before what tells two of them apart. */
export type KindName = keyof typeof WIDGET_OPTIONS | `${keyof typeof WIDGET_OPTIONS} ${string}`;

const NAMES: Readonly<Record<Exclude<Kind, 'other'>, string>> = {
  string: 'a string',
  boolean: 'true or false',
  function: 'a function',
  array: 'an array',
  object: 'an object',
};

/** An unknown option, or a sentence about one with a wrong value. */
type Mistake = UnknownName | string;

const isKind = (kind: Exclude<Kind, 'other'>, value: unknown): boolean =>
  kind === 'array' ? Array.isArray(value) : kind === 'object' ? isRecord(value) : typeof value === kind;

function wrongValue(path: string, kind: Kind | Minutes | OptionTable, value: unknown): readonly Mistake[] {
  if (kind === 'other') return [];
  if (typeof kind === 'string') return isKind(kind, value) ? [] : [`${path} must be ${NAMES[kind]}.`];
  if (!Array.isArray(kind)) return mistakesIn(path, value, kind as OptionTable, path);
  const [least, most] = kind as Minutes;
  const isWithin = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return isWithin
    ? []
    : [`${path} is ${JSON.stringify(value)}: it must be a whole number of minutes from ${least} to ${most}.`];
}

/** Values that are undefined or null count as omitted. */
function mistakesIn(at: string, options: unknown, table: OptionTable, path: string): readonly Mistake[] {
  if (!isRecord(options)) return [`${at} must be an object.`];
  return Object.entries(options).flatMap(([name, value]): readonly Mistake[] => {
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined) return [{ at, name, validNames: Object.keys(table) }];
    if (value === undefined || value === null) return [];
    return wrongValue(path === '' ? name : `${path}.${name}`, kind, value);
  });
}

/** The wrong names and values of the options of a mount. */
export function optionMistakes(kind: KindName, options: object): readonly Mistake[] {
  const [name] = kind.split(' ') as [keyof typeof WIDGET_OPTIONS];
  const { config } = options as { readonly config?: { readonly oauthOptions?: { readonly providers?: unknown } } };
  const providers = config?.oauthOptions?.providers;
  return [
    ...mistakesIn('the mount', options, WIDGET_OPTIONS[name], ''),
    ...(Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) =>
      mistakesIn('an OAuth provider', provider, PROVIDER, `config.oauthOptions.providers[${index}]`),
    ),
  ];
}

/**
 * Logs a warning for each wrong option, text and preset of a mount. The sentences are loaded only if one is logged.
 *
 * @param kind the name of the widget's kind
 * @param of identifies the widget
 * @param styled the element with the name of the displayed preset
 */
export async function warnOfMistakes(
  kind: KindName,
  options: { readonly strings?: StringOverrides; readonly styles?: StyleConfig },
  of: object,
  styled: Element,
  warn: (message: string) => void,
): Promise<void> {
  const mistakes = optionMistakes(kind, options);
  if (mistakes.length > 0) {
    const { unknownOption } = await codeLoad(import('#application/widget/effects/explain-options.ts'));
    for (const mistake of mistakes) warn(typeof mistake === 'string' ? mistake : unknownOption(mistake));
  }
  await warnOfTexts(options, of, styled, warn);
}
