/** The types that apps of the reference client import: the parameters and results of our client. */
import type { AuthenticationReply, ConnectedApp, ReplyBase } from '#application/api/index.ts';
import type { OAuthProviderOptions, OTPOptions } from '#domain/widget/widget-config.ts';
import type { OneTapPosition } from '#domain/social/one-tap-positions.ts';
import type { SessionTokens as Tokens } from '#domain/sessions/session.ts';
import type { AnyClient } from './headless-client.ts';
import type { Session, CompatReply, User } from './replies.ts';

type Client = AnyClient;
type Method = (...args: never[]) => Promise<unknown>;
/** The result of a method; the type argument is for apps that name their project's configuration. */
type Reply<Called extends Method> = Awaited<ReturnType<Called>>;
/** The last parameter of a method. */
type Options<Called extends (...args: never[]) => unknown> = NonNullable<
  Parameters<Called> extends [...unknown[], infer Last] ? Last : Parameters<Called>[0]
>;

type MagicLinks = Client['magicLinks'];
type Otps = Client['otps'];
type OAuth = Client['oauth'];
type Passwords = Client['passwords'];
type Totps = Client['totps'];
type Webauthn = Client['webauthn'];
type Wallets = Client['cryptoWallets'];
type Idp = Client['idp'];
type Sessions = Client['session'];
type Users = Client['user'];

export type ResponseCommon = ReplyBase;
export type AuthenticateResponse<_Configuration = unknown> = CompatReply<AuthenticationReply>;
export type DeleteResponse = Reply<Users['deleteEmail']>;
export type UpdateResponse = Reply<Users['update']>;
export interface SessionDurationOptions {
  session_duration_minutes: number;
}
export type UnsubscribeFunction = () => void;
/** The values of `stytch_token_type` in an address. */
export type TokenType = 'magic_links' | 'oauth' | 'impersonation' | 'reset_password' | 'login' | (string & {});
export type locale = 'en' | 'es' | 'pt-br' | (string & {});
export type ConnectedAppPublic = ConnectedApp;
export type SessionTokens = Tokens;
export type SessionTokensUpdate = Parameters<Sessions['updateSession']>[0];
export type SessionInfo = ReturnType<Sessions['getInfo']>;
export type UserInfo = ReturnType<Users['getInfo']>;
export type SessionOnChangeCallback = (session: Session | null) => void;
export type UserOnChangeCallback = (user: User | null) => void;

export type SessionAuthenticateOptions = Partial<SessionDurationOptions>;
export type SessionAuthenticateResponse<_Configuration = unknown> = Reply<Sessions['authenticate']>;
export interface SessionRevokeOptions {
  forceClear?: boolean;
}
export type SessionRevokeResponse = Reply<Sessions['revoke']>;
export type SessionAccessTokenExchangeOptions = Parameters<Sessions['exchangeAccessToken']>[0];
export type SessionAccessTokenExchangeResponse<_Configuration = unknown> = Reply<Sessions['exchangeAccessToken']>;
export type SessionAttestOptions = Parameters<Sessions['attest']>[0];
export type SessionAttestResponse<_Configuration = unknown> = Reply<Sessions['attest']>;

export type UserUpdateOptions = Parameters<Users['update']>[0];
export type UserUpdateResponse = Reply<Users['update']>;
export type UserGetConnectedAppsResponse = Reply<Users['getConnectedApps']>;

export type MagicLinksLoginOrCreateOptions = Options<MagicLinks['email']['loginOrCreate']>;
export type MagicLinksLoginOrCreateResponse = Reply<MagicLinks['email']['loginOrCreate']>;
export type MagicLinksSendOptions = Options<MagicLinks['email']['send']>;
export type MagicLinksSendResponse = Reply<MagicLinks['email']['send']>;
export type MagicLinksAuthenticateOptions = SessionDurationOptions;
export type MagicLinksAuthenticateResponse<_Configuration = unknown> = Reply<MagicLinks['authenticate']>;

export type OTPCodeOptions = Options<Otps['whatsapp']['loginOrCreate']>;
export type OTPCodeSMSOptions = Options<Otps['sms']['loginOrCreate']>;
export type OTPCodeEmailOptions = Options<Otps['email']['loginOrCreate']>;
export type OTPAuthenticateOptions = SessionDurationOptions;
export type OTPsLoginOrCreateResponse = Reply<Otps['email']['loginOrCreate']>;
export type OTPsSendResponse = Reply<Otps['email']['send']>;
export type OTPsAuthenticateResponse<_Configuration = unknown> = Reply<Otps['authenticate']>;

export type OAuthGetURLOptions = NonNullable<Parameters<OAuth['google']['start']>[0]>;
export type OAuthAuthenticateOptions = SessionDurationOptions;
export type OAuthAuthenticateResponse<_Configuration = unknown> = Reply<OAuth['authenticate']>;
export type OAuthAttachResponse = Reply<OAuth['attach']>;
export type OAuthStartResponse = Reply<OAuth['google']['start']>;

