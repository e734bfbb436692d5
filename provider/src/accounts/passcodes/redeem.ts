import { FACTORS } from '../../../../src/domain/rules/factors.ts';
import { checkCode, faultRefusal } from '../../../../src/domain/rules/passcodes.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { transaction } from '../../base/db/transaction.ts';
import { checkRequestOrigin, type MatchOptions } from '../request-origin.ts';
import { takeForCaller } from '../../base/security/limits.ts';
import type { Services } from '../services.ts';
import { holdProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logInByEmail, type LoginCompletion, type VerifiedLogin } from '../sessions/log-in.ts';
import { vouchedFor } from '../sessions/additions.ts';
import { attachPhone, confirmPhone, lockPhone } from '../users/phone-numbers.ts';
import { attachEmail, type AttachTarget } from '../users/store.ts';
import { redeemPasscode, tryPasscode, type Passcode } from './store.ts';

interface RedeemPasscodeInput<R> {
  /** The id of the send. */
  readonly method_id: string;
  readonly code: string;
  readonly options?: MatchOptions | undefined;
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

/** Logs in the user whom the passcode was sent to. Every call uses up one of the tries of the send. */
export async function enterPasscode<R>(
  services: Services,
  { method_id, code, options, caller, enter }: RedeemPasscodeInput<R>,
): Promise<VerifiedLogin<R> & { readonly method_id: string }> {
  checkCode(code);
  const passcode = await tryPasscode(services, { passcodeId: method_id, code, trail: caller.trail });
  if (typeof passcode === 'string') {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw faultRefusal(passcode);
  }
  checkRequestOrigin(services, passcode, caller, options);
  const current = passcode.adds_to !== null && passcode.needs_session ? await caller.session.require() : null;
  const done = await transaction(services.db, (tx) => redeem(services, tx, { passcode, caller, current, enter }));
  if (done === undefined) throw new Refusal('otp_code_not_found');
  return { ...done, method_id: passcode.method_id };
}

interface PasscodeRedemption<R> {
  readonly passcode: Passcode;
  readonly caller: Caller;
  /** The session that a code which adds an address or number must be entered in; null for any other code. */
  readonly current: CurrentSession | null;
  readonly enter: LoginCompletion<R>;
}

/** Spends the passcode. Undefined when it was spent or the address removed in the meantime. */
async function redeem<R>(
  services: Services,
  tx: Db,
  redeeming: PasscodeRedemption<R>,
): Promise<VerifiedLogin<R> | undefined> {
  const { passcode, caller, enter } = redeeming;
  const { method_id, channel, adds_to, address } = passcode;
  if (adds_to !== null && address !== null) return add(services, tx, { ...redeeming, adds_to, address });
  const spend = () => redeemPasscode(tx, passcode);
  if (channel === 'email') return logInByEmail(tx, { email_id: method_id, spend, type: 'otp', caller, enter });
  const found = await lockPhone(tx, method_id);
  if (found === undefined || !(await spend())) return undefined;
  const { user, phone } = await confirmPhone(tx, found);
  const presented = await caller.session.findIn(tx);
  const reply = await enter(tx, { user, factor: FACTORS.phone(channel, phone), presented });
  return { reply, reset_sessions: !found.phone.verified };
}

/**
 * Adds the address or number of the code to its user. The code must be entered in a session of the user who asked for it, else
 * a person who was tricked into entering it would give away their address; only the app's own server may vouch for the user
 * instead.
 */
async function add<R>(
  services: Services,
  tx: Db,
  adding: PasscodeRedemption<R> & { readonly adds_to: string; readonly address: string },
): Promise<VerifiedLogin<R> | undefined> {
  const { passcode, current, caller, enter, adds_to, address } = adding;
  const held =
    current === null ? await vouchedFor(tx, adds_to, caller) : await holdProvenSession(services, tx, current);
  if (held?.user.user_id !== adds_to || !(await redeemPasscode(tx, passcode))) return undefined;
  const { user, session } = held;
  const { factor, first } = await attach(services, tx, held, passcode, address);
  return { reply: await enter(tx, { user, factor, presented: session ?? undefined }), reset_sessions: first };
}

async function attach(
  services: Services,
  tx: Db,
  to: AttachTarget,
  { method_id: id, channel }: Passcode,
  address: string,
) {
  if (channel === 'email') {
    const { added, first } = await attachEmail(services, tx, to, { id, address });
    return { factor: FACTORS.email('otp', added), first };
  }
  const { added, first } = await attachPhone(services, tx, to, { id, address });
  return { factor: FACTORS.phone(channel, added), first };
}
