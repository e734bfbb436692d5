import { OTP_LENGTH } from '../passcodes/otp.ts';
import { Refusal } from './refusal.ts';

const CODE = new RegExp(`^[0-9]{${OTP_LENGTH}}$`, 'u');

/** After so many tries a send is dead, whatever is entered next with its id. */
export const MAX_TRIES = 5;
/** People ask again and then enter the first mail's code. */
const COUNTING_CODES = 3;

/** Why a code does not count. Whoever holds the id of a send asked for it, and may know. */
export type PasscodeFault = 'wrong' | 'expired' | 'tries_used' | 'replaced';

/** Refuses what is not six digits: of a passcode, and of an authenticator app. */
export function checkCode(code: string): void {
  if (!CODE.test(code)) throw new Refusal('invalid_code');
}

export function faultRefusal(fault: PasscodeFault): Refusal {
  return new Refusal('otp_code_not_found', undefined, undefined, { reason: fault });
}

interface PasscodeAttempt<Send> {
  /** The live send that the code was entered for; this try is counted already. */
  readonly tried: Send & { readonly tries: number };
  /** What the same asker was sent for the same destination and purpose, newest first. */
  readonly others: readonly Send[];
  readonly isLive: (send: Send) => boolean;
  /** Whether the code that was entered is the one of that send. */
  readonly is: (send: Send) => boolean;
}

/** The send whose code was entered, this one or one of the last before, or why it is none. */
export function judgePasscode<Send>({ tried, others, isLive, is }: PasscodeAttempt<Send>): Send | PasscodeFault {
  const found = [tried, ...others.filter(isLive).slice(0, COUNTING_CODES - 1)].find(is);
  if (found !== undefined) return found;
  if (tried.tries >= MAX_TRIES) return 'tries_used';
  return others.some(is) ? 'replaced' : 'wrong';
}

/** Why a send takes no code any more; undefined for one that is not known. */
export function deadSend(send: { readonly isLive: boolean } | undefined): PasscodeFault {
  if (send === undefined) return 'wrong';
  return send.isLive ? 'tries_used' : 'expired';
}
