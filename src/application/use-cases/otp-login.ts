import { otps, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** What a host may say about an emailed passcode. */
export type EmailOtpOptions = Omit<
  BodyFor<typeof otps.emailLoginOrCreate>,
  'email' | 'captcha_token' | 'dfp_telemetry_id'
>;

/** One-time passcodes (specification, sections 4 and 7). */
export class OtpLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {}

  /** Mails a passcode; the reply's `method_id` names it. */
  emailLoginOrCreate(email: string, options: EmailOtpOptions = {}): Promise<ReplyFor<typeof otps.emailLoginOrCreate>> {
    return this.wire.call(otps.emailLoginOrCreate, { ...options, email });
  }

  /** Exchanges a passcode for a session. */
  async authenticate(
    code: string,
    method_id: string,
    session_duration_minutes: number,
  ): Promise<ReplyFor<typeof otps.authenticate>> {
    const reply = await this.wire.call(otps.authenticate, { token: code, method_id, session_duration_minutes });
    this.sessions.update(reply);
    return reply;
  }
}
