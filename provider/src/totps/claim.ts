import { delegateRefusal } from '../../../src/domain/rules/delegates.ts';
import { FACTORS, isImpersonated } from '../../../src/domain/rules/factors.ts';
import { checkCode } from '../../../src/domain/rules/passcodes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { WRONG_TOTP } from '../../../src/domain/rules/totps.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import { isKnownNetwork, networkKey } from '../security/known-networks.ts';
import { forgive, take, takeForCaller } from '../security/limits.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { holdSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import type { Enter } from '../sessions/log-in.ts';
import { lockUser } from '../users/lock.ts';
import { stepOf } from './code.ts';
import { findTotp, redeemRecoveryCode, redeemStep, secretOf, type Totp } from './store.ts';

/** Who enters a code, and what a right one does. */
export interface Claimant<R> {
  readonly caller: Caller;
  readonly user_id: string;
  /** The live session of the user that the code is entered in; undefined where the app's own server vouches for the user. */
  readonly session: CurrentSession | undefined;
  readonly enter: Enter<R>;
}

interface Claim<R> extends Claimant<R> {
  readonly factor: 'totp' | 'recovery_codes';
  /** Verifies the code and spends it in the transaction; null if it is wrong without a transaction. */
  readonly redeem: (totp: Totp) => ((tx: Db) => Promise<boolean>) | null;
  readonly refusal: Refusal;
}

/**
 * Counts a try of the session, or of the user where there is none. Codes of an app are short, and an attacker with the password
 * can start many sessions, so these codes are also counted for the user, separately for each network from which a second factor
 * was entered recently. This allows 100 guesses a day against a user (NIST SP 800-63B, section 5.2.2); as three codes are valid
 * at a time, that is 300 chances in a million. A recovery code of 60 bits needs no such limit, and lets the owner log in from a
 * new network while an attacker with the password guesses.
 */
async function takeTry<R>(services: Services, claim: Claim<R>): Promise<readonly string[]> {
  const { caller, factor, session, user_id: userId } = claim;
  const { triesPerTotp, dailyTriesPerTotp } = services.limits;
  const own = `totp-tries:${session?.session_id ?? userId}`;
  await take(services, own, triesPerTotp, 'user_lock_limit_reached');
  if (factor !== 'totp') return [own];
  const place = { userId, address: caller.address, secondFactor: true };
  const known = await isKnownNetwork(services, services.db, place);
  const daily = `totp-daily:${userId}:${known ? networkKey(services, caller.address) : ''}`;
  await take(services, daily, dailyTriesPerTotp, 'user_lock_limit_reached');
  return [own, daily];
}

/** A reply, and the authenticator app whose code was entered. */
interface Claimed<R> {
  readonly reply: R;
  readonly totp_id: string;
}

/**
 * Adds the factor to the session. Every claim counts as a try before it is checked. A right code resets the count;
 * after too many tries even a right code is refused.
 */
async function claim<R>(services: Services, claiming: Claim<R>): Promise<Claimed<R>> {
  const { caller, user_id, session, factor, redeem, refusal, enter } = claiming;
  // The factor cannot join an impersonator's session: it would start a session without the mark.
  if (session !== undefined && isImpersonated(session)) throw delegateRefusal(session);
  caller.trail.about = user_id;
  const totp = await findTotp(services, user_id);
  if (totp === undefined) throw new Refusal('totp_not_found');
  const tries = await takeTry(services, claiming);
  const spend = redeem(totp);
  const { totp_id } = totp;
  const done =
    spend === null
      ? undefined
      : await transaction(services.db, async (tx) => {
          const held = session === undefined ? undefined : await holdSession(services, tx, session);
          const user = held?.user ?? (await lockUser(tx, user_id));
          if (user === undefined || !(await spend(tx))) return undefined;
          const family_id = held?.session.family_id ?? undefined;
          const proof =
            factor === 'totp'
              ? FACTORS.totp(totp_id)
              : FACTORS.recovery_codes(totp_id, newId(services.random, 'totp-recovery-code'));
          const proven = { user, factor: proof, presented: held?.session, family_id };
          return { reply: await enter(tx, proven), totp_id };
        });
  if (done === undefined) {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw refusal;
  }
  for (const bucket of tries) await forgive(services, bucket);
  return done;
}

/** Enters a code of the authenticator app. */
export async function enterTotp<R>(services: Services, claimant: Claimant<R>, code: string): Promise<Claimed<R>> {
  checkCode(code);
  return claim(services, {
    ...claimant,
    factor: 'totp',
    redeem: (totp) => {
      const step = stepOf(secretOf(services, totp), code, services.clock.now());
      return step === null ? null : (tx) => redeemStep(tx, totp, step);
    },
    refusal: new Refusal('otp_code_not_found', WRONG_TOTP),
  });
}

/** Enters a recovery code, which works once. */
export async function enterRecoveryCode<R>(
  services: Services,
  claimant: Claimant<R>,
  code: string,
): Promise<Claimed<R>> {
  return claim(services, {
    ...claimant,
    factor: 'recovery_codes',
    redeem: (totp) => (totp.verified ? (tx) => redeemRecoveryCode(services, tx, totp, code) : null),
    refusal: new Refusal('recovery_code_not_found'),
  });
}
