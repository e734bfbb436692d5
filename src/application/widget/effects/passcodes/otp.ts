import { exhaustMap } from 'rxjs';
import { OTP_EXPIRATION_MINUTES, type SentOtp } from '#domain/passcodes/otp.ts';
import { sentOtpOf } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, needed, ofType } from '../attempt.ts';

/** The destination of a passcode. */
export type Recipient = Pick<SentOtp, 'type' | 'destination' | 'phone'>;
export type DeliverOtp = (to: Recipient) => Promise<{ readonly otp: SentOtp; readonly reply: object }>;

/**
 * Sends a passcode with the given call. Its lifetime is counted from before the call: the server starts counting later, so an expired code is
 * never shown as valid.
 */
export async function sendCode<Reply extends { readonly method_id: string }>(
  { clock }: Services<'clock'>,
  to: Recipient,
  minutes: number,
  call: () => Promise<Reply>,
): Promise<{ readonly otp: SentOtp; readonly reply: Reply }> {
  const expiresAt = clock.now() + minutes * 60_000;
  const reply = await call();
  return { otp: { ...to, methodId: needed(reply.method_id), expiresAt }, reply };
}

/** Sends a passcode with the configured options (specification, section 7). */
export function otpDelivery({ otps, clock }: Services<'otps' | 'clock'>, config: () => LoginConfig): DeliverOtp {
  return async (to) => {
    const { expirationMinutes, loginTemplateId, signupTemplateId, locale } = config().otpOptions ?? {};
    const minutes = expirationMinutes ?? OTP_EXPIRATION_MINUTES;
    const templates = { login_template_id: loginTemplateId, signup_template_id: signupTemplateId };
    return sendCode({ clock }, to, minutes, async () =>
      otps.loginOrCreate(to.type, to.destination, {
        expiration_minutes: minutes,
        locale,
        ...(to.type === 'email' ? templates : {}),
      }),
    );
  };
}

/** Sends, resends and verifies passcodes. While a request is pending, another intent of the same kind is ignored. */
export function otpEffects({ otps, clock }: Services<'otps' | 'clock'>, config: () => LoginConfig): readonly Effect[] {
  const deliver = otpDelivery({ otps, clock }, config);

  const sendEffect: Effect = ({ events$ }) =>
    ofType(events$, 'otp/requested').pipe(
      exhaustMap((intent) =>
        attempt(events$, intent, async () => ({
          type: 'otp/sent',
          ...(await deliver({ type: intent.method, destination: intent.destination })),
        })),
      ),
    );
  const resent: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/resendRequested').pipe(
      exhaustMap((intent) =>
        attempt(events$, intent, async () => {
          const { type, destination, phone } = sentOtpOf(getState().screen) ?? { type: 'email', destination: '' };
          const to = { type, destination, ...(phone && { phone }) };
          return { type: 'otp/resent', ...(await deliver(to)) };
        }),
      ),
    );
  const verified: Effect = ({ events$, getState, late }) =>
    ofType(events$, 'otp/codeEntered').pipe(
      exhaustMap((intent) =>
        attempt(
          events$,
          intent,
          async () => {
            const methodId = sentOtpOf(getState().screen)?.methodId ?? '';
            const session_duration_minutes = sessionMinutes(config());
            const reply = await otps.authenticate(intent.code, methodId, { session_duration_minutes });
            return { type: 'otp/verified', reply };
          },
          late,
        ),
      ),
    );
  return [sendEffect, resent, verified];
}
