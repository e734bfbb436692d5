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

/**
 * The data of each event of `callbacks.onEvent` by its type. Where a call is behind the event, it is the reply of the call: its `session`
 * is null while the login lacks a step.
 */
export interface HostEventData {
  /** An email with a link was sent. */
  readonly MAGIC_LINK_LOGIN_OR_CREATE: ReplyFor<typeof magicLinks.loginOrCreate> & { readonly email: string };
  /** A passcode was sent, by any channel. */
  readonly OTP_LOGIN_OR_CREATE: ReplyFor<typeof otps.emailLoginOrCreate>;
  /** A passcode was accepted. */
  readonly OTP_AUTHENTICATE: ReplyFor<typeof otps.authenticate>;
  /** A user signed up with a password. */
  readonly PASSWORD_CREATE: ReplyFor<typeof passwords.create>;
  /** A password was accepted. */
  readonly PASSWORD_AUTHENTICATE: ReplyFor<typeof passwords.authenticate>;
  /** A reset email was sent. */
  readonly PASSWORD_RESET_BY_EMAIL_START: ReplyFor<typeof passwords.resetByEmailStart>;
  /** A new password was set by the link of a reset email. */
  readonly PASSWORD_RESET_BY_EMAIL: ReplyFor<typeof passwords.resetByEmail>;
  /** The server sent the challenge that the wallet signs. */
  readonly CRYPTO_WALLET_AUTHENTICATE_START: ReplyFor<typeof cryptoWallets.authenticateStartPrimary>;
  /** The signature of a wallet was accepted. */
  readonly CRYPTO_WALLET_AUTHENTICATE: ReplyFor<typeof cryptoWallets.authenticate>;
  /** A passkey was accepted. */
  readonly PASSKEY_AUTHENTICATE: ReplyFor<typeof webauthn.authenticate> & WithExtensionResults;
  /** A login's second factor, or a proof that was requested again. Not in the reference client. */
  readonly SECOND_FACTOR_AUTHENTICATE: Partial<AuthenticationReply>;
  /** A passkey was created. */
  readonly PASSKEY_REGISTER: ReplyFor<typeof webauthn.register> & WithExtensionResults;
  /** 'Skip' or 'Not now' was pressed. */
  readonly PASSKEY_SKIP: EmptyData;
  /** 'Done' was pressed on the list of passkeys. */
  readonly PASSKEY_DONE: EmptyData;
  /** The request of another app was read. */
  readonly OAUTH_AUTHORIZE_FLOW_START: {
    readonly client_id: string;
    readonly redirect_uri: string;
    readonly scope: string;
  };
  /** The request of another app was allowed. */
  readonly OAUTH_AUTHORIZE_FLOW_COMPLETE: EmptyData;
  /** The request of another app was denied. */
  readonly OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED: EmptyData;
  /** Something in the account was changed. Not in the reference client. */
  readonly ACCOUNT_CHANGED: { readonly change: AccountNews };
  /** The login is complete: there is a session. */
  readonly AUTHENTICATE_FLOW_COMPLETE: EmptyData;
}

/** An event of `callbacks.onEvent`; `type` determines the type of `data`. */
export type HostEvent = {
  [Type in EventType]: { readonly type: Type; readonly data: HostEventData[Type] };
}[EventType];
