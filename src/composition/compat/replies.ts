/** Users, sessions and replies in the reference's types, so that apps of the reference still compile. */
import type { AuthenticationReply } from '#application/api/index.ts';
import type { Session as OurSession } from '#domain/sessions/session.ts';
import type { User as OurUser } from '#domain/users/user.ts';
import type { PorticoClient } from '../client.ts';

// Aliases, not interfaces: only aliases are assignable to the records in our own types.
type Proof<Delivery extends string> = {
  delivery_method: Delivery;
  type: string;
  last_authenticated_at: string;
};
type Social<Provider extends string> = Proof<`oauth_${Provider}`> & {
  [Name in `${Provider}_oauth_factor`]: { id: string; email_id: string; provider_subject: string };
};

/** A social account without an email address. */
type SocialFactorWithoutEmail<Provider extends string> = Proof<`oauth_${Provider}`> & {
  [Name in `${Provider}_oauth_factor`]: { id: string; provider_subject: string };
};

export type EmailFactor = Proof<'email' | 'embedded'> & { email_factor: { email_id: string; email_address: string } };
export type PhoneNumberFactor = Proof<'sms' | 'whatsapp'> & {
  phone_number_factor: { phone_id: string; phone_number: string };
};
export type GoogleOAuthFactor = Social<'google'>;
export type MicrosoftOAuthFactor = Social<'microsoft'>;
export type AppleOAuthFactor = Social<'apple'>;
export type GithubOAuthFactor = Social<'github'>;
export type GitLabOAuthFactor = Social<'gitlab'>;
export type FacebookOAuthFactor = Social<'facebook'>;
export type DiscordOAuthFactor = Social<'discord'>;
export type SalesforceOAuthFactor = Social<'salesforce'>;
export type SlackOAuthFactor = Social<'slack'>;
export type AmazonOAuthFactor = Social<'amazon'>;
export type BitbucketOAuthFactor = Social<'bitbucket'>;
export type LinkedInOAuthFactor = Social<'linkedin'>;
export type CoinbaseOAuthFactor = Social<'coinbase'>;
export type TwitchOAuthFactor = Social<'twitch'>;
export type TwitterOAuthFactor = SocialFactorWithoutEmail<'twitter'>;
export type TikTokOAuthFactor = SocialFactorWithoutEmail<'tiktok'>;
export type FigmaOAuthFactor = Social<'figma'>;
export type SnapchatOAuthFactor = SocialFactorWithoutEmail<'snapchat'>;
export type YahooOAuthFactor = Social<'yahoo'>;
export type WebAuthnFactor = Proof<'webauthn_registration'> & {
  webauthn_factor: { webauthn_registration_id: string; domain: string; user_agent: string };
};
export type AuthenticatorAppFactor = Proof<'authenticator_app'> & { authenticator_app_factor: { totp_id: string } };
export type RecoveryCodeFactor = Proof<'recovery_code'> & {
  recovery_code_factor: { totp_recovery_code_id: string };
};
export type CryptoWalletFactor = Proof<'crypto_wallet'> & {
  crypto_wallet_factor: { crypto_wallet_id: string; crypto_wallet_address: string; crypto_wallet_type: string };
};
export type PasswordFactor = Proof<'knowledge'>;
export type BiometricFactor = Proof<'biometric'> & { biometric_factor: { biometric_registration_id: string } };
export type AccessTokenExchangeFactor = Proof<'oauth_access_token_exchange'> & {
  oauth_access_token_exchange_factor: { client_id: string };
};

/** The authentication factors of a session, a union by `delivery_method`. */
export type AuthenticationFactor =
  | EmailFactor
  | PhoneNumberFactor
  | GoogleOAuthFactor
  | MicrosoftOAuthFactor
  | AppleOAuthFactor
  | GithubOAuthFactor
  | GitLabOAuthFactor
  | FacebookOAuthFactor
  | DiscordOAuthFactor
  | SalesforceOAuthFactor
  | SlackOAuthFactor
  | AmazonOAuthFactor
  | BitbucketOAuthFactor
  | LinkedInOAuthFactor
  | CoinbaseOAuthFactor
  | TwitchOAuthFactor
  | TwitterOAuthFactor
  | TikTokOAuthFactor
  | FigmaOAuthFactor
  | SnapchatOAuthFactor
  | YahooOAuthFactor
  | WebAuthnFactor
  | AuthenticatorAppFactor
  | RecoveryCodeFactor
  | CryptoWalletFactor
  | PasswordFactor
  | BiometricFactor
  | AccessTokenExchangeFactor;

