import { exhaustMap } from 'rxjs';
import { OTP_EXPIRATION_MINUTES, type SentOtp } from '../../../domain/otp.ts';
import type { Outcome } from '../../../domain/screens/event.ts';
import type { Screen } from '../../../domain/screens/screen.ts';
import { sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { ClockPort } from '../../ports/index.ts';
import type { Logins } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { attempt, ofType } from './attempt.ts';
import { needed } from './needed.ts';

/** Where a passcode goes. */
export type Recipient = Pick<SentOtp, 'type' | 'destination' | 'phone'>;
export type DeliverOtp = (to: Recipient) => Promise<{ readonly otp: SentOtp; readonly reply: object }>;

/** Sends a passcode with the configured options (specification, section 7). */
export function otpDelivery(logins: () => Promise<Logins>, clock: ClockPort, config: () => LoginConfig): DeliverOtp {
  return async (to) => {
    const { expirationMinutes, loginTemplateId, signupTemplateId, locale } = config().otpOptions ?? {};
    const minutes = expirationMinutes ?? OTP_EXPIRATION_MINUTES;
    // Counted from before the call: the server's clock starts later, so no code is shown as good that is not.
    const expiresAt = clock.now() + minutes * 60_000;
    const { otps } = await logins();
    const templates = { login_template_id: loginTemplateId, signup_template_id: signupTemplateId };
    const reply = await otps.loginOrCreate(to.type, to.destination, {
      expiration_minutes: minutes,
      locale,
      ...(to.type === 'email' ? templates : {}),
    });
    return { otp: { ...to, methodId: needed(reply.method_id), expiresAt }, reply };
  };
}

/** The passcode that a screen asks for, or null. */
function otpOn(screen: Screen): SentOtp | null {
  if (screen.name === 'OTPAuthenticate') return screen.otp;
  return 'message' in screen && screen.message?.kind === 'code' ? screen.message.otp : null;
}

/** Sends, resends and verifies passcodes. While one of them is under way, asking for it again does nothing. */
export function otpEffects(
  logins: () => Promise<Logins>,
  clock: ClockPort,
  config: () => LoginConfig,
): readonly Effect[] {
  const deliver = otpDelivery(logins, clock, config);

  const sent: Effect = ({ events$ }) =>
    ofType(events$, 'otp/requested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => ({
          type: 'otp/sent',
          ...(await deliver({ type: asked.method, destination: asked.destination })),
        })),
      ),
    );
  const resent: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/resendRequested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => {
          const { type, destination, phone } = otpOn(getState().screen) ?? { type: 'email', destination: '' };
          const to = { type, destination, ...(phone && { phone }) };
          return { type: 'otp/resent', ...(await deliver(to)) };
        }),
      ),
    );
  const verified: Effect = ({ events$, getState, late }) =>
    ofType(events$, 'otp/codeEntered').pipe(
      exhaustMap((asked) => {
        const verify = async (): Promise<Outcome> => {
          const methodId = otpOn(getState().screen)?.methodId ?? '';
          const { otps } = await logins();
          const reply = await otps.authenticate(asked.code, methodId, sessionMinutes(config()));
          return { type: 'otp/verified', reply };
        };
        return attempt(events$, asked, verify, late);
      }),
    );
  return [sent, resent, verified];
}
