import { OTP_EXPIRATION_MINUTES, type SentOtp } from '../../../domain/otp.ts';
import type { LoginConfig } from '../../../domain/widget-config.ts';
import type { ClockPort } from '../../ports/index.ts';
import type { Logins } from '../../services.ts';
import { needed } from './needed.ts';

/** Mails a passcode with the configured options. */
export async function mailCode(
  logins: () => Promise<Logins>,
  clock: ClockPort,
  config: LoginConfig,
  destination: string,
): Promise<{ readonly otp: SentOtp; readonly reply: object }> {
  const { expirationMinutes, loginTemplateId, signupTemplateId, locale } = config.otpOptions ?? {};
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
  return { otp: { type: 'email', methodId: needed(reply.method_id), destination, expiresAt }, reply };
}
