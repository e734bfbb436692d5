/** `portico`, and `portico/standalone`: the client with its widgets. */
export * from './headless.ts';
export { defineLogin, PorticoUIClient } from './ui-client.ts';
export type { MountOptions, WidgetHandle } from './mount.tsx';
export type {
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountLoginOptions,
  MountPasskeyRegistrationOptions,
  MountResetPasswordOptions,
} from './ui-client.ts';
export type { ConsentManifest, ConsentManifestInput } from '#application/widget/consent-options.ts';
export type { WidgetCallbacks } from '#application/widget/widget-options.ts';
export type { MissingProof } from '#domain/sessions/mfa.ts';
export type { AccountNews, AccountSection } from '#domain/account/account.ts';
export type { ConsentItem, ConsentSection, DescribedScope } from '#domain/consent/consent.ts';
export type { WalletKind } from '#domain/wallets/wallets.ts';
export type { HostEventData, HostEvent } from '#application/widget/host-event.ts';
export { EventType } from '#domain/widget/host-events.ts';
export type { Screen, ScreenName, ScreenOf } from '#domain/screens/screen.ts';
export {
  ConfigError,
  Products,
  type AccountOptions,
  type EmailMagicLinksOptions,
  type LoginConfig,
  type OAuthOptions,
  type OAuthProviderOptions,
  type OTPOptions,
  type PasskeyOptions,
  type PasswordOptions,
  type SessionOptions,
} from '#domain/widget/widget-config.ts';
export { OTPMethods } from '#domain/contacts/channels.ts';
export { OneTapPositions, type OneTapPosition } from '#domain/social/one-tap-positions.ts';
export type { Preset, PresetName, StyleConfig } from '#domain/widget/theme.ts';
export type { StringOverrides } from '#presentation/messages/catalogue.ts';
