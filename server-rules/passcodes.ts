import { OTP_LENGTH } from '#domain/passcodes/otp.ts';
import { Refusal } from '#domain/rules/refusal.ts';

/** The digits of the codes of some authenticator apps from another system. */
export const LONG_CODE = 8;

const CODE = new RegExp(`^[0-9]{${OTP_LENGTH},${LONG_CODE}}$`, 'u');

/** The maximum number of tries for a send. After them, its id accepts no code. */
export const MAX_TRIES = 5;
/** Several of the latest codes are accepted, because people request another code and then enter the one of the first message. */
const COUNTING_CODES = 3;

/** The reason why a code is rejected. It may be returned, because the holder of a send's id requested the send. */
export type PasscodeFault = 'wrong' | 'expired' | 'tries_used' | 'replaced';

/** Throws a Refusal unless the code has so many digits: for passcodes and authenticator apps. */
export function checkCode(code: string, length: number = OTP_LENGTH): void {
  if (code.length !== length || !CODE.test(code)) throw new Refusal('invalid_code');
}

export function faultRefusal(fault: PasscodeFault): Refusal {
  return new Refusal('otp_code_not_found', undefined, undefined, { reason: fault });
}

interface PasscodeAttempt<Send> {
  /** The live send for which the code was entered; this try is already counted. */
  readonly tried: Send & { readonly tries: number };
  /** The other sends of the same requester to the same destination for the same purpose, newest first. */
  readonly others: readonly Send[];
  readonly isLive: (send: Send) => boolean;
  /** Whether the entered code is the code of that send. */
  readonly is: (send: Send) => boolean;
}

/** The send whose code was entered (this one or one of the previous ones), or the reason for the rejection. */
export function judgePasscode<Send>({ tried, others, isLive, is }: PasscodeAttempt<Send>): Send | PasscodeFault {
  const found = [tried, ...others.filter(isLive).slice(0, COUNTING_CODES - 1)].find(is);
  if (found !== undefined) return found;
  if (tried.tries >= MAX_TRIES) return 'tries_used';
  return others.some(is) ? 'replaced' : 'wrong';
}

/** The reason why a send accepts no more codes. `send` is undefined for an unknown id. */
export function deadSend(send: { readonly isLive: boolean } | undefined): PasscodeFault {
  if (send === undefined) return 'wrong';
  return send.isLive ? 'tries_used' : 'expired';
}
