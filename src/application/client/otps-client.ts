import type { OtpMethod } from '../../domain/otp.ts';
import type { OtpLogin, OtpOptions } from '../use-cases/otp-login.ts';
import { checkArguments, DURATION, type Duration } from './arguments.ts';

/** `client.otps`. */
export class OtpsClient {
  readonly email;
  readonly sms;
  readonly whatsapp;

  constructor(private readonly otps: OtpLogin) {
    this.email = this.channel('email', 'email');
    this.sms = this.channel('sms', 'phone_number');
    this.whatsapp = this.channel('whatsapp', 'phone_number');
  }

  /** Exchanges a passcode for a session. */
  async authenticate(code: string, method_id: string, options: Duration) {
    const shape = { code: 'string', method_id: 'string', ...DURATION } as const;
    checkArguments('otps.authenticate', shape, { ...options, code, method_id });
    return this.otps.authenticate(code, method_id, options.session_duration_minutes);
  }

  private channel<M extends OtpMethod>(method: M, field: 'email' | 'phone_number') {
    const check = (name: string, destination: string, options: object): void =>
      checkArguments(
        `otps.${method}.${name}`,
        { [field]: 'string', options: 'object' },
        { [field]: destination, options },
      );
    return {
      /** Sends a six-digit passcode, to an unknown address or number too. The reply's `method_id` goes into `authenticate`. */
      loginOrCreate: async (destination: string, options: OtpOptions[M] = {}) => {
        check('loginOrCreate', destination, options);
        return this.otps.loginOrCreate(method, destination, options);
      },
      /** Sends to a known address or number; while somebody is signed in, one that adds it to that user. */
      send: async (destination: string, options: OtpOptions[M] = {}) => {
        check('send', destination, options);
        return this.otps.send(method, destination, options);
      },
    };
  }
}
