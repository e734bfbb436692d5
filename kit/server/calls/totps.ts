import { totps } from '#application/api/index.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { checkDuration, MINUTE_MS, minutesIn, TOTP_MINUTES } from '#domain/rules/lifetimes.ts';
import { checkCode } from '#server-rules/passcodes.ts';
import { normalRecoveryCode, RECOVERY_CODES, WRONG_TOTP } from '#server-rules/totps.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { admit, requireOwner, requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { change } from '../state/user-rows.ts';
import { requireListed } from '../state/second-factor.ts';
import { logIn } from '../state/sign-in.ts';
import { storePending } from './social-accounts.ts';
import type { ServerState } from '../state/state.ts';
import type { Totp } from '../state/tables.ts';

const STEP_MS = MINUTE_MS / 2;
const QR_CODE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** The code of one time step: six pseudo-random digits. It is not RFC 6238, so that it can be computed synchronously. */
function codeAt(secret: string, step: number): string {
  let hash = 0x811c9dc5;
  for (const char of `${secret}:${step}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return String((hash >>> 0) % 1_000_000).padStart(6, '0');
}

/** The current code of the fake's authenticator app for a secret. */
export function totpCode(state: ServerState, secret: string): string {
  return codeAt(secret, Math.floor(state.now() / STEP_MS));
}

/** Whether `totps.recoveryCodes` shows codes after their creation. */
export const showsCodesAgain = ({ settings: { mfa } }: ServerState): boolean => mfa?.show_recovery_codes_again ?? true;

/** As many codes as for a new app, in the provider's format. */
export function newRecoveryCodes(state: ServerState): readonly string[] {
  return Array.from(
    { length: RECOVERY_CODES },
    (_, place) => `fake-${String(state.next()).padStart(4, '0')}-${String(place).padStart(4, '0')}-code-code-code`,
  );
}

/** Codes of authenticator apps, and recovery codes. Each code can be used once. */
export function answerTotps(answers: Answers, state: ServerState): void {
  const live = (userId: string): Totp | undefined => {
    const totp = state.totps.get(userId);
    return totp?.verified === true ? totp : state.live(state.totps, userId);
  };
  const claim = (
    {
      caller,
      minutes,
      factor,
      makeFactor,
    }: {
      caller: Caller;
      minutes: number;
      factor: 'totp' | 'recovery_code';
      makeFactor: (totpId: string) => NewFactor;
    },
    spend: (totp: Totp) => void,
  ): object => {
    const { user_id, session, login } = requireOwner(state, caller);
    const family_id = session?.family_id ?? null;
    const totp = live(user_id);
    if (totp === undefined) throw new Refusal('totp_not_found');
    // The first code adds the app to the account.
    if (!totp.verified) admit(state, caller, 'adds');
    if (totp.verified) requireListed(state, login, 'factors', factor);
    else requireListed(state, login, 'enrol', 'totp');
    spend(totp);
    if (session !== undefined) storePending(state, session);
    const { totp_id } = totp;
    return { ...logIn(state, { user_id, factor: makeFactor(totp_id), minutes, caller, family_id }), totp_id };
  };

  answers
    .to(totps.create, ({ expiration_minutes }, caller) => {
      const { user_id, session_id, login } = requireOwner(state, caller);
      requireListed(state, login, 'enrol', 'totp');
      const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, expiration_minutes);
      if (state.totps.get(user_id)?.verified === true) throw new Refusal('active_totp_exists');
      const totp_id = state.id('totp');
      const secret = `FAKESECRET${state.next()}`;
      const recoveryCodes = newRecoveryCodes(state);
      const expiresAt = state.in(minutes);
      state.totps.set(user_id, { totp_id, secret, recoveryCodes, expiresAt, verified: false, lastStep: 0 });
      state.addedIn.set(totp_id, session_id);
      const user = change(state, user_id, { totps: [{ totp_id, verified: false }] });
      return { totp_id, secret, qr_code: QR_CODE, recovery_codes: [...recoveryCodes], user_id, user, __user: user };
    })
    .to(totps.authenticate, ({ totp_code: code, session_duration_minutes: minutes }, caller) => {
      const { user_id } = requireOwner(state, caller);
      checkDuration(minutes);
      checkCode(code);
      return claim({ caller, minutes, factor: 'totp', makeFactor: FACTORS.totp }, (totp) => {
        const now = Math.floor(state.now() / STEP_MS);
        const step = [now - 1, now, now + 1].find((each) => each > totp.lastStep && codeAt(totp.secret, each) === code);
        if (step === undefined) throw new Refusal('otp_code_not_found', WRONG_TOTP);
        Object.assign(totp, { lastStep: step, verified: true });
        change(state, user_id, { totps: [{ totp_id: totp.totp_id, verified: true }] });
      });
    })
    .to(totps.recoveryCodes, (_, caller) => {
      const { user_id } = requireSession(state, caller);
      if (!showsCodesAgain(state)) throw new Refusal('recovery_codes_shown_once');
      const totp = live(user_id);
      if (totp === undefined) return { user_id, totps: [] };
      const { totp_id, verified, recoveryCodes } = totp;
      return { user_id, totps: [{ totp_id, verified, recovery_codes: [...recoveryCodes] }] };
    })
    .to(totps.recover, ({ recovery_code, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const makeFactor = (totpId: string) => FACTORS.recovery_codes(totpId, state.id('totp-recovery-code'));
      return claim({ caller, minutes, factor: 'recovery_code', makeFactor }, (totp) => {
        const code = normalRecoveryCode(recovery_code);
        if (!totp.verified || !totp.recoveryCodes.includes(code)) throw new Refusal('recovery_code_not_found');
        totp.recoveryCodes = totp.recoveryCodes.filter((each) => each !== code);
      });
    });
}
