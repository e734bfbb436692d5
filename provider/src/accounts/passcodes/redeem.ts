import { contactKindOf } from '#server-rules/contacts.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { checkCode, faultRefusal } from '#server-rules/passcodes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { takeForCaller } from '#provider/base/security/limits.ts';
import { checkRequestOrigin, type MatchOptions } from '../request-origin.ts';
import type { LoginServices } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { LoginCompletion } from '../sessions/login/log-in.ts';
import { logInByMessage, type VerifiedLogin } from '../sessions/login/message-login.ts';
import { countWrongText } from '../sessions/reading/step-tries.ts';
import { redeemPasscode, tryPasscode } from './store.ts';

interface RedeemPasscodeInput<R> {
  readonly passcode_id: string;
  readonly code: string;
  readonly options?: MatchOptions | undefined;
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

/** Logs in the user who received the passcode. Every call uses up one of the tries of the send. */
export async function enterPasscode<R>(
  services: LoginServices,
  { passcode_id, code, options, caller, enter }: RedeemPasscodeInput<R>,
): Promise<VerifiedLogin<R>> {
  checkCode(code);
  const passcode = await tryPasscode(services, { passcode_id, code, caller });
  if (typeof passcode === 'string') {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    await countWrongText(services, caller);
    throw faultRefusal(passcode);
  }
  checkRequestOrigin(services, passcode, caller, options);
  const { channel, method_id } = passcode;
  const done = await logInByMessage(services, {
    kind: contactKindOf(channel),
    method_id,
    message: passcode,
    spend: (tx) => redeemPasscode(tx, passcode),
    factorOf: (contact) => FACTORS.passcode(channel, contact),
    caller,
    enter,
  });
  if (done === undefined) throw new Refusal('otp_code_not_found');
  return done;
}
