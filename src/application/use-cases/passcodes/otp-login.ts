import { checkArguments } from '#domain/shape.ts';
import { DURATION, type Duration } from '../../api/authenticated.ts';
import type { SendName } from '../../api/otps.ts';
import { otps, type BodyFor, type Endpoint, type ReplyFor } from '../../api/index.ts';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import { TRUST, trusting, type TrustOptions } from '../sessions/trust-options.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall, Signals } from '../../wire/risky-call.ts';

type ClientField = 'email' | 'phone_number' | 'captcha_token' | 'dfp_telemetry_id';

/** The host's options of a passcode, by delivery method. */
export type OtpOptions = {
  readonly [M in OtpMethod]: Omit<BodyFor<(typeof otps)[`${M}LoginOrCreate`]>, ClientField>;
};

/** The host's options of a passcode by email. */
export type EmailOtpOptions = OtpOptions['email'];
/** Options of a passcode by text message. */
export type SmsOtpOptions = OtpOptions['sms'];
/** Options of a passcode by WhatsApp. */
export type WhatsappOtpOptions = OtpOptions['whatsapp'];

type SendReply = ReplyFor<typeof otps.emailLoginOrCreate>;

/** One-time passcodes by message (specification, sections 4 and 7). */
export class OtpLogin {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
  ) {}

  /** Sends a passcode to an existing or a new user. The reply's `method_id` identifies the passcode. */
  async loginOrCreate<M extends OtpMethod>(
    method: M,
    destination: string,
    options?: OtpOptions[M],
  ): Promise<SendReply> {
    return this.deliver(`otps.${method}.loginOrCreate`, method, 'LoginOrCreate', destination, options);
  }

  /** Sends a passcode to an existing user. With a session, the passcode adds the address or number to the signed-in user. */
  async send<M extends OtpMethod>(method: M, destination: string, options?: OtpOptions[M]): Promise<SendReply> {
    const kind = this.sessions.mayBeSignedIn() ? 'SendSecondary' : 'SendPrimary';
    return this.deliver(`otps.${method}.send`, method, kind, destination, options);
  }

  /** Exchanges a passcode for a session. */
  async authenticate(
    code: string,
    method_id: string,
    options: Duration & TrustOptions,
  ): Promise<ReplyFor<typeof otps.authenticate>> {
    checkArguments('otps.authenticate', { code: 'string', method_id: 'string' }, { code, method_id });
    checkArguments('otps.authenticate', { ...DURATION, ...TRUST }, options);
    const { session_duration_minutes, trust_device } = options;
    return this.sessions.update(
      await this.risky.call(otps.authenticate, {
        token: code,
        method_id,
        session_duration_minutes,
        ...trusting(trust_device),
      }),
    );
  }

  private deliver(
    name: string,
    method: OtpMethod,
    kind: SendName,
    destination: string,
    options?: OtpOptions[OtpMethod],
  ): Promise<SendReply> {
    const to = method === 'email' ? { email: destination } : { phone_number: destination };
    const [field] = Object.keys(to) as [string];
    checkArguments(name, { [field]: 'string', options: 'object?' }, { ...to, options });
    const endpoint: Endpoint<string, Signals, SendReply> = otps[`${method}${kind}`];
    const body = { ...options, ...to };
    checkArguments(name, endpoint.body, body);
    return this.risky.call(endpoint, body);
  }
}
