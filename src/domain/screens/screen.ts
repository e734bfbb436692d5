import type { SentOtp } from '../passcodes/otp.ts';
import type { EnteredPhone, PhoneMethod } from '../contacts/phone.ts';
import type { FactorState } from '../sessions/second-factor.ts';
import type { WalletKind } from '../wallets/wallets.ts';

/** The kind of user, which selects the password screen: the wire's `userType` (specification, section 3). */
export type UserType = 'new' | 'password' | 'passwordless';

/** The message that was sent to a user without a password: a link, or a code that can be entered on the screen. */
export type PasswordlessMessage = { readonly kind: 'link' } | { readonly kind: 'code'; readonly otp: SentOtp };

/** The screens, each with its own data (specification, section 2). */
export type Screen =
  /** `email` and `phone` fill the fields when the person comes back. */
  | {
      readonly name: 'Main';
      readonly email: string;
      readonly phone?: EnteredPhone & { readonly method: PhoneMethod };
    }
  | { readonly name: 'EmailConfirmation'; readonly email: string }
  | { readonly name: 'OTPAuthenticate'; readonly otp: SentOtp }
  | { readonly name: 'OTPConfirmation' }
  | { readonly name: 'PasswordCreateOrLogin'; readonly email: string; readonly userType: 'new' | 'password' }
  /** `message` is null while it is being sent. */
  | {
      readonly name: 'PasswordCreateOrLogin';
      readonly email: string;
      readonly userType: 'passwordless';
      readonly message: PasswordlessMessage | null;
    }
  | { readonly name: 'PasswordForgot'; readonly email: string }
  /** `breached`: the password is known from a breach of another site; `required`: the user must prove their identity. */
  | { readonly name: 'PasswordDedupe'; readonly email: string; readonly reason: 'breached' | 'required' }
  | { readonly name: 'PasswordBreached'; readonly email: string }
  | { readonly name: 'PasswordSetNew'; readonly email: string }
  /**
   * `login`: the token is a magic link's and is sent immediately; `reset`: the token allows the person to set a new password; `spent`: the
   * token is no longer valid, and the person needs another mail.
   */
  | { readonly name: 'PasswordResetForm'; readonly tokenType: 'login' | 'reset' | 'spent'; readonly email?: string }
  | { readonly name: 'PasswordConfirmation' }
  | { readonly name: 'CryptoConnect'; readonly wallet: WalletKind }
  | {
      readonly name: 'CryptoSignMessage';
      readonly wallet: WalletKind;
      readonly address: string;
      readonly challenge: string;
      /** The wallet has signed, and the server is verifying the signature. */
      readonly isSigned: boolean;
    }
  | { readonly name: 'CryptoOtherScreen' }
  | { readonly name: 'CryptoSetupWallet' }
  | { readonly name: 'CryptoError'; readonly wallet: WalletKind }
  | { readonly name: 'CryptoConfirmation' }
  | { readonly name: 'PasskeyConfirmation' }
  /** After a login by another method, if the host enables it. */
  | { readonly name: 'PasskeyOffer' }
  | { readonly name: 'PasskeyCreated' }
  /** `creation` is the place where a passkey can be created: on this device, only on another device, or nowhere; null until known. */
  | { readonly name: 'PasskeyRegistrationStart'; readonly creation: 'here' | 'elsewhere' | 'none' | null }
  /** `created` is false when the person skipped the registration: then only the list shows. */
  | { readonly name: 'PasskeyRegistrationSuccess'; readonly created: boolean }
  /** `isConsent`: the consent continues after it. */
  | { readonly name: 'SecondFactor'; readonly flow: FactorState; readonly isConsent: boolean }
  | { readonly name: 'IDPConsent' }
  | { readonly name: 'Account' }
  /** The generic success: the login happened outside the screens, for example by an emailed link. */
  | { readonly name: 'AuthenticateFlowComplete' };

/** The name of a screen, such as `Main`. */
export type ScreenName = Screen['name'];
/** The screen of one name, with its fields. */
export type ScreenOf<Name extends ScreenName> = Extract<Screen, { readonly name: Name }>;

/** The screen on which a login starts. */
export const INITIAL_SCREEN: ScreenOf<'Main'> = { name: 'Main', email: '' };

/** The passcode that a screen waits for, or null. */
export function sentOtpOf(screen: Screen): SentOtp | null {
  if (screen.name === 'OTPAuthenticate') return screen.otp;
  return 'message' in screen && screen.message?.kind === 'code' ? screen.message.otp : null;
}
