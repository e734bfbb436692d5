/** The event types of `callbacks.onEvent` (public names; the specification, section 9, mentions about fifty). */
export const EventType = {
  MagicLinkLoginOrCreate: 'MAGIC_LINK_LOGIN_OR_CREATE',
  OTPLoginOrCreate: 'OTP_LOGIN_OR_CREATE',
  OTPAuthenticate: 'OTP_AUTHENTICATE',
  PasswordCreate: 'PASSWORD_CREATE',
  PasswordAuthenticate: 'PASSWORD_AUTHENTICATE',
  PasswordResetByEmailStart: 'PASSWORD_RESET_BY_EMAIL_START',
  PasswordResetByEmail: 'PASSWORD_RESET_BY_EMAIL',
  CryptoWalletAuthenticateStart: 'CRYPTO_WALLET_AUTHENTICATE_START',
  CryptoWalletAuthenticate: 'CRYPTO_WALLET_AUTHENTICATE',
  PasskeyAuthenticate: 'PASSKEY_AUTHENTICATE',
  SecondFactorAuthenticate: 'SECOND_FACTOR_AUTHENTICATE',
  PasskeyRegister: 'PASSKEY_REGISTER',
  PasskeySkip: 'PASSKEY_SKIP',
  PasskeyDone: 'PASSKEY_DONE',
  OAuthAuthorizeFlowStart: 'OAUTH_AUTHORIZE_FLOW_START',
  OAuthAuthorizeFlowComplete: 'OAUTH_AUTHORIZE_FLOW_COMPLETE',
  OAuthAuthorizeFlowConsentDenied: 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED',
  AccountChanged: 'ACCOUNT_CHANGED',
  AuthenticateFlowComplete: 'AUTHENTICATE_FLOW_COMPLETE',
} as const;
export type EventType = (typeof EventType)[keyof typeof EventType];

/** `data` is the reply of the call behind the event. */
export interface HostEvent {
  readonly type: EventType;
  readonly data: object;
}
