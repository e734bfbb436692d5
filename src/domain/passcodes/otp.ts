import { withAsciiDigits } from '../contacts/ascii-digits.ts';
import type { OTP_METHODS } from '../contacts/channels.ts';
import type { EnteredPhone } from '../contacts/phone.ts';

/** One-time passcodes (specification, sections 2, 5 and 9). */

export const OTP_LENGTH = 6;
export const OTP_EXPIRATION_MINUTES = 5;
/** The duration of the text 'Code sent', in milliseconds. */
export const CODE_SENT_MS = 2_000;
/** The pause between two resends, in milliseconds. Most missing messages are only late. */
export const RESEND_COOLDOWN_MS = 20_000;

/** How a passcode is delivered. */
export type OtpMethod = (typeof OTP_METHODS)[number];

/** A passcode that was sent: its destination, and when it expires (milliseconds since 1970, by this browser's clock). */
export interface SentOtp {
  readonly type: OtpMethod;
  readonly methodId: string;
  /** An email address, or a phone number in E.164. */
  readonly destination: string;
  readonly expiresAt: number;
  /** The phone number as it was entered, and in international format. */
  readonly phone?: EnteredPhone & { readonly international: string };
}

/** The digits of the typed or pasted text, at most the length of a code: `G-123 456` gives `123456`. */
export function passcodeDigits(text: string, length: number = OTP_LENGTH): string {
  return withAsciiDigits(text).replace(/\D/gu, '').slice(0, length);
}

/** The time left as `m:ss`, or null when there is none. */
export function timeLeft(expiresAt: number, now: number): string | null {
  const seconds = Math.ceil((expiresAt - now) / 1000);
  if (!(seconds > 0)) return null;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The state of the resend link (section 4): sending, then 'Code sent' for two seconds, then waiting until it can be used again. */
export type ResendState = 'initial' | 'sending' | 'sent' | 'waiting';
export type ResendEvent = 'asked' | 'delivered' | 'failed' | 'shownLongEnough';

export function reduceResend(state: ResendState, event: ResendEvent): ResendState {
  switch (event) {
    case 'asked':
      return state === 'initial' || state === 'waiting' ? 'sending' : state;
    case 'delivered':
      return state === 'sending' ? 'sent' : state;
    case 'failed':
      return 'initial';
    case 'shownLongEnough':
      return state === 'sent' ? 'waiting' : state;
  }
}
