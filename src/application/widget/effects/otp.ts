import { exhaustMap } from 'rxjs';
import { OTP_EXPIRATION_MINUTES, type SentOtp } from '../../../domain/otp.ts';
import { sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { ClockPort } from '../../ports/index.ts';
import type { Logins } from '../logins.ts';
import type { Effect } from '../widget-store.ts';
import { attempt, ofType } from './attempt.ts';

/** Sends, resends and verifies passcodes. While one of them is under way, asking for it again does nothing. */
export function otpEffects(
  logins: () => Promise<Logins>,
  clock: ClockPort,
  config: () => LoginConfig,
): readonly Effect[] {
  const deliver = async (destination: string): Promise<{ otp: SentOtp; reply: object }> => {
    const { expirationMinutes, loginTemplateId, signupTemplateId, locale } = config().otpOptions ?? { methods: [] };
    const minutes = expirationMinutes ?? OTP_EXPIRATION_MINUTES;
    // Counted from before the call: the server's clock starts later, so no code is shown as good that is not.
    const expiresAt = clock.now() + minutes * 60_000;
    const { otps } = await logins();
    const reply = await otps.loginOrCreate('email', destination, {
      expiration_minutes: minutes,
      login_template_id: loginTemplateId,
      signup_template_id: signupTemplateId,
      locale,
    });
    return { otp: { type: 'email', methodId: reply.method_id, destination, expiresAt }, reply };
  };

  const sent: Effect = ({ events$ }) =>
    ofType(events$, 'otp/requested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => ({ type: 'otp/sent', ...(await deliver(asked.destination)) })),
      ),
    );
  const resent: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/resendRequested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => {
          const { screen } = getState();
          const destination = screen.name === 'OTPAuthenticate' ? screen.otp.destination : '';
          return { type: 'otp/resent', ...(await deliver(destination)) };
        }),
      ),
    );
  const verified: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/codeEntered').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => {
          const { screen } = getState();
          const methodId = screen.name === 'OTPAuthenticate' ? screen.otp.methodId : '';
          const { otps } = await logins();
          const reply = await otps.authenticate(asked.code, methodId, sessionMinutes(config()));
          return { type: 'otp/verified', reply };
        }),
      ),
    );
  return [sent, resent, verified];
}
