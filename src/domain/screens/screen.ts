import type { SentOtp } from '../otp.ts';

/** The screens, each with the data that only it needs (specification, section 2). */
export type Screen =
  /** `email` is what the field holds when the person comes back. */
  | { readonly name: 'Main'; readonly email: string }
  | { readonly name: 'EmailConfirmation'; readonly email: string }
  | { readonly name: 'OTPAuthenticate'; readonly otp: SentOtp }
  | { readonly name: 'OTPConfirmation' }
  /** The generic success: the person was signed in by something other than this screen, such as a link in a mail. */
  | { readonly name: 'AuthenticateFlowComplete' };

export type ScreenName = Screen['name'];
export type ScreenOf<Name extends ScreenName> = Extract<Screen, { readonly name: Name }>;
