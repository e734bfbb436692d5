import { IdentityProviderWidget } from '../application/widget/identity-provider-widget.ts';
import type { IdentityProviderOptions } from '../application/widget/consent-options.ts';
import type { ResetOptions, WidgetOptions } from '../application/widget/widget-options.ts';
import { LoginWidget } from '../application/widget/login-widget.ts';
import { PasskeyRegistrationWidget } from '../application/widget/passkey-registration-widget.ts';
import type { LoginConfig } from '../domain/widget-config.ts';
import type { MountOptions, WidgetKind } from './mount.tsx';

export interface MountLoginOptions extends MountOptions {
  readonly config?: LoginConfig | undefined;
}

export interface MountResetPasswordOptions extends MountOptions {
  readonly config?: LoginConfig | undefined;
  /**
   * The `token` of the address that the mail led to. Where it has none, as after a reload, the one that this tab keeps until
   * it was used or refused.
   */
  readonly passwordResetToken?: string | null | undefined;
}

export interface MountPasskeyRegistrationOptions extends MountOptions {
  readonly config?: LoginConfig;
}

export interface MountIdentityProviderOptions
  extends MountOptions, Pick<IdentityProviderOptions, 'getIDPConsentManifest' | 'authTokenParams' | 'allowFraming'> {
  readonly config?: Pick<LoginConfig, 'enableShadowDOM' | 'sessionOptions'>;
}

interface Common extends MountOptions {
  readonly config?: LoginConfig | undefined;
}

/** What is null counts as not given. */
const configOf = ({ config }: Common): LoginConfig =>
  Object.fromEntries(Object.entries(config ?? {}).filter(([, value]) => value !== null));
const innerOf = (options: Common): WidgetOptions => ({
  config: configOf(options),
  callbacks: options.callbacks ?? {},
});

export const LOGIN: WidgetKind<MountLoginOptions, WidgetOptions> = {
  name: 'login',
  configOf,
  innerOf,
  make: (services, inner) => new LoginWidget(services, inner),
};

/** The reset page: `tokenType` is what its address says of the token. Another token makes another page. */
export const resetPassword = (
  tokenType: 'login' | 'reset',
  token: string,
): WidgetKind<MountResetPasswordOptions, ResetOptions> => ({
  name: `resetPassword ${token}`,
  configOf,
  innerOf: (options) => ({ ...innerOf(options), token }),
  make: (services, inner) => new LoginWidget(services, inner, tokenType),
});

export const PASSKEY_REGISTRATION: WidgetKind<MountPasskeyRegistrationOptions, WidgetOptions> = {
  name: 'passkeyRegistration',
  configOf,
  innerOf,
  make: (services, inner) => new PasskeyRegistrationWidget(services, inner),
};

export const IDENTITY_PROVIDER: WidgetKind<MountIdentityProviderOptions, IdentityProviderOptions> = {
  name: 'identityProvider',
  configOf,
  innerOf: (options) => ({
    ...innerOf(options),
    getIDPConsentManifest: options.getIDPConsentManifest,
    authTokenParams: options.authTokenParams,
    allowFraming: options.allowFraming,
  }),
  make: (services, inner) => new IdentityProviderWidget(services, inner),
};