export type PasswordCreateOptions = Parameters<Passwords['create']>[0];
export type PasswordCreateResponse<_Configuration = unknown> = Reply<Passwords['create']>;
export type PasswordAuthenticateOptions = Parameters<Passwords['authenticate']>[0];
export type PasswordAuthenticateResponse<_Configuration = unknown> = Reply<Passwords['authenticate']>;
export type PasswordResetByEmailStartOptions = Parameters<Passwords['resetByEmailStart']>[0];
export type PasswordResetByEmailStartResponse = Reply<Passwords['resetByEmailStart']>;
export type PasswordResetByEmailOptions = Parameters<Passwords['resetByEmail']>[0];
export type PasswordResetByEmailResponse<_Configuration = unknown> = Reply<Passwords['resetByEmail']>;
export type PasswordResetByExistingPasswordOptions = Parameters<Passwords['resetByExistingPassword']>[0];
export type PasswordResetByExistingPasswordResponse<_Configuration = unknown> = Reply<
  Passwords['resetByExistingPassword']
>;
export type PasswordResetBySessionOptions = Parameters<Passwords['resetBySession']>[0];
export type PasswordResetBySessionResponse<_Configuration = unknown> = Reply<Passwords['resetBySession']>;
export type PasswordStrengthCheckOptions = Parameters<Passwords['strengthCheck']>[0];
export type PasswordStrengthCheckResponse = Reply<Passwords['strengthCheck']>;

export type TOTPCreateOptions = Parameters<Totps['create']>[0];
export type TOTPCreateResponse = Reply<Totps['create']>;
export type TOTPAuthenticateOptions = Parameters<Totps['authenticate']>[0];
export type TOTPAuthenticateResponse<_Configuration = unknown> = Reply<Totps['authenticate']>;
export type TOTPRecoveryCodesResponse = Reply<Totps['recoveryCodes']>;
export type TOTPRecoverOptions = Parameters<Totps['recover']>[0];
export type TOTPRecoverResponse<_Configuration = unknown> = Reply<Totps['recover']>;

export type WebAuthnRegisterStartOptions = NonNullable<Parameters<Webauthn['register']>[0]>;
export type WebAuthnRegisterResponse<_Configuration = unknown> = Reply<Webauthn['register']>;
export type WebAuthnAuthenticateStartOptions = NonNullable<Parameters<Webauthn['authenticate']>[0]>;
export type WebAuthnAuthenticateResponse<_Configuration = unknown> = NonNullable<Reply<Webauthn['authenticate']>>;
export type WebAuthnUpdateOptions = Parameters<Webauthn['update']>[0];
export type WebAuthnUpdateResponse = Reply<Webauthn['update']>;

export type CryptoWalletAuthenticateStartOptions = Parameters<Wallets['authenticateStart']>[0];
export type CryptoWalletAuthenticateStartResponse = Reply<Wallets['authenticateStart']>;
export type CryptoWalletAuthenticateOptions = Parameters<Wallets['authenticate']>[0];
export type CryptoWalletAuthenticateResponse<_Configuration = unknown> = Reply<Wallets['authenticate']>;

export type ImpersonationAuthenticateOptions = Parameters<Client['impersonation']['authenticate']>[0];
export type ImpersonationAuthenticateResponse<_Configuration = unknown> = Reply<
  Client['impersonation']['authenticate']
>;

export type OAuthAuthorizeStartOptions = Parameters<Idp['oauthAuthorizeStart']>[0];
export type OAuthAuthorizeStartResponse = Reply<Idp['oauthAuthorizeStart']>;
export type OAuthAuthorizeSubmitOptions = Parameters<Idp['oauthAuthorizeSubmit']>[0];
export type OAuthAuthorizeSubmitResponse = Reply<Idp['oauthAuthorizeSubmit']>;
export type OAuthLogoutStartOptions = Parameters<Idp['oauthLogoutStart']>[0];
export type OAuthLogoutStartResponse = Reply<Idp['oauthLogoutStart']>;

export type IHeadlessSessionClient<_Configuration = unknown> = Sessions;
export type IHeadlessUserClient = Users;
export type IHeadlessMagicLinksClient<_Configuration = unknown> = MagicLinks;
export type IHeadlessOTPsClient<_Configuration = unknown> = Otps;
export type IHeadlessOAuthClient<_Configuration = unknown> = OAuth;
export type IHeadlessPasswordClient<_Configuration = unknown> = Passwords;
export type IHeadlessTOTPClient<_Configuration = unknown> = Totps;
export type IHeadlessWebAuthnClient<_Configuration = unknown> = Webauthn;
export type IHeadlessCryptoWalletClient<_Configuration = unknown> = Wallets;
export type IHeadlessImpersonationClient<_Configuration = unknown> = Client['impersonation'];
export type IHeadlessRBACClient = Client['rbac'];
export type IHeadlessIDPClient = Idp;

/** One social provider of `client.oauth`. */
export type IOAuthProvider = OAuth['google'];
/** The reason why a social login did not start. Here, the promise rejects instead. */
export type OAuthStartFailureReason = string;
/** The host's own texts. */
export type Strings = Partial<Record<string, string>>;

/** The options of a widget's social logins and passcodes. */
export type ProviderOptions = OAuthProviderOptions;
export type ProvidersOptions = OAuthProviderOptions[];
export type OtpOptions = OTPOptions;
export interface OneTapStyleConfig {
  position?: OneTapPosition;
}
export interface PasskeyOptions {
  domain?: string;
}
