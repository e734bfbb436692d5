import type { AccountNews } from '#domain/account/account.ts';
import type { EventType } from '#domain/widget/host-events.ts';
import type { WithExtensionResults } from '../use-cases/passkeys/passkey-extensions.ts';
import type {
  AuthenticationReply,
  cryptoWallets,
  magicLinks,
  otps,
  passwords,
  ReplyFor,
  webauthn,
} from '../api/index.ts';

type EmptyData = Record<string, never>;

/** The data of each event of `callbacks.onEvent`: the reply of the call behind it. */
export interface HostEventData {
  readonly MAGIC_LINK_LOGIN_OR_CREATE: ReplyFor<typeof magicLinks.loginOrCreate> & { readonly email: string };
  readonly OTP_LOGIN_OR_CREATE: ReplyFor<typeof otps.emailLoginOrCreate>;
  readonly OTP_AUTHENTICATE: ReplyFor<typeof otps.authenticate>;
  readonly PASSWORD_CREATE: ReplyFor<typeof passwords.create>;
  readonly PASSWORD_AUTHENTICATE: ReplyFor<typeof passwords.authenticate>;
  readonly PASSWORD_RESET_BY_EMAIL_START: ReplyFor<typeof passwords.resetByEmailStart>;
  readonly PASSWORD_RESET_BY_EMAIL: ReplyFor<typeof passwords.resetByEmail>;
  readonly CRYPTO_WALLET_AUTHENTICATE_START: ReplyFor<typeof cryptoWallets.authenticateStartPrimary>;
  readonly CRYPTO_WALLET_AUTHENTICATE: ReplyFor<typeof cryptoWallets.authenticate>;
  readonly PASSKEY_AUTHENTICATE: ReplyFor<typeof webauthn.authenticate> & WithExtensionResults;
  /** A login's second factor, or a proof that was requested again. Not in the reference client. */
  readonly SECOND_FACTOR_AUTHENTICATE: Partial<AuthenticationReply>;
  readonly PASSKEY_REGISTER: ReplyFor<typeof webauthn.register> & WithExtensionResults;
  readonly PASSKEY_SKIP: EmptyData;
  readonly PASSKEY_DONE: EmptyData;
  readonly OAUTH_AUTHORIZE_FLOW_START: {
    readonly client_id: string;
    readonly redirect_uri: string;
    readonly scope: string;
  };
  readonly OAUTH_AUTHORIZE_FLOW_COMPLETE: EmptyData;
  readonly OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED: EmptyData;
  /** The change in the account. Not in the reference client. */
  readonly ACCOUNT_CHANGED: { readonly change: AccountNews };
  readonly AUTHENTICATE_FLOW_COMPLETE: EmptyData;
}

/** An event of `callbacks.onEvent`; `type` determines the type of `data`. */
export type HostEvent = {
  [Type in EventType]: { readonly type: Type; readonly data: HostEventData[Type] };
}[EventType];
