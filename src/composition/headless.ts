/** `portico/headless`: the client without a user interface. */
export { PorticoClient, type ClientOptions, type StateChange } from './client.ts';
export type { CookieOptions } from '#application/session/cookie-options.ts';
export type { EndpointOptions } from '#domain/project/endpoints.ts';
export type {
  AuthenticationReply,
  ConnectedApp,
  ConnectedAppClient,
  OAuthAuthenticated,
  ReplyBase,
  ScopeResult,
} from '#application/api/index.ts';
export type { MagicLinkOptions, MagicLinkSendOptions } from '#application/use-cases/links/magic-link-login.ts';
export type { OneTapStartOptions } from '#application/use-cases/social/one-tap-login.ts';
export type { EmailOtpOptions, SmsOtpOptions, WhatsappOtpOptions } from '#application/use-cases/passcodes/otp-login.ts';
export type { WebauthnAuthenticateOptions } from '#application/use-cases/passkeys/passkey-ceremonies.ts';
export type { WebauthnRegisterOptions } from '#application/use-cases/passkeys/passkey-creation.ts';
export type { PasskeyExtensionResults, PasskeyExtensions, PrfInput, PrfValues } from '#domain/prf.ts';
export type { UserChanges } from '#application/use-cases/account/user-edits.ts';
export type { AuthorizationOptions } from '#application/use-cases/consent/authorization-flow.ts';
export type {
  AuthorizationEnd,
  ConsentRequest,
  HeadlessAuthorizationOptions,
} from '#application/use-cases/consent/authorize.ts';
export type { WalletSignature, WalletStart } from '#application/use-cases/wallets/wallet-login.ts';
export type {
  OAuthProviderClient,
  OAuthPublic,
  OnDemandClients,
  PublicLogins,
} from '#application/client/public-api.ts';
export type { AccessControl as RBACClient, PermissionsMap } from '#application/use-cases/sessions/access-control.ts';
export type { SessionClient } from '#application/client/session-client.ts';
export type { UserAccount as UserClient } from '#application/use-cases/account/user-account.ts';
export { AuthFlowType, B2BEventType, B2BMFAProducts, B2BOAuthProviders, B2BProducts, B2BScreens } from '#domain/b2b.ts';
export { NativeError, nativeError, type NativeErrorCode } from '#domain/native-errors.ts';
export {
  parseOAuthAuthorizeParams,
  parseOAuthLogoutParams,
  type OAuthAuthorizeParams,
  type OAuthLogoutParams,
} from '#domain/consent/oauth-params.ts';
export { OAuthProviders, type OAuthProvider, type OAuthStartOptions } from '#domain/social/oauth-providers.ts';
export type { PasswordStrength } from '#domain/passwords/password-strength.ts';
export type { SiweParams } from '#domain/wallets/wallets.ts';
export type { AuthenticationFactor, Session, SessionTokens } from '#domain/sessions/session.ts';
export type * from '#domain/users/user.ts';
export {
  isAuthError,
  needsSecondFactor,
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  SDKUsageError,
  type ApiErrorFields,
  type AuthError,
  type SchemaIssue,
  type UnreachableProblem,
  type UnreachableReason,
} from '#domain/errors.ts';
