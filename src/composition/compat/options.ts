/** Translates the reference client's widget options into our mount options. */
import type { DescribedScope } from '#domain/consent/consent.ts';
import type { AuthError } from '#domain/errors.ts';
import type { B2BEventType } from '#domain/b2b.ts';
import type { StyleConfig as OurStyleConfig } from '#domain/widget/theme.ts';
import type {
  EmailMagicLinksOptions,
  LoginConfig,
  OAuthOptions,
  OTPOptions,
  PasskeyOptions,
  PasswordOptions,
  Products as OurProduct,
  SessionOptions,
} from '#domain/widget/widget-config.ts';
import type { ConsentManifest } from '#application/widget/consent-options.ts';
import type { WidgetCallbacks } from '#application/widget/widget-options.ts';
import type { HostEvent } from '#application/widget/host-event.ts';
import type { MountOptions } from '../mount.tsx';
import type { MountIdentityProviderOptions } from '../ui-client.ts';
import type { StytchSDKUIError } from './errors.ts';
import type { Products } from './names.ts';
import { stringsOf } from './strings.ts';
import { stylesOfTheme, themeFor, type PresentationConfig } from './theme.ts';

/** In 6.x `products` are opaque objects; here, as in 5.x, they are names. */
export type StytchProduct = Products;

/** A login's configuration. */
export interface StytchLoginConfig {
  readonly products: readonly StytchProduct[];
  readonly emailMagicLinksOptions?: EmailMagicLinksOptions;
  readonly oauthOptions?: OAuthOptions;
  readonly otpOptions?: OTPOptions;
  readonly passwordOptions?: PasswordOptions;
  readonly sessionOptions?: SessionOptions;
  /** `domain` is ignored: a passkey belongs to the host of the page. */
  readonly passkeyOptions?: PasskeyOptions & { readonly domain?: string };
  readonly enableShadowDOM?: boolean;
}

/** The appearance of a widget in 5.x. */
export interface StyleConfig extends OurStyleConfig {
  /** `accent` and `warning` are accepted; no part of our widgets has them. */
  readonly colors?: OurStyleConfig['colors'] & { readonly accent?: string; readonly warning?: string };
}

/** An event of `onEvent`; `type` determines the type of `data`. The events of the B2B product never occur. */
export type StytchEvent<_Configuration = unknown> =
  | Exclude<HostEvent, { readonly type: 'ACCOUNT_CHANGED' | 'SECOND_FACTOR_AUTHENTICATE' }>
  | { readonly [Type in B2BEventType]: { readonly type: Type; readonly data: object } }[B2BEventType];

/** The callbacks of a widget. */
export interface Callbacks<_Configuration = unknown> {
  onEvent?(event: StytchEvent): void;
  onError?(error: StytchSDKUIError): void;
}

/** The host's own texts, under the reference's keys or ours. */
export interface StringsOptions {
  readonly strings?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The common options of widgets: `styles` of 5.x or `presentation` of 6.x. */
export interface AppearanceOptions extends StringsOptions {
  readonly styles?: StyleConfig | undefined;
  readonly presentation?: PresentationConfig | undefined;
  readonly callbacks?: Callbacks | undefined;
}

export interface LoginAppearanceOptions extends AppearanceOptions {
  readonly config: StytchLoginConfig | LoginConfig;
}

export type IDPConsentItem = string | { readonly text: string; readonly details?: readonly string[] };
export interface IDPConsentSection {
  readonly header: string;
  readonly items: readonly IDPConsentItem[];
}
export type IDPConsentScreenManifest = readonly IDPConsentSection[] | readonly IDPConsentItem[];
/** Makes a consent screen from the names of the scopes that can be granted. */
export type IDPConsentManifestGenerator = (input: { scopes: string[]; clientName: string }) => IDPConsentScreenManifest;
export interface AuthTokenParams {
  readonly trustedAuthToken: string;
  readonly tokenProfileID: string;
}

export interface ConsentAppearanceOptions extends AppearanceOptions {
  /** Not in the reference client: see `mountIdentityProvider`. */
  readonly config?: MountIdentityProviderOptions['config'];
  readonly getIDPConsentManifest?: IDPConsentManifestGenerator | undefined;
  readonly authTokenParams?: AuthTokenParams | undefined;
}

const prefersDark = (): boolean => globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ?? false;

/** Drops `passkeyRegistration`, which configures another widget: a login does not link to it. */
function configOf(
  config: Partial<StytchLoginConfig> | undefined,
  presentation: PresentationConfig | undefined,
): LoginConfig {
  const { products, ...rest } = config ?? {};
  const isOurs = (product: StytchProduct): product is OurProduct => product !== 'passkeyRegistration';
  // The mount call reports a value that is not a list.
  const ours = Array.isArray(products) ? products.filter(isOurs) : (products as readonly OurProduct[] | undefined);
  const shadow = presentation?.options?.enableShadowDOM;
  return {
    ...rest,
    ...(ours !== undefined && ours.length > 0 ? { products: ours } : {}),
    ...(shadow === undefined ? {} : { enableShadowDOM: shadow }),
  };
}

function stylesOf({ styles, presentation }: AppearanceOptions): OurStyleConfig | undefined {
  if (presentation === undefined) return styles;
  const { hideHeaderText, logo } = presentation.options ?? {};
  return {
    ...stylesOfTheme(themeFor(presentation, prefersDark())),
    ...(hideHeaderText === undefined ? {} : { hideHeaderText }),
    ...(logo === undefined ? {} : { logo: { logoImageUrl: logo.url } }),
    ...styles,
  };
}

function looksOf(looks: AppearanceOptions): Omit<MountOptions, 'elementId'> {
  const { callbacks } = looks;
  const styles = stylesOf(looks);
  const strings = stringsOf(looks.strings);
  return {
    ...(styles === undefined ? {} : { styles }),
    ...(strings === undefined ? {} : { strings }),
    ...(callbacks === undefined ? {} : { callbacks: callbacksOf(callbacks) }),
  };
}

function callbacksOf(callbacks: Callbacks): WidgetCallbacks {
  return {
    onEvent: (event: HostEvent) => callbacks.onEvent?.(event as StytchEvent),
    onError: (error: AuthError) => callbacks.onError?.(error),
  };
}

/** The options of a login, a password reset or a passkey registration. */
export function loginOptions(looks: AppearanceOptions & { readonly config?: Partial<StytchLoginConfig> | undefined }) {
  return { ...looksOf(looks), config: configOf(looks.config, looks.presentation) };
}

/**
 * The options of a consent page. As in the reference, a manifest is made from scope names, and the events of a decision are
 * reported before the page is left.
 */
export function consentOptions(looks: ConsentAppearanceOptions): Omit<MountIdentityProviderOptions, 'elementId'> {
  const { getIDPConsentManifest: make, authTokenParams } = looks;
  const getIDPConsentManifest = ({
    scopes,
    clientName,
  }: {
    readonly scopes: readonly DescribedScope[];
    readonly clientName: string;
  }): ConsentManifest => make?.({ scopes: scopes.map(({ scope }) => scope), clientName }) ?? [];
  const shadow = looks.presentation?.options?.enableShadowDOM;
  return {
    ...looksOf(looks),
    reportsBeforeLeaving: true,
    config: { ...(shadow === undefined ? {} : { enableShadowDOM: shadow }), ...looks.config },
    ...(make === undefined ? {} : { getIDPConsentManifest }),
    ...(authTokenParams === undefined ? {} : { authTokenParams }),
  };
}