type Overwrite<T, Fields> = Omit<T, keyof Fields> & Fields;

export type Session = Overwrite<
  OurSession,
  {
    authentication_factors: AuthenticationFactor[];
    custom_claims: null | Record<string, unknown>;
    roles: string[];
  }
>;
export type OAuthRegistration = Overwrite<
  OurUser['providers'][number],
  { profile_picture_url: string; locale: string }
>;
export type User = Overwrite<
  OurUser,
  {
    name: { first_name: string; middle_name: string; last_name: string };
    providers: OAuthRegistration[];
    status: 'active' | 'pending';
    trusted_metadata: Record<string, unknown>;
    untrusted_metadata: Record<string, unknown>;
    external_id?: string;
  }
>;

export interface DeviceAttributeDetails {
  is_new: boolean;
  first_seen_at?: string;
  last_seen_at?: string;
}
/** The origin of a login, if the server reports it. */
export interface SDKDeviceHistory {
  ip_address?: string;
  ip_address_details?: DeviceAttributeDetails;
  ip_geo_city?: string;
  ip_geo_region?: string;
  ip_geo_country?: string;
  ip_geo_country_details?: DeviceAttributeDetails;
}

/** A login by passkey names the passkey. */
type PasskeyRegistrationId<T> = 'webauthn_registration_id' extends keyof T
  ? { webauthn_registration_id: string }
  : unknown;

/** The reply or value, with users and sessions as above, and with tokens, which are empty if cookies store them. */
export type CompatReply<T> = T extends OurSession
  ? Session
  : T extends OurUser
    ? User & Omit<T, keyof OurUser>
    : T extends AuthenticationReply
      ? Overwrite<
          T,
          {
            user: User;
            session: Session;
            session_token: string;
            session_jwt: string;
            user_device?: SDKDeviceHistory;
          } & PasskeyRegistrationId<T>
        >
      : T extends { readonly user: OurUser | null }
        ? Overwrite<T, { user: CompatReply<T['user']> }>
        : T extends { readonly session: OurSession | null }
          ? Overwrite<T, { session: CompatReply<T['session']> }>
          : T;

type CompatCallback<T> = T extends (value: infer Value) => void ? (value: CompatReply<Value>) => void : T;
type Method<T> = T extends (...args: infer Args) => infer Reply
  ? (
      ...args: { [Index in keyof Args]: CompatCallback<Args[Index]> }
    ) => Reply extends Promise<infer Value> ? Promise<CompatReply<Value>> : CompatReply<Reply>
  : never;
type Area<T> = {
  readonly [Name in keyof T]: Name extends `${string}$`
    ? T[Name]
    : T[Name] extends (...args: never[]) => unknown
      ? Method<T[Name]>
      : Area<T[Name]>;
};

type Areas =
  | 'user'
  | 'session'
  | 'magicLinks'
  | 'otps'
  | 'oauth'
  | 'passwords'
  | 'totps'
  | 'webauthn'
  | 'cryptoWallets'
  | 'impersonation'
  | 'idp';

/** The state that `onStateChange` reports. */
export interface ConsumerState {
  user?: User;
  session?: Session;
}

/** Our client, with its parts in the reference's types. */
export type CompatClient<Client extends PorticoClient = PorticoClient> = Omit<Client, Areas | 'onStateChange'> & {
  readonly [Name in Areas]: Area<PorticoClient[Name]>;
};
/** The constructor of such a client. */
export type CompatConstructor<Client> = new (...args: ConstructorParameters<typeof PorticoClient>) => Client;
