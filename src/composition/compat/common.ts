/** The exports that every entry of `portico/compat` shares: names without a client and without widgets. */
export * from './errors.ts';
export * from './native-errors.ts';
export * from './names.ts';
export type * from './types.ts';
export type { AuthenticatedByUrl, ByUrlOptions, HandledTokenType, ParsedUrl } from './authenticate-url.ts';
export type {
  StytchClientOptions,
  StytchProjectConfiguration,
  StytchProjectConfigurationInput,
} from './client-options.ts';
export type {
  AuthTokenParams,
  Callbacks,
  IDPConsentItem,
  IDPConsentManifestGenerator,
  IDPConsentScreenManifest,
  IDPConsentSection,
  StringsOptions,
  StytchEvent,
  StytchLoginConfig,
  StytchProduct,
  StyleConfig,
} from './options.ts';
export type {
  PermissionsMap,
  PermissionsMap as ConsumerPermissionsMap,
} from '#application/use-cases/sessions/access-control.ts';
export type { ScopeResult } from '#application/api/index.ts';
export { AuthFlowType, B2BMFAProducts, B2BOAuthProviders, B2BProducts } from '#domain/b2b.ts';
export {
  parseOAuthAuthorizeParams,
  parseOAuthLogoutParams,
  type OAuthAuthorizeParams,
  type OAuthLogoutParams,
} from '#domain/consent/oauth-params.ts';
export { OTPMethods } from '#domain/contacts/channels.ts';
export { OneTapPositions } from '#domain/social/one-tap-positions.ts';
export type {
  EmailMagicLinksOptions,
  OAuthOptions,
  PasswordOptions,
  SessionOptions,
} from '#domain/widget/widget-config.ts';
export type { SiweParams as SIWEParams } from '#domain/wallets/wallets.ts';
export type { WebauthnRegistration as WebAuthnRegistration } from '#domain/users/user.ts';
export type {
  AccessTokenExchangeFactor,
  AmazonOAuthFactor,
  AppleOAuthFactor,
  AuthenticationFactor,
  AuthenticatorAppFactor,
  BiometricFactor,
  BitbucketOAuthFactor,
  CoinbaseOAuthFactor,
  ConsumerState,
  DeviceAttributeDetails,
  SDKDeviceHistory,
  CryptoWalletFactor,
  DiscordOAuthFactor,
  EmailFactor,
  FacebookOAuthFactor,
  FigmaOAuthFactor,
  GitLabOAuthFactor,
  GithubOAuthFactor,
  GoogleOAuthFactor,
  LinkedInOAuthFactor,
  MicrosoftOAuthFactor,
  OAuthRegistration,
  PasswordFactor,
  PhoneNumberFactor,
  RecoveryCodeFactor,
  SalesforceOAuthFactor,
  Session,
  SlackOAuthFactor,
  SnapchatOAuthFactor,
  TikTokOAuthFactor,
  TwitchOAuthFactor,
  TwitterOAuthFactor,
  User,
  WebAuthnFactor,
  YahooOAuthFactor,
} from './replies.ts';
