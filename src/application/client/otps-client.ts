import type { EmailOtpOptions, OtpLogin } from '../use-cases/otp-login.ts';
import { checkArguments } from './arguments.ts';

/** `client.otps`. */
export class OtpsClient {
  constructor(private readonly otps: OtpLogin) {}

  readonly email = {
    /** Mails a six-digit passcode. The reply's `method_id` goes into `authenticate`. */
    loginOrCreate: async (email: string, options: EmailOtpOptions = {}) => {
      checkArguments('otps.email.loginOrCreate', { email: 'string', options: 'object' }, { email, options });
      return this.otps.emailLoginOrCreate(email, options);
    },
  };

  /**
   * Exchanges a passcode for a session.
   *
   * @param options `session_duration_minutes`: how long the session lasts
   */
  async authenticate(code: string, method_id: string, options: { readonly session_duration_minutes: number }) {
    const { session_duration_minutes } = options ?? {};
    checkArguments(
      'otps.authenticate',
      { code: 'string', method_id: 'string', session_duration_minutes: 'number' },
      { code, method_id, session_duration_minutes },
    );
    return this.otps.authenticate(code, method_id, session_duration_minutes);
  }
}
