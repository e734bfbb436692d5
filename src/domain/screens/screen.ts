import type { SentOtp } from '../otp.ts';
import type { EnteredPhone, PhoneMethod } from '../phone.ts';
import type { WalletKind } from '../wallets.ts';

/** What a user is to the password screens: the wire's `userType` (specification, section 3). */
export type UserType = 'new' | 'password' | 'passwordless';

/** What went out to somebody who has no password: a link, or a code that can be entered at once. */
export type PasswordlessMessage = { readonly kind: 'link' } | { readonly kind: 'code'; readonly otp: SentOtp };

/** The screens, each with the data that only it needs (specification, section 2). */
export type Screen =
  /** `email` and `phone` are what the fields hold when the person comes back. */
  | {
      readonly name: 'Main';
      readonly email: string;
      readonly phone?: EnteredPhone & { readonly method: PhoneMethod };
    }
  | { readonly name: 'EmailConfirmation'; readonly email: string }
  | { readonly name: 'OTPAuthenticate'; readonly otp: SentOtp }
  | { readonly name: 'OTPConfirmation' }
  | { readonly name: 'PasswordCreateOrLogin'; readonly email: string; readonly userType: 'new' | 'password' }
  /** `message` is null while it is on its way. */
  | {
      readonly name: 'PasswordCreateOrLogin';
      readonly email: string;
      readonly userType: 'passwordless';
      readonly message: PasswordlessMessage | null;
    }
  | { readonly name: 'PasswordForgot'; readonly email: string }
  /** `breached`: another site had a security issue; `required`: the person must prove who they are. */
  | { readonly name: 'PasswordDedupe'; readonly email: string; readonly reason: 'breached' | 'required' }
  | { readonly name: 'PasswordBreached'; readonly email: string }
  | { readonly name: 'PasswordSetNew'; readonly email: string }
  /**
   * `login`: the token is a magic link's and goes out at once; `reset`: it allows to set a new password; `spent`: it did,
   * and another mail is what helps.
   */
  | { readonly name: 'PasswordResetForm'; readonly tokenType: 'login' | 'reset' | 'spent'; readonly email?: string }
  | { readonly name: 'PasswordConfirmation' }
  | { readonly name: 'CryptoConnect'; readonly wallet: WalletKind }
  | {
      readonly name: 'CryptoSignMessage';
      readonly wallet: WalletKind;
      readonly address: string;
      readonly challenge: string;
      /** The signature is there and on its way to the server. */
      readonly isSigned: boolean;
    }
  | { readonly name: 'CryptoOtherScreen' }
  | { readonly name: 'CryptoSetupWallet' }
  | { readonly name: 'CryptoError'; readonly wallet: WalletKind }
  | { readonly name: 'CryptoConfirmation' }
  | { readonly name: 'PasskeyConfirmation' }
  /** `creation` tells where a passkey can be made: in this device, with another one alone, or nowhere; null until known. */
  | { readonly name: 'PasskeyRegistrationStart'; readonly creation: 'here' | 'elsewhere' | 'none' | null }
  /** `created` is false for who skipped: the list stands alone then. */
  | { readonly name: 'PasskeyRegistrationSuccess'; readonly created: boolean }
  | { readonly name: 'IDPConsent' }
  /** The generic success: the person was signed in by something other than this screen, such as a link in a mail. */
  | { readonly name: 'AuthenticateFlowComplete' };

export type ScreenName = Screen['name'];
export type ScreenOf<Name extends ScreenName> = Extract<Screen, { readonly name: Name }>;
