import { otps, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { OtpMethod } from '../../domain/otp.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';

type Own = 'email' | 'phone_number' | 'captcha_token' | 'dfp_telemetry_id';

/** What a host may say about an emailed passcode. */
export type EmailOtpOptions = Omit<BodyFor<typeof otps.emailLoginOrCreate>, Own>;
export type SmsOtpOptions = Omit<BodyFor<typeof otps.smsLoginOrCreate>, Own>;
export type WhatsappOtpOptions = Omit<BodyFor<typeof otps.whatsappLoginOrCreate>, Own>;

/** What a host may say about a passcode, by the way it is sent. */
export interface OtpOptions {
  readonly email: EmailOtpOptions;
  readonly sms: SmsOtpOptions;
  readonly whatsapp: WhatsappOtpOptions;
}

type Sent = ReplyFor<typeof otps.emailLoginOrCreate>;

const ENDPOINTS = {
  email: { loginOrCreate: otps.emailLoginOrCreate, primary: otps.emailSendPrimary, secondary: otps.emailSendSecondary },
  sms: { loginOrCreate: otps.smsLoginOrCreate, primary: otps.smsSendPrimary, secondary: otps.smsSendSecondary },
  whatsapp: {
    loginOrCreate: otps.whatsappLoginOrCreate,
    primary: otps.whatsappSendPrimary,
    secondary: otps.whatsappSendSecondary,
  },
} as const;

/** One-time passcodes by SMS, WhatsApp or email (specification, sections 4 and 7). */
export class OtpLogin {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
  ) {}

  /** Sends a passcode to an address or number, known or not; the reply's `method_id` names it. */
  loginOrCreate<M extends OtpMethod>(method: M, destination: string, options: OtpOptions[M]): Promise<Sent> {
    return this.deliver(method, 'loginOrCreate', destination, options);
  }

  /** Sends a passcode to a known address or number; with a session, one that adds it to the session's user. */
  send<M extends OtpMethod>(method: M, destination: string, options: OtpOptions[M]): Promise<Sent> {
    return this.deliver(method, this.sessions.mayBeSignedIn() ? 'secondary' : 'primary', destination, options);
  }

  /** Exchanges a passcode for a session. */
  async authenticate(
    code: string,
    method_id: string,
    session_duration_minutes: number,
  ): Promise<ReplyFor<typeof otps.authenticate>> {
    return this.sessions.update(
      await this.risky.call(otps.authenticate, { token: code, method_id, session_duration_minutes }),
    );
  }

  private deliver(
    method: OtpMethod,
    kind: keyof (typeof ENDPOINTS)['email'],
    destination: string,
    options: OtpOptions[OtpMethod],
  ): Promise<Sent> {
    if (method === 'email')
      return this.risky.call(ENDPOINTS.email[kind], { ...(options as EmailOtpOptions), email: destination });
    return this.risky.call(ENDPOINTS[method][kind], { ...options, phone_number: destination });
  }
}
