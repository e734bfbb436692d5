import { WRONG_TOTP } from '../../../src/domain/rules/totps.ts';
import { checkCode } from '../../../src/domain/rules/passcodes.ts';
import { toDataURL } from 'qrcode';
import { delegateRefusal } from '../../../src/domain/rules/delegates.ts';
import { FACTORS, isImpersonated } from '../../../src/domain/rules/factors.ts';
import { checkDuration, minutesIn, TOTP_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { stepOf, totpUri } from './code.ts';
import {
  holdSession,
  withOwnSession,
  withProvenSession,
  withSession,
  type Caller,
  type CurrentSession,
} from '../sessions/current.ts';
import { logIn } from '../sessions/log-in.ts';
import type { AuthenticatedReply } from '../sessions/store.ts';
import type { Services } from '../services.ts';
import { isKnownNetwork, networkKey } from '../security/known-networks.ts';
import { forgive, take, takeForNetwork } from '../security/limits.ts';
import { createTotp, findTotp, recoveryCodesOf, redeemRecoveryCode, redeemStep, secretOf, type Totp } from './store.ts';
import { readUser } from '../users/read-user.ts';

interface Claim {
  readonly caller: Caller;
  readonly session: CurrentSession;
  readonly minutes: number;
  readonly factor: 'totp' | 'recovery_codes';
  /** Verifies the code and spends it in the transaction; null if it is wrong without a transaction. */
  readonly redeem: (totp: Totp) => ((tx: Parameters<typeof redeemStep>[0]) => Promise<boolean>) | null;
  readonly refusal: Refusal;
}

/**
 * Counts a try of the session. Codes of an app are short, and an attacker with the password can start many sessions, so
 * these codes are also counted for the user, separately for each network from which a second factor was entered recently.
 * This allows 100 guesses a day against a user (NIST SP 800-63B, section 5.2.2); as three codes are valid at a time, that
 * is 300 chances in a million. A recovery code of 60 bits needs no such limit, and lets the owner log in from a new network
 * while an attacker with the password guesses.
 */
async function takeTry(
  services: Services,
  { caller, factor }: Pick<Claim, 'caller' | 'factor'>,
  { session_id, user_id: userId }: CurrentSession,
): Promise<readonly string[]> {
  const { triesPerTotp, dailyTriesPerTotp } = services.limits;
  const own = `totp-tries:${session_id}`;
  await take(services, own, triesPerTotp, 'user_lock_limit_reached');
  if (factor !== 'totp') return [own];
  const place = { userId, address: caller.address, secondFactor: true };
  const known = await isKnownNetwork(services, services.db, place);
  const daily = `totp-daily:${userId}:${known ? networkKey(services, caller.address) : ''}`;
  await take(services, daily, dailyTriesPerTotp, 'user_lock_limit_reached');
  return [own, daily];
}

/**
 * Adds the factor to the session. Every claim counts as a try before it is checked. A right code resets the count;
 * after too many tries even a right code is refused.
 */
async function claim(
  services: Services,
  { caller, session, minutes, factor, redeem, refusal }: Claim,
): Promise<AuthenticatedReply & { readonly totp_id: string }> {
  // The factor cannot join an impersonator's session: it would start a session without the mark.
  if (isImpersonated(session)) throw delegateRefusal(session);
  const totp = await findTotp(services, session.user_id);
  if (totp === undefined) throw new Refusal('totp_not_found');
  const tries = await takeTry(services, { caller, factor }, session);
  const spend = redeem(totp);
  const { totp_id } = totp;
  const reply =
    spend === null
      ? undefined
      : await transaction(services.db, async (tx) => {
          const { session: presented, user } = await holdSession(services, tx, session);
          if (!(await spend(tx))) return undefined;
          const family_id = presented.family_id ?? undefined;
          return logIn(services, tx, { user, factor: FACTORS[factor](totp_id), minutes, caller, presented, family_id });
        });
  if (reply === undefined) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw refusal;
  }
  for (const bucket of tries) await forgive(services, bucket);
  return { ...reply, totp_id };
}

export const totps: Routes['totps'] = {
  create: withOwnSession(async (services, { body, session }) => {
    const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, body.expiration_minutes);
    await take(services, `new-totp:${session.user_id}`, services.limits.newTotpsPerUser, 'too_many_requests');
    const { made, user } = await transaction(services.db, async (tx) => {
      const { user_id } = (await holdSession(services, tx, session)).user;
      const made = await createTotp(services, tx, { user_id, minutes });
      return { made, user: await readUser(tx, user_id) };
    });
    if (made === undefined) throw new Refusal('active_totp_exists');
    const { user_id } = user;
    const label = user.emails[0]?.email ?? user.phone_numbers[0]?.phone_number ?? user_id;
    const qr_code = await toDataURL(totpUri(made.secret, services.project.name, label), { type: 'image/png' });
    return { ...made, qr_code, user_id, user, __user: user };
  }),

  authenticate: withSession(async (services, { body, caller, session }) => {
    const { totp_code: code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    checkCode(code);
    return claim(services, {
      caller,
      session,
      minutes,
      factor: 'totp',
      redeem: (totp) => {
        const step = stepOf(secretOf(services, totp), code, services.clock.now());
        return step === null ? null : (tx) => redeemStep(tx, totp, step);
      },
      refusal: new Refusal('otp_code_not_found', WRONG_TOTP),
    });
  }),

  /** The unused recovery codes. They are stored encrypted beside their hashes, because the API shows them again. */
  recoveryCodes: withProvenSession(async (services, { session: { user_id } }) => {
    const totp = await findTotp(services, user_id);
    const shown =
      totp === undefined
        ? []
        : [{ totp_id: totp.totp_id, verified: totp.verified, recovery_codes: await recoveryCodesOf(services, totp) }];
    return { user_id, totps: shown };
  }),

  recover: withSession(async (services, { body, caller, session }) => {
    const { recovery_code: code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    return claim(services, {
      caller,
      session,
      minutes,
      factor: 'recovery_codes',
      redeem: (totp) => (totp.verified ? (tx) => redeemRecoveryCode(services, tx, totp, code) : null),
      refusal: new Refusal('recovery_code_not_found'),
    });
  }),
};
