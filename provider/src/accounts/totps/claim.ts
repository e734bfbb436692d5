import { FACTORS } from '#domain/rules/factors.ts';
import { checkCode, LONG_CODE } from '#server-rules/passcodes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { WRONG_TOTP } from '#server-rules/totps.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { forgive, takeForCaller, takeTogether } from '#provider/base/security/limits.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { LoginServices } from '../services.ts';
import { takeCodeTry } from '../sessions/reading/code-tries.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { LoginCompletion } from '../sessions/login/log-in.ts';
import { requireFor, holdOwner, type StepOwner } from '../sessions/reading/admission.ts';
import { requireListed } from '../sessions/reading/step.ts';
import { countWrongTry, endAtLimit, triesOfStep } from '../sessions/reading/step-tries.ts';
import { storePending } from '../social-accounts/pending.ts';
import { lockUser } from '../users/lock.ts';
import { stepOf } from './code.ts';
import { findTotp, isThere, redeemRecoveryCode, redeemStep, secretOf, type Totp } from './store.ts';
import { storedCodeOf } from './stored-codes.ts';

/** Who enters a code, and what to do if it is right. */
export interface Claimant<R> {
  readonly caller: Caller;
  readonly user_id: string;
  /** The session or login in which the user enters the code; undefined if the app's own server vouches for the user. */
  readonly owner: StepOwner | undefined;
  readonly enter: LoginCompletion<R>;
}

interface Claim<R> extends Claimant<R> {
  readonly factor: 'totp' | 'recovery_codes';
  /** Refuses a code that cannot be one of the app, before it counts as a try. */
  readonly check: (totp: Totp | undefined) => void;
  /** Verifies the code, and returns a function that spends it in the transaction. Null if the code is already known to be wrong. */
  readonly redeem: (totp: Totp) => Promise<((tx: Db) => Promise<boolean>) | null>;
  readonly refusal: Refusal;
}

/**
 * Counts a try against the session or, without one, the user. A code of the app also counts against the user's daily limit (`takeCodeTry`).
 * A recovery code of this server has at least 60 bits and needs no such limit. It lets the owner log in from a new network while an attacker
 * with the password is guessing. The codes of another system may be short, and count as those of the app.
 *
 * @returns the counts that a right code resets. The count of unknown networks is not among them: strangers share it, and would get 100 more
 * tries with each login of the owner from a new network
 */
async function takeTry<R>(services: RateLimitServices, claim: Claim<R>, totp: Totp): Promise<readonly string[]> {
  const { caller, factor, owner, user_id } = claim;
  const own = {
    name:
      owner?.step === undefined ? `totp-tries:${owner?.session.session_id ?? user_id}` : triesOfStep(owner.step.row),
    limit: services.limits.triesPerTotp,
  };
  if (factor !== 'totp' && !totp.imported_codes) {
    await takeTogether(services, [own], 'user_lock_limit_reached');
    return [own.name];
  }
  const { owners } = await takeCodeTry(services, { user_id, method: 'totp', caller, own });
  return owners.map(({ name }) => name);
}

/** The reply, and the authenticator app whose code was entered. */
interface TotpClaimResult<R> {
  readonly reply: R;
  readonly totp_id: string;
}

/**
 * Adds the factor to the session. Every claim counts as a try before it is checked. A right code resets the counts of `takeTry`; after too
 * many tries even a right code is refused.
 */
async function claim<R>(services: LoginServices, claiming: Claim<R>): Promise<TotpClaimResult<R>> {
  const { caller, user_id, factor, redeem, refusal, enter } = claiming;
  caller.trail.about = user_id;
  const totp = await findTotp(services, user_id);
  claiming.check(totp);
  if (totp === undefined) throw new Refusal('totp_not_found');
  // The first code adds the app to the account.
  const isFirst = claiming.owner !== undefined && !totp.verified;
  const owner = isFirst ? await requireFor(services, 'adds', caller) : claiming.owner;
  const step = owner?.step;
  if (!totp.verified) requireListed(step, 'enrol', 'totp');
  else requireListed(step, 'factors', factor === 'totp' ? 'totp' : 'recovery_code');
  const tries = await takeTry(services, claiming, totp).catch((error: unknown) =>
    endAtLimit(services, step?.row, error),
  );
  const spend = await redeem(totp);
  const { totp_id } = totp;
  const done =
    spend === null
      ? undefined
      : await transaction(services.db, async (tx) => {
          const lock = owner === undefined ? undefined : await holdOwner(services, tx, owner);
          const user = lock?.user ?? (await lockUser(tx, user_id));
          if (user === undefined) return undefined;
          if (!(await spend(tx))) {
            // Without the app no other code can work: the user has to set up an app again.
            if (!(await isThere(tx, totp))) throw new Refusal('totp_not_found');
            return undefined;
          }
          // Must run before the reply reads the user.
          const current = lock?.current;
          if (current !== undefined) await storePending(services, tx, current);
          const family_id = current?.family_id ?? undefined;
          const proof =
            factor === 'totp'
              ? FACTORS.totp(totp_id)
              : FACTORS.recovery_codes(totp_id, newId(services.random, 'totp-recovery-code'));
          const loginProof = { user, factor: proof, presented: current, family_id };
          return { reply: await enter(tx, loginProof), totp_id };
        });
  if (done === undefined) {
    if (step !== undefined) await countWrongTry(services, step.row);
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw refusal;
  }
  for (const bucket of tries) await forgive(services, bucket);
  return done;
}

/** Enters a code of the authenticator app. */
export async function enterTotp<R>(
  services: LoginServices,
  claimant: Claimant<R>,
  code: string,
): Promise<TotpClaimResult<R>> {
  if (code.length !== LONG_CODE) checkCode(code);
  return claim(services, {
    ...claimant,
    factor: 'totp',
    check: (totp) => checkCode(code, totp?.digits),
    redeem: async (totp) => {
      const step = stepOf(secretOf(services, totp), code, services.clock.now(), totp);
      return step === null ? null : (tx) => redeemStep(tx, totp, step);
    },
    refusal: new Refusal('otp_code_not_found', WRONG_TOTP),
  });
}

/** Enters a recovery code, which works once. */
export async function enterRecoveryCode<R>(
  services: LoginServices,
  claimant: Claimant<R>,
  code: string,
): Promise<TotpClaimResult<R>> {
  return claim(services, {
    ...claimant,
    factor: 'recovery_codes',
    check: () => undefined,
    redeem: async (totp) => {
      if (!totp.verified) return null;
      const code_hash = await storedCodeOf(services, totp, code);
      return (tx) => redeemRecoveryCode(tx, totp, code_hash);
    },
    refusal: new Refusal('recovery_code_not_found'),
  });
}
