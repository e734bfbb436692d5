import { keepReset, keptReset, type ResetTokenType } from '#application/widget/kept-reset.ts';
import { checkConfig, type LoginConfig } from '#domain/widget/widget-config.ts';
import type { IdentityProviderOptions } from '#application/widget/consent-options.ts';
import type { ResetOptions } from '#application/widget/widget-options.ts';
import { PorticoClient } from './client.ts';
import {
  mount,
  type ConfiguredOptions,
  type InnerOptions,
  type MountOptions,
  type WidgetHandle,
  type WidgetKind,
} from './mount.tsx';
import {
  accountWidget,
  identityProviderWidget,
  loginWidget,
  passkeyRegistrationWidget,
} from '#application/widget/widgets.ts';

/**
 * A login's configuration as a separate value. Its products keep their names as types; in a plain constant they would be an array of
 * strings. Throws a `ConfigError` if the mount would.
 */
export function defineLogin(config: LoginConfig): LoginConfig {
  checkConfig(config);
  return config;
}

/** The options of the login. */
export interface MountLoginOptions extends MountOptions {
  /** The login methods and their options. */
  readonly config?: LoginConfig | undefined;
}

/** The options of the page for a new password. */
export interface MountResetPasswordOptions extends MountOptions {
  /** As for the login. With `emailMagicLinks` among the products, the page also offers a login link. */
  readonly config?: LoginConfig | undefined;
  /**
   * The `token` in the address of the email's link. Without one, as after a reload, the token that this tab keeps until it is
   * used or refused.
   */
  readonly passwordResetToken?: string | null | undefined;
}

/** The options of the page on which people manage their passkeys. */
export interface MountPasskeyRegistrationOptions extends MountOptions {
  /** As for the login; only the session and the shadow root have an effect. */
  readonly config?: LoginConfig;
}

/** The options of the account page. */
export interface MountAccountOptions extends MountOptions {
  /** The parts of the login's configuration that the account page uses. */
  readonly config?: Pick<
    LoginConfig,
    'accountOptions' | 'enableShadowDOM' | 'sessionOptions' | 'otpOptions' | 'defaultCountry' | 'helpUrl'
  >;
}

/** The options of the page that asks for consent. */
export interface MountIdentityProviderOptions
  extends
    MountOptions,
    Pick<
      IdentityProviderOptions,
      'getIDPConsentManifest' | 'authTokenParams' | 'allowFraming' | 'reportsBeforeLeaving' | 'accountUrl'
    > {
  readonly config?: Pick<LoginConfig, 'enableShadowDOM' | 'sessionOptions' | 'helpUrl'>;
}

/** The reset page. `tokenType` comes from its URL. Another token makes another page. */
const resetPassword = (tokenType: 'login' | 'reset', token: string): WidgetKind<ResetOptions> => ({
  name: `resetPassword ${token}`,
  make: (services, options) => loginWidget(services, options, tokenType),
});

const LOGIN: WidgetKind = { name: 'login', make: loginWidget };
const PASSKEY_REGISTRATION: WidgetKind = { name: 'passkeyRegistration', make: passkeyRegistrationWidget };
const ACCOUNT: WidgetKind = { name: 'account', make: accountWidget };
const IDENTITY_PROVIDER: WidgetKind<IdentityProviderOptions> = {
  name: 'identityProvider',
  make: identityProviderWidget,
};

/**
 * The client with its widgets.
 *
 * Every mount shows its widget in the element that `elementId` (a CSS selector) finds, and throws an `Error` when there is
 * none. Mounting again into the same element renders the same widget with the new options; its screen stays.
 */
export class PorticoUIClient extends PorticoClient {
  private readonly mounted = new Set<WidgetHandle>();
  /** The types of the tokens that were removed from the URL. */
  private readonly tokenTypes = new Map<string, ResetTokenType>();

  /** The login. Throws a `ConfigError` for products that cannot be combined. */
  mountLogin(options: MountLoginOptions): WidgetHandle {
    checkConfig((options as Partial<typeof options> | undefined)?.config ?? {});
    return this.show(LOGIN, options);
  }

  /** True while this tab stores an unused token of a reset mail (not in the reference client). */
  hasPasswordResetToken(): boolean {
    return keptReset(this.core) !== null;
  }

  /**
   * The page that a reset mail opens. `stytch_token_type` in the page's URL determines how the token is used. Both are removed from the
   * URL, and kept in this tab until the token is used or refused. Throws a `ConfigError` for products that cannot be combined.
   */
  mountResetPassword(options: MountResetPasswordOptions): WidgetHandle {
    checkConfig((options as Partial<typeof options> | undefined)?.config ?? {});
    const { browser } = this.core;
    const record = keptReset(this.core);
    if (record !== null) this.tokenTypes.set(record.token, record.tokenType);
    const token = (options as Partial<typeof options> | undefined)?.passwordResetToken || record?.token || '';
    const url = new URL(browser.href());
    const typeParam = url.searchParams.get('stytch_token_type');
    const previousType = this.tokenTypes.get(token);
    const tokenType = typeParam === null ? (previousType ?? 'reset') : typeParam === 'login' ? 'login' : 'reset';
    const widget = this.show(resetPassword(tokenType, token), { ...options, token });
    // The previous token may have been used since.
    if (previousType === undefined) keepReset(this.core, { token, tokenType });
    this.tokenTypes.set(token, tokenType);
    const isHere = url.searchParams.get('token') === token;
    url.searchParams.delete('stytch_token_type');
    if (isHere) url.searchParams.delete('token');
    if (isHere || typeParam !== null) browser.replaceUrl(url.href);
    return widget;
  }

  /** The passkeys of the signed-in user. */
  mountPasskeyRegistration(options: MountPasskeyRegistrationOptions): WidgetHandle {
    return this.show(PASSKEY_REGISTRATION, options);
  }

  /** The account page of the signed-in user (not in the reference client). */
  mountAccount(options: MountAccountOptions): WidgetHandle {
    return this.show(ACCOUNT, options);
  }

  /** The consent or logout page for another app; its parameters are the page's query. */
  mountIdentityProvider(options: MountIdentityProviderOptions): WidgetHandle {
    return this.show(IDENTITY_PROVIDER, options);
  }

  override destroy(): void {
    for (const widget of this.mounted) widget.unmount();
    super.destroy();
  }

  /** Mounts a widget, which counts as use of this client. */
  private show<Options extends ConfiguredOptions>(
    kind: WidgetKind<InnerOptions<Options>>,
    options: Options,
  ): WidgetHandle {
    this.place.used();
    return mount(this.mounted, kind, options, this.core);
  }
}
