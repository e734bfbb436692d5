import type { SentOtp } from '../otp.ts';
import type { Screen } from './screen.ts';

/** The passcode that a screen waits for, or null. */
export function sentOtpOf(screen: Screen): SentOtp | null {
  if (screen.name === 'OTPAuthenticate') return screen.otp;
  return 'message' in screen && screen.message?.kind === 'code' ? screen.message.otp : null;
}
