/** The enumerations that apps of the reference client import, of 5.x and 6.x alike: objects and unions of their strings. */
import { B2BEventType } from '#domain/b2b.ts';
import { EventType } from '#domain/widget/host-events.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { Products as OurProducts } from '#domain/widget/widget-config.ts';

/** `passkeyRegistration` (6.x) is the widget that registers passkeys: it needs no product here and enables none. */
export const Products = { ...OurProducts, passkeyRegistration: 'passkeyRegistration' } as const;
export type Products = (typeof Products)[keyof typeof Products];

type ProviderNames = typeof OAUTH_PROVIDERS;

/** The spelling of GitHub is the reference's. */
export const OAuthProviders = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ Object.entries(OAUTH_PROVIDERS).map(([type, name]) => [name === 'GitHub' ? 'Github' : name, type]),
  ),
) as {
  readonly [Type in OAuthProvider as ProviderNames[Type] extends 'GitHub' ? 'Github' : ProviderNames[Type]]: Type;
};
export type OAuthProviders = OAuthProvider;

/** The wallets that the reference client names. */
export const Wallets = {
  Vessel: 'Vessel',
  Phantom: 'Phantom',
  Metamask: 'Metamask',
  Coinbase: 'Coinbase',
  Binance: 'Binance',
  GenericEthereumWallet: 'GenericEthereumWallet',
  GenericSolanaWallet: 'GenericSolanaWallet',
} as const;
export type Wallets = (typeof Wallets)[keyof typeof Wallets];

/** The values that a redirect address may name. */
export const RedirectURLType = { ResetPassword: 'reset_password' } as const;
export type RedirectURLType = (typeof RedirectURLType)[keyof typeof RedirectURLType];

/** The native product; only its names exist here. */
export const RNUIProducts = {
  emailMagicLinks: 0,
  oauth: 1,
  otp: 2,
  passwords: 3,
  0: 'emailMagicLinks',
  1: 'oauth',
  2: 'otp',
  3: 'passwords',
} as const;
export type RNUIProducts = 0 | 1 | 2 | 3;

/** Every event by the reference's name; our own names map to themselves. */
export const StytchEventType = {
  MagicLinkLoginOrCreateEvent: EventType.MagicLinkLoginOrCreate,
  OTPsLoginOrCreateEvent: EventType.OTPLoginOrCreate,
  OTPsAuthenticate: EventType.OTPAuthenticate,
  CryptoWalletAuthenticateStart: EventType.CryptoWalletAuthenticateStart,
  CryptoWalletAuthenticate: EventType.CryptoWalletAuthenticate,
  PasswordCreate: EventType.PasswordCreate,
  PasswordAuthenticate: EventType.PasswordAuthenticate,
  PasswordResetByEmailStart: EventType.PasswordResetByEmailStart,
  PasswordResetByEmail: EventType.PasswordResetByEmail,
  PasskeyRegister: EventType.PasskeyRegister,
  PasskeyAuthenticate: EventType.PasskeyAuthenticate,
  PasskeySkip: EventType.PasskeySkip,
  PasskeyDone: EventType.PasskeyDone,
  AuthenticateFlowComplete: EventType.AuthenticateFlowComplete,
  OAuthAuthorizeFlowStart: EventType.OAuthAuthorizeFlowStart,
  OAuthAuthorizeFlowComplete: EventType.OAuthAuthorizeFlowComplete,
  OAuthAuthorizeFlowConsentDenied: EventType.OAuthAuthorizeFlowConsentDenied,
  B2BMagicLinkEmailLoginOrSignup: B2BEventType.B2B_MAGIC_LINK_EMAIL_LOGIN_OR_SIGNUP,
  B2BMagicLinkAuthenticate: B2BEventType.B2B_MAGIC_LINK_AUTHENTICATE,
  B2BMagicLinkEmailDiscoverySend: B2BEventType.B2B_MAGIC_LINK_EMAIL_DISCOVERY_SEND,
  B2BMagicLinkDiscoveryAuthenticate: B2BEventType.B2B_MAGIC_LINK_DISCOVERY_AUTHENTICATE,
  B2BSSOStart: B2BEventType.B2B_SSO_START,
  B2BSSOAuthenticate: B2BEventType.B2B_SSO_AUTHENTICATE,
  B2BSSODiscoverConnections: B2BEventType.B2B_SSO_DISCOVER_CONNECTIONS,
  B2BOAuthAuthenticate: B2BEventType.B2B_OAUTH_AUTHENTICATE,
  B2BOAuthDiscoveryAuthenticate: B2BEventType.B2B_OAUTH_DISCOVERY_AUTHENTICATE,
  B2BDiscoveryOrganizationsCreate: B2BEventType.B2B_DISCOVERY_ORGANIZATIONS_CREATE,
  B2BDiscoveryIntermediateSessionExchange: B2BEventType.B2B_DISCOVERY_INTERMEDIATE_SESSION_EXCHANGE,
  B2BPasswordAuthenticate: B2BEventType.B2B_PASSWORD_AUTHENTICATE,
  B2BPasswordDiscoveryAuthenticate: B2BEventType.B2B_PASSWORD_DISCOVERY_AUTHENTICATE,
  B2BPasswordResetByEmailStart: B2BEventType.B2B_PASSWORD_RESET_BY_EMAIL_START,
  B2BPasswordResetByEmail: B2BEventType.B2B_PASSWORD_RESET_BY_EMAIL,
  B2BPasswordResetBySession: B2BEventType.B2B_PASSWORD_RESET_BY_SESSION,
  B2BSMSOTPSend: B2BEventType.B2B_SMS_OTP_SEND,
  B2BSMSOTPAuthenticate: B2BEventType.B2B_SMS_OTP_AUTHENTICATE,
  B2BTOTPCreate: B2BEventType.B2B_TOTP_CREATE,
  B2BTOTPAuthenticate: B2BEventType.B2B_TOTP_AUTHENTICATE,
  B2BRecoveryCodesRecover: B2BEventType.B2B_RECOVERY_CODES_RECOVER,
  B2BPasswordDiscoveryResetStart: B2BEventType.B2B_PASSWORD_DISCOVERY_RESET_BY_EMAIL_START,
  B2BDiscoveryPasswordReset: B2BEventType.B2B_PASSWORD_DISCOVERY_RESET_BY_EMAIL,
  B2BImpersonationAuthenticate: B2BEventType.B2B_IMPERSONATION_AUTHENTICATE,
  B2BOTPsEmailAuthenticate: B2BEventType.B2B_OTPS_EMAIL_AUTHENTICATE,
  B2BOTPsEmailDiscoveryAuthenticate: B2BEventType.B2B_OTPS_EMAIL_DISCOVERY_AUTHENTICATE,
  B2BOTPsEmailDiscoverySend: B2BEventType.B2B_OTPS_EMAIL_DISCOVERY_SEND,
  B2BOTPsEmailLoginOrSignup: B2BEventType.B2B_OTPS_EMAIL_LOGIN_OR_SIGNUP,
  B2BOrganizationsGetBySlug: B2BEventType.B2B_ORGANIZATIONS_GET_BY_SLUG,
} as const;
export type StytchEventType = (typeof StytchEventType)[keyof typeof StytchEventType];
