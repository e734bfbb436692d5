import { totps } from '../../../application/api/index.ts';
import type { Answers, Caller } from './answers.ts';
import { change, readUser } from './people.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, minutesIn, requireSession, type NewFactor } from './sign-in.ts';
import { MINUTE_MS, type ServerState } from './state.ts';
import type { Totp } from './tables.ts';

const STEP_MS = MINUTE_MS / 2;
const RECOVERY_CODES = 10;
const QR_CODE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** The code of one time step: six digits that look random. No RFC 6238, so that it takes no thread and no time. */
function codeAt(secret: string, step: number): string {
  let hash = 0x811c9dc5;
  for (const char of `${secret}:${step}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return String((hash >>> 0) % 1_000_000).padStart(6, '0');
}

/** What the fake's authenticator app shows now for a secret. */
export function totpCode(state: ServerState, secret: string): string {
  return codeAt(secret, Math.floor(state.now() / STEP_MS));
}

/** Authenticator apps, each code once, and recovery codes, each once. */
export function answerTotps(answers: Answers, state: ServerState): void {
  const live = (userId: string): Totp | undefined => {
    const totp = state.totps.get(userId);
    return totp?.verified === true || (totp?.expiresAt ?? 0) > state.now() ? totp : undefined;
  };
  const claimed = (caller: Caller): readonly [userId: string, totp: Totp] => {
    const { user_id } = requireSession(state, caller).session;
    const totp = live(user_id);
    if (totp === undefined) throw new Refused('totp_not_found');
    return [user_id, totp];
  };
  const claim = (user_id: string, factor: NewFactor, minutes: number, caller: Caller): object =>
    logIn(state, { user_id, factor, minutes, caller });

  answers
    .to(totps.create, ({ expiration_minutes }, caller) => {
      const minutes = minutesIn(expiration_minutes, 60, 5, 1440);
      const { user_id } = requireSession(state, caller).session;
      if (state.totps.get(user_id)?.verified === true) throw new Refused('active_totp_exists');
      const totp_id = state.id('totp');
      const secret = `FAKESECRET${state.next()}`;
      const recoveryCodes = Array.from(
        { length: RECOVERY_CODES },
        (_, place) => `fake-${String(state.next()).padStart(4, '0')}-${String(place).padStart(4, '0')}`,
      );
      const expiresAt = state.in(minutes);
      state.totps.set(user_id, { totp_id, secret, recoveryCodes, expiresAt, verified: false, lastStep: 0 });
      const user = change(state, user_id, { totps: [{ totp_id, verified: false }] });
      return { totp_id, secret, qr_code: QR_CODE, recovery_codes: recoveryCodes, user_id, user, __user: user };
    })
    .to(totps.authenticate, ({ totp_code, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      if (!/^\d{6}$/u.test(totp_code)) throw new Refused('invalid_code');
      const [user_id, totp] = claimed(caller);
      const now = Math.floor(state.now() / STEP_MS);
      const step = [now - 1, now, now + 1].find(
        (each) => each > totp.lastStep && codeAt(totp.secret, each) === totp_code,
      );
      if (step === undefined) throw new Refused('otp_code_not_found');
      const { totp_id } = totp;
      Object.assign(totp, { lastStep: step, verified: true });
      change(state, user_id, { totps: [{ totp_id, verified: true }] });
      const factor = { type: 'totp', delivery_method: 'authenticator_app', authenticator_app_factor: { totp_id } };
      return { ...claim(user_id, factor, minutes, caller), totp_id };
    })
    .to(totps.recoveryCodes, (_, caller) => {
      const { user_id } = requireSession(state, caller).session;
      const totp = live(user_id);
      if (totp === undefined) return { user_id, totps: [] };
      const { totp_id, verified, recoveryCodes } = totp;
      return { user_id, totps: [{ totp_id, verified, recovery_codes: recoveryCodes }] };
    })
    .to(totps.recover, ({ recovery_code, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const [user_id, totp] = claimed(caller);
      const code = recovery_code.trim().toLowerCase();
      if (!totp.verified || !totp.recoveryCodes.includes(code)) throw new Refused('recovery_code_not_found');
      totp.recoveryCodes = totp.recoveryCodes.filter((each) => each !== code);
      const { totp_id } = totp;
      const factor = { type: 'recovery_codes', delivery_method: 'recovery_code', recovery_code_factor: { totp_id } };
      return { ...claim(user_id, factor, minutes, caller), totp_id };
    });
}

/** Forgets the user's authenticator app. */
export function dropTotp(state: ServerState, userId: string): void {
  state.totps.delete(userId);
  if (readUser(state, userId).totps.length > 0) change(state, userId, { totps: [] });
}
